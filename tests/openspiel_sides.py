"""Our games as sides of the comparison with OpenSpiel (openspiel.py). docs/openspiel.md explains how each is dealt and numbered."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from random import Random

import openspiel_examples
import openspiel_tricks
from openspiel import RANKS, Pairing, numbers_by_rank

from kortlek.cards import FRENCH, members
from kortlek.engine import plain
from kortlek.game import OVER

sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))
from oh_hell import KINDS, OH_HELL, PLAYERS, TRICKS
from oh_hell import RANKS as RANKS_PLAYED

OH_HELL_CARDS = numbers_by_rank("CDSH", RANKS[:RANKS_PLAYED])


class OhHell:
    """A round of our Oh Hell."""

    def __init__(self, rng: Random) -> None:
        self.s = plain.begin(OH_HELL, PLAYERS)
        lots, pack = self.shuffle(rng), self.shuffle(rng)
        self.chance = iter([TRICKS, lots[0], *(OH_HELL_CARDS[FRENCH[card]] for card in pack)]).__next__

    def shuffle(self, rng: Random) -> tuple[int, ...]:
        """Resolve the pending chance event at random."""
        event = plain.resolve_chance(OH_HELL, self.s, lambda things, _: rng.shuffle(things))
        plain.step(OH_HELL, self.s, event)
        return event

    @property
    def over(self) -> bool:
        return bool(self.s.phase == OVER)

    @property
    def turn(self) -> int:
        return int(self.s.turn)

    @property
    def legal(self) -> Collection[str]:
        notation = OH_HELL.notation[self.s.phase]
        self.numbers = {notation[each]: each for each in members(OH_HELL.legal(self.s))}
        return self.numbers

    @property
    def returns(self) -> Sequence[float]:
        return list(self.s.score[:PLAYERS])

    def play(self, choice: str) -> None:
        plain.step(OH_HELL, self.s, self.numbers[choice])


OH_HELL_ACTIONS = {f"play {name}": number for name, number in OH_HELL_CARDS.items()} | {f"bid {bid}": KINDS + bid for bid in range(TRICKS + 1)}
OH_HELL_PAIRING = Pairing(
    f"oh_hell(players={PLAYERS},num_suits=4,num_cards_per_suit={RANKS_PLAYED},num_tricks_fixed={TRICKS})", OhHell, OH_HELL_ACTIONS.__getitem__
)

PAIRINGS = {"oh_hell": OH_HELL_PAIRING, **openspiel_examples.PAIRINGS, **openspiel_tricks.PAIRINGS}
"""What is compared, by the name of the game and its variant."""
