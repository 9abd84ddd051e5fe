"""The worked examples as sides of the comparison with OpenSpiel (openspiel.py). docs/openspiel.md explains how each is dealt and numbered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any

from examples import example
from openspiel import Pairing, numbers_by_rank

from kortlek.cards import FRENCH, members, rank_of, size
from kortlek.engine import plain
from kortlek.game import OVER, Game


class Ours:
    """A match on our side. ``outcomes`` holds chance outcomes, in OpenSpiel's numbers, until OpenSpiel asks for them."""

    def __init__(self, rng: Random, game: Game[Any], players: int, options: Mapping[str, object] | None = None) -> None:
        self.rng, self.game, self.s = rng, game, plain.begin(game, players, options)
        self.outcomes: list[int] = []

    def shuffle(self) -> tuple[int, ...]:
        """Resolve the pending chance event at random."""
        event = plain.resolve_chance(self.game, self.s, lambda things, _: self.rng.shuffle(things))
        plain.step(self.game, self.s, event)
        return event

    @property
    def over(self) -> bool:
        return bool(self.s.phase == OVER)

    @property
    def turn(self) -> int:
        return int(self.s.turn)

    @property
    def legal(self) -> Collection[str]:
        self.numbers = {plain.write_choice(self.game, self.s, each): each for each in members(self.game.legal(self.s))}
        return self.numbers

    @property
    def returns(self) -> Sequence[float]:
        return list(self.s.score[: self.s.players])

    def play(self, choice: str) -> None:
        plain.step(self.game, self.s, self.numbers[choice])

    def chance(self) -> int:
        return self.outcomes.pop(0)


# ---- Kuhn and Leduc poker


class Poker(Ours):
    """A hand of our Kuhn or Leduc poker: the cards have OpenSpiel's numbers."""

    def __init__(self, rng: Random, name: str) -> None:
        super().__init__(rng, example(name), 2, {"hands": 1})
        self.outcomes = list(self.shuffle())


KUHN_ACTIONS = {"check": 0, "fold": 0, "bet": 1, "call": 1}
LEDUC_ACTIONS = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}


# ---- Goofspiel


class Goofspiel(Ours):
    """A match of our Goofspiel. OpenSpiel plays the last card of each by itself."""

    def __init__(self, rng: Random, players: int) -> None:
        super().__init__(rng, example("goofspiel"), players)
        self.outcomes = list(reversed(self.shuffle()))

    def play(self, choice: str) -> None:
        super().play(choice)
        while not self.over and all(size(hand) == 1 for hand in self.s.hand[: self.s.players]):
            super().play(*self.legal)


def goofspiel(players: int) -> Pairing:
    """Goofspiel for a number of players."""
    theirs = f"goofspiel(players={players},num_cards=13,returns_type=total_points)"
    return Pairing(theirs, lambda rng: Goofspiel(rng, players), lambda text: int(text.removeprefix("bid ")) - 1)


# ---- Crazy Eights

EIGHTS_CARDS = numbers_by_rank("CDHS")
EIGHTS_ACTIONS = {f"play {name}": number for name, number in EIGHTS_CARDS.items()} | {"draw": 52, "pass": 53}
EIGHTS_ACTIONS |= {f"suit {suit}": 54 + at for at, suit in enumerate("CDHS")}


class CrazyEights(Ours):
    """A round of our Crazy Eights. Cards left are counted as OpenSpiel counts them."""

    def __init__(self, rng: Random, players: int, reshuffle: bool) -> None:
        super().__init__(rng, example("crazy_eights"), players, {"deals": 1, "reshuffle": reshuffle})
        self.s.dealer = rng.randrange(players)
        pack = self.shuffle()
        dealt = list(pack[: sum(map(size, self.s.hand[:players]))]) + [self.s.discards[1]]
        self.outcomes = [52 + self.s.dealer, *map(self.number, dealt)]

    def number(self, card: int) -> int:
        return EIGHTS_CARDS[FRENCH[card]]

    def play(self, choice: str) -> None:
        if choice == "draw":
            self.outcomes.append(self.number(self.s.stock[self.s.stock[0]]))
        super().play(choice)
        while self.s.phase < OVER:
            self.shuffle()

    @property
    def returns(self) -> Sequence[float]:
        return [-sum(map(self.penalty, members(hand))) for hand in self.s.hand[: self.s.players]]

    def penalty(self, card: int) -> int:
        return 50 if FRENCH[card][1] == "8" else 10 if rank_of(card) > 8 else self.number(card) + 2


def crazy_eights(players: int, reshuffle: bool) -> Pairing:
    """Crazy Eights for a number of players."""
    theirs = f"crazy_eights(players={players},reshuffle={str(reshuffle).lower()})"
    return Pairing(theirs, lambda rng: CrazyEights(rng, players, reshuffle), EIGHTS_ACTIONS.__getitem__)


# ---- Go Fish


class GoFish(Ours):
    """A match of our Go Fish. Our two choices (which player, which rank) are one choice of OpenSpiel's."""

    def __init__(self, rng: Random, players: int) -> None:
        super().__init__(rng, example("go_fish"), players)
        self.outcomes = list(self.shuffle()[: 52 - self.s.stock[0]])
        self.books_dealt = any(self.s.score)

    @property
    def legal(self) -> Collection[str]:
        ranks = list(members(self.s.hand[self.s.turn][0]))
        return {f"ask {whom} {rank}" for whom in members(self.game.legal(self.s)) for rank in ranks}

    def play(self, choice: str) -> None:
        stock = list(self.s.stock)
        for number in map(int, choice.split()[1:]):
            assert plain.is_legal(self.game, self.s, number)
            plain.step(self.game, self.s, number)
        self.outcomes += stock[self.s.stock[0] + 1 : stock[0] + 1][::-1]

    @property
    def returns(self) -> Sequence[float]:
        books = super().returns
        best = books.count(max(books))
        others = len(books) - best
        return [0.0 if not others else 1 / best if each == max(books) else -1 / others for each in books]

    def hands(self) -> list[list[int]]:
        """The number of cards of each rank in every hand."""
        return [[sum(plane >> rank & 1 for plane in hand) for rank in range(13)] for hand in self.s.hand[: self.s.players]]

    def as_text(self) -> str:
        """The position after the deal, as OpenSpiel writes it."""

        def ranks(counts: Sequence[int]) -> str:
            return "".join(f"{chr(97 + rank)}{many}" for rank, many in enumerate(counts) if many)

        stock = self.s.stock[1 : self.s.stock[0] + 1]
        hands = [f"{ranks(hand)}:{books}" for hand, books in zip(self.hands(), self.s.score)]
        return "\n".join(["Ask", "0", *hands, ranks([stock.count(rank) for rank in range(13)])])


def begin_fish(game: Any, ours: GoFish) -> Any:
    """OpenSpiel's first state: the position after the deal if a book was dealt, else the usual initial state."""
    if not ours.books_dealt:
        return game.new_initial_state()
    ours.outcomes.clear()
    return game.new_specific_state(ours.as_text())


def compare_hands(ours: GoFish, theirs: Any) -> str:
    """The difference between the hands and books of both sides."""
    same = theirs.player_cards() == ours.hands() and theirs.player_books() == list(ours.s.score[: ours.s.players])
    return "" if same else f"hands: ours {ours.hands()}, OpenSpiel {theirs.player_cards()}"


def go_fish(players: int) -> Pairing:
    """Go Fish for a number of players."""

    def action(text: str) -> int:
        _, whom, rank = text.split()
        return 13 * int(whom) + int(rank)

    return Pairing(f"go_fish(players={players})", lambda rng: GoFish(rng, players), action, begin_fish, difference=compare_hands)


PAIRINGS = {
    "kuhn": Pairing("kuhn_poker", lambda rng: Poker(rng, "kuhn"), KUHN_ACTIONS.__getitem__),
    "leduc": Pairing("leduc_poker", lambda rng: Poker(rng, "leduc"), LEDUC_ACTIONS.__getitem__),
    **{f"goofspiel, {players} players": goofspiel(players) for players in (2, 3, 10)},
    **{f"crazy_eights, {players} players": crazy_eights(players, False) for players in (2, 5)},
    **{f"crazy_eights, {players} players, reshuffled": crazy_eights(players, True) for players in (2, 3, 4, 5)},
    **{f"go_fish, {players} players": go_fish(players) for players in (2, 3, 6)},
}
"""What is compared, by the name of the game and its variant."""
