"""Hearts and Spades as sides of the comparison with OpenSpiel (openspiel.py). docs/openspiel.md explains how each is dealt and numbered."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Any

from openspiel import Pairing, numbers_by_rank, numbers_by_suit, random_choice

from kortlek.cards import FRENCH, members
from kortlek.engine import plain
from kortlek.game import OVER, Game
from kortlek.games.hearts.rules import ALL_POINTS, HEARTS_GAME, HOLD, RIGHT
from kortlek.games.spades.rules import SPADES_GAME, TRICKS

PLAYERS = 4


class Hand:
    """One hand of a match on our side; over when the round is."""

    game: Game[Any]

    def __init__(self, rng: Random, **options: Any) -> None:
        self.s = plain.begin(self.game, PLAYERS, options)
        self.prepare(rng)
        self.begun_in = self.s.round
        self.pack = plain.resolve_chance(self.game, self.s, lambda things, _: rng.shuffle(things))
        plain.step(self.game, self.s, self.pack)

    def prepare(self, rng: Random) -> None:
        """Set up what happened before this hand."""

    @property
    def over(self) -> bool:
        return bool(self.s.round > self.begun_in or self.s.phase == OVER)

    @property
    def turn(self) -> int:
        return int(self.s.turn)

    @property
    def legal(self) -> Collection[str]:
        notation = plain.notation_of(self.game, self.s)
        self.numbers = {notation[each]: each for each in members(self.game.legal(self.s))}
        return self.numbers

    def play(self, choice: str) -> None:
        plain.step(self.game, self.s, self.numbers[choice])


# ---- Hearts

HEARTS_CARDS = numbers_by_rank("CDHS")
HEARTS_ACTIONS = {f"{verb} {name}": number for name, number in HEARTS_CARDS.items() for verb in ("pass", "play")}
ROUND_OF = {1: 0, 3: 1, 2: 2, 0: 3}
"""Our round number, by how many seats further the cards are passed."""


class OurHearts(Hand):
    """A hand of Hearts. The direction of the pass is that of a random round."""

    game = HEARTS_GAME

    def __init__(self, rng: Random, **options: Any) -> None:
        super().__init__(rng, **options)
        self.chance = iter([self.s.away, *(HEARTS_CARDS[FRENCH[card]] for card in self.pack)]).__next__

    def prepare(self, rng: Random) -> None:
        self.s.round = ROUND_OF[rng.randint(HOLD, RIGHT)]

    @property
    def returns(self) -> Sequence[float]:
        return [ALL_POINTS - points for points in self.s.points]


def hearts(options: dict[str, Any], **theirs: bool) -> Pairing:
    """Hearts with our options and OpenSpiel's parameters."""
    parameters = ",".join(f"{name}={str(value).lower()}" for name, value in theirs.items())
    return Pairing(f"hearts({parameters})", lambda rng: OurHearts(rng, **options), HEARTS_ACTIONS.__getitem__, choose=hunt_the_moon)


def hunt_the_moon(rng: Random, choices: Sequence[str]) -> str:
    """Mostly a random choice; sometimes the last one, a high card of a high suit, so that the moon is shot more often."""
    return choices[-1] if rng.random() < 0.3 else random_choice(rng, choices)


QUEEN_BREAKS = {"breaking": "by_a_heart_or_the_queen"}
HEARTS_PAIRINGS = {
    "hearts": hearts(QUEEN_BREAKS),
    "hearts without passing": hearts({**QUEEN_BREAKS, "pass_order": "never"}, pass_cards=False),
    "hearts, only a heart breaks": hearts({}, qs_breaks_hearts=False),
    "hearts, nothing is broken": hearts({"breaking": "not_needed"}, must_break_hearts=False),
    "hearts, points in the first trick": hearts({**QUEEN_BREAKS, "points_in_first_trick": "yes"}, no_pts_on_first_trick=False),
    "hearts, any club leads": hearts({**QUEEN_BREAKS, "lead_any_club": "yes"}, can_lead_any_club=True),
    "hearts, instead of the queen": hearts({"hearts_instead_of_queen": "yes"}, qs_breaks_hearts=False, can_lead_hearts_instead_of_qs=True),
    "hearts with bonuses": hearts({**QUEEN_BREAKS, "jack_of_diamonds": "yes", "no_tricks_bonus": "yes"}, jd_bonus=True, avoid_all_tricks_bonus=True),
    "hearts, everything else": hearts(
        {
            "lead_any_club": "yes",
            "points_in_first_trick": "yes",
            "hearts_instead_of_queen": "yes",
            "jack_of_diamonds": "yes",
            "no_tricks_bonus": "yes",
        },
        can_lead_any_club=True,
        no_pts_on_first_trick=False,
        qs_breaks_hearts=False,
        can_lead_hearts_instead_of_qs=True,
        jd_bonus=True,
        avoid_all_tricks_bonus=True,
    ),
}


# ---- Spades

SPADES_CARDS = numbers_by_suit("CDHS")
SPADES_ACTIONS = {f"play {name}": number for name, number in SPADES_CARDS.items()} | {f"bid {bid}": len(FRENCH) + bid for bid in range(TRICKS + 1)}


class OurSpades(Hand):
    """A hand of Spades, with bags of earlier hands. Any seat deals; OpenSpiel counts the seats from the one after the dealer."""

    game = SPADES_GAME

    def __init__(self, rng: Random) -> None:
        super().__init__(rng, failed_nil="helps_partner")
        self.first = self.s.turn
        self.chance = iter(SPADES_CARDS[FRENCH[card]] for card in self.pack).__next__

    def prepare(self, rng: Random) -> None:
        s = self.s
        s.dealer = rng.randrange(PLAYERS)
        s.bags[:] = [rng.randrange(10), rng.randrange(10)] * 2
        first = (s.dealer + 1) % PLAYERS
        self.bags_before = [s.bags[first], s.bags[(first + 1) % PLAYERS]]

    @property
    def turn(self) -> int:
        return int(self.s.turn - self.first) % PLAYERS

    @property
    def legal(self) -> Collection[str]:
        """The legal cards under OpenSpiel's rule that spades are never broken: a leader who holds another suit does not lead them."""
        every = super().legal
        others = [text for text in every if not text.startswith("play S")]
        return (others or every) if self.s.table == [-1] * PLAYERS else every

    @property
    def returns(self) -> Sequence[float]:
        return [self.s.points[(self.first + seat) % PLAYERS] for seat in range(PLAYERS)]


def begin_with_bags(game: Any, ours: Any) -> Any:
    """OpenSpiel's hand after earlier hands that left some bags."""
    state = game.new_initial_state()
    state.set_current_scores(ours.bags_before)
    return state


def bid_low(rng: Random, choices: Sequence[str]) -> str:
    """A random bid, mostly from 0 to 4: uniformly random bids would be too high."""
    low = [text for text in choices if text in ("bid 0", "bid 1", "bid 2", "bid 3", "bid 4")]
    return random_choice(rng, low if low and rng.random() < 0.8 else choices)


SPADES_PAIRINGS = {
    "spades": Pairing("spades(win_or_loss_bonus=0)", OurSpades, SPADES_ACTIONS.__getitem__, begin_with_bags, bid_low),
}
PAIRINGS: dict[str, Pairing] = {**HEARTS_PAIRINGS, **SPADES_PAIRINGS}
"""What is compared, by the name of the game and its variant."""
