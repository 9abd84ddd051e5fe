"""A game: its name, its state, its kinds of choice, and a handful of rules. Everything else has a default."""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import FunctionType
from typing import Any, Generic, TypeVar

from kortlek.cards import Card, Cards, bit
from kortlek.game.choices import Alternative, Choice
from kortlek.game.fields import MOST_HIDDEN_NUMBERS, MULTISET, PILE, ROUND, SET, WIDE, Field, Holds, Owner, fields_of, seats_of
from kortlek.game.options import Option
from kortlek.game.packs import Pack
from kortlek.game.base import DEAL, LOTS, OVER, State, alone, fill_seats, most_points

S = TypeVar("S", bound=State)
MOST_ALTERNATIVES = 62
LARGEST_PACK = 167
"""The largest number of cards in a pack: the length of a buffer for any of them."""


@dataclass(frozen=True, eq=False, repr=False)
class Sheet:
    """The score sheet: a row for each finished round. ``row`` is the field that labels a row (the number of the round if empty), ``cells`` are the
    fields that a cell shows."""

    row: str = ""
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Game(Generic[S]):
    """A game. Raise ``version`` whenever the same choices could lead to a different state than before.

    Needed: ``name``, ``players``, ``state``, ``choices``, and the rules ``deal(s, pack)``, which takes the shuffled pack, ``legal(s)``, the set of
    legal alternatives of the player in turn, and ``apply(s, choice)``, which does not check its choice.

    Scoring: ``round_over(s)`` is called after each choice and each ``SHUFFLE``, ``points(s, seat)`` and ``over(s)`` after each round; scores and
    rounds are counted from them. Alternatively a game does that itself in ``apply``: it adds to ``s.score``, raises ``s.round`` and sets ``s.phase``
    to ``DEAL`` or ``OVER``.

    Optional: ``start(s)`` sets up a match when players and options are known; ``lots(s, seats)`` takes the seats in random order if ``start`` set the
    phase to ``LOTS``. ``cards_to_shuffle(s, pack)`` writes the cards for a deal or a shuffle to ``pack`` and returns their number (the whole pack by
    default); ``reshuffle(s, pack)`` takes those of a ``SHUFFLE``. ``payoff(s, seat)`` is what a seat maximises: its points by default. ``teams(s,
    seat)`` is the team of a seat: each alone by default. ``winners(s)`` is the set of seats that share the win: those with the highest payoff.
    """

    name: str
    players: range
    state: type[S]
    choices: tuple[Choice, ...]
    deal: Callable[[S, list[Card]], None]
    legal: Callable[[S], Cards]
    apply: Callable[[S, int], None]
    title: str = ""
    """The title of the game, as shown to people; made from the name if empty."""
    version: int = 1
    pack: Pack = Pack()
    start: Callable[[S], None] = lambda s: None
    lots: Callable[[S, list[int]], None] | None = None
    cards_to_shuffle: Callable[[S, list[Card]], int] | None = None
    reshuffle: Callable[[S, list[Card]], None] | None = None
    round_over: Callable[[S], bool] | None = None
    points: Callable[[S, int], int] | None = None
    over: Callable[[S], bool] | None = None
    payoff: Callable[[S, int], int] = most_points
    teams: Callable[[S, int], int] = alone
    winners: Callable[[S], Cards] | None = None
    sheet: Sheet = Sheet()

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", str(self.name).replace("_", " ").capitalize())
        fields_of(self.state)
        for choice in self.choices:
            many = len(choice.alternatives(self.pack.names))
            if not 1 <= many <= MOST_ALTERNATIVES:
                raise TypeError(
                    f"{self.name}: a choice has at most {MOST_ALTERNATIVES} alternatives, {choice.name} has {many}: "
                    f"make it in steps, or choose among the cards held with held('hand')"
                )
        _check_places(self)
        if len(self.pack.cards) > LARGEST_PACK:
            raise TypeError(f"{self.name}: a pack has at most {LARGEST_PACK} cards, this one has {len(self.pack.cards)}")
        if self.players and self.players[-1] > seats_of(self.state):
            raise TypeError(f"{self.name}: its state has room for {seats_of(self.state)} players, not for {self.players[-1]}: use @state(seats=...)")

    @cached_property
    def options(self) -> dict[str, Option]:
        """The options by name."""
        return {name: field.option for name, field in fields_of(self.state).items() if field.option}

    @cached_property
    def alternatives(self) -> tuple[tuple[Alternative, ...], ...]:
        """The alternatives of each kind of choice."""
        return tuple(choice.alternatives(self.pack.names) for choice in self.choices)

    @cached_property
    def notation(self) -> tuple[tuple[str, ...], ...]:
        """The notation of the alternatives of each kind of choice."""
        return tuple(tuple(each.notation for each in alternatives) for alternatives in self.alternatives)

    @cached_property
    def rules(self) -> Rules:
        """The rules as the engines run them: including resets before each deal, the end of rounds, and the winners."""
        end_round = _end_round(self)
        return Rules(
            start=self.start,
            cards_to_shuffle=_cards_to_shuffle(self),
            deal=_deal(self, end_round),
            legal=self.legal,
            apply=_apply(self, end_round),
            winners=self.winners or _winners(self),
            payoff=self.payoff,
            teams=self.teams,
        )


def _check_places(game: Game[Any]) -> None:
    """Check that every place can hold the cards of the pack, and that there are not too many hidden numbers; raise TypeError otherwise."""
    hidden = {name: field for name, field in fields_of(game.state).items() if field.is_hidden_number}
    many = sum(field.how_many(max(game.players, default=1)) * math.prod(field.inner) for field in hidden.values())
    if many > MOST_HIDDEN_NUMBERS:
        raise TypeError(f"{game.name} hides {many} numbers ({', '.join(hidden)}), but a game hides at most {MOST_HIDDEN_NUMBERS}.")
    kinds, copies = len(game.pack.names), max(game.pack.counts, default=0)
    for name, field in fields_of(game.state).items():
        where = f"{game.name}: {game.state.__name__}.{name}"
        if field.storage is WIDE and field.inner[0] != kinds:
            raise TypeError(f"{where} has room for {field.inner[0]} kinds of card, but the pack has {kinds}: use wide({kinds}).")
        if kinds > MOST_ALTERNATIVES and (field.storage in (SET, MULTISET) or field.holds is Holds.CARD_SET):
            other = f"wide({kinds})" if field.storage else f"known_to(..., kinds={kinds})" if field.known_to else f"count(0, 1, length={kinds})"
            raise TypeError(f"{where} is a set of at most {MOST_ALTERNATIVES} kinds of card, but the pack has {kinds}: use {other}.")
        if field.storage is SET and copies > 1:
            raise TypeError(f"{where} is a set, but there are {copies} copies of a card: use multiset({copies}) or wide({kinds}).")
        if field.storage is WIDE and copies > field.high:
            raise TypeError(f"{where} has room for {field.high} copies of a card, but the pack has {copies}.")
        if field.storage is MULTISET and field.inner[0] < copies:
            raise TypeError(f"{where} has room for {field.inner[0]} copies of a card, but the pack has {copies}: use multiset({copies}).")


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of a game as the engines run them: plain functions on a state, so that they can also be compiled."""

    start: Callable[[Any], None]
    cards_to_shuffle: Callable[[Any, list[Card]], int]
    deal: Callable[[Any, list[Card]], None]
    legal: Callable[[Any], Cards]
    apply: Callable[[Any, int], None]
    winners: Callable[[Any], Cards]
    payoff: Callable[[Any, int], int]
    teams: Callable[[Any, int], int]

    def functions(self) -> list[Callable[..., Any]]:
        """All rules."""
        return [getattr(self, field.name) for field in dataclasses.fields(self)]


# ---- rules derived from the declaration; generated as source, because compiled code needs a loop for each field


def generated(game: Game[Any], name: str, source: str, **scope: Any) -> Any:
    """Make a function from source, as if it were defined in the module of the rules."""
    namespace: dict[str, Any] = {**scope, "__name__": game.state.__module__}
    file = getattr(sys.modules.get(game.state.__module__), "__file__", None)  # compiled code is cached next to the file of its function
    exec(compile(source, file or f"<{name} of {game.name}>", "exec"), namespace)
    made = namespace[name]
    assert isinstance(made, FunctionType)
    made.__module__ = game.state.__module__
    return made


def _reset_lines(at: str, field: Field, shape: tuple[int, ...], indent: str) -> list[str]:
    """The source lines that reset a value of a field."""
    lines = []
    for depth, length in enumerate(shape[:-1] if field.storage is PILE else shape):
        lines.append(f"{indent}for i{depth} in range({length}):")
        at, indent = f"{at}[i{depth}]", indent + "    "
    if field.storage is PILE:
        return [*lines, f"{indent}for card in range({at}[0]):", f"{indent}    {at}[card + 1] = -1", f"{indent}{at}[0] = 0"]
    return [*lines, f"{indent}{at} = {field.start}"]


def _reset(game: Game[Any]) -> Callable[[Any], None]:
    """Make the function that resets every field of a round. Per-seat fields are reset in one loop over the seats."""
    fields = [(name, field) for name, field in fields_of(game.state).items() if field.reset is ROUND]
    of_seats = [(name, field) for name, field in fields if field.owner in (Owner.SEAT, Owner.TEAM)]
    lines = ["def reset(s):", "    for seat in range(s.players):", "        pass"]
    lines += [line for name, field in of_seats for line in _reset_lines(f"s.{name}[seat]", field, field.shape[1:], "        ")]
    lines += [line for name, field in fields if (name, field) not in of_seats for line in _reset_lines(f"s.{name}", field, field.shape, "    ")]
    return generated(game, "reset", "\n".join(lines))  # type: ignore[no-any-return]


def _deal(game: Game[Any], end_round: Callable[[Any], None]) -> Callable[[Any, list[Card]], None]:
    """Make the rule for chance events: lots, a new round, or cards shuffled within a round."""
    reset, deal = _reset(game), game.deal
    lots, reshuffle = game.lots or deal, game.reshuffle or deal

    def dealt(s: Any, pack: list[Card]) -> None:
        if s.phase == LOTS:
            lots(s, pack)
        elif s.phase == DEAL:
            reset(s)
            deal(s, pack)
        else:
            reshuffle(s, pack)
            end_round(s)

    return dealt


def _cards_to_shuffle(game: Game[Any]) -> Callable[[Any, list[Card]], int]:
    """Make the rule for what is shuffled: the seats for lots; otherwise what the game lists, or the whole pack."""
    source = "def whole_pack(s, pack):\n    for at in range(len(CARDS)):\n        pack[at] = CARDS[at]\n    return len(CARDS)\n"
    own = game.cards_to_shuffle or generated(game, "whole_pack", source, CARDS=game.pack.cards)

    def cards_to_shuffle(s: Any, pack: list[Card]) -> int:
        return fill_seats(s, pack) if s.phase == LOTS else own(s, pack)

    return cards_to_shuffle


def _apply(game: Game[Any], end_round: Callable[[Any], None]) -> Callable[[Any, int], None]:
    """Make the rule for a choice, which also scores the round if the choice ends it."""
    apply = game.apply
    if game.round_over is None:
        return apply

    def applied(s: Any, choice: int) -> None:
        apply(s, choice)
        end_round(s)

    return applied


def goes_on(s: Any) -> None:
    """Do nothing: the game ends its rounds itself."""


def _end_round(game: Game[Any]) -> Callable[[Any], None]:
    """Make the function that scores a round that is over and sets the next phase; it does nothing in a game that ends its rounds itself."""
    round_over, points, over = game.round_over, game.points, game.over
    if round_over is None or points is None or over is None:
        if round_over or points or over:
            raise TypeError(f"{game.name}: round_over, points and over belong together: give all three, or none and let apply end rounds.")
        return goes_on

    def end_round(s: Any) -> None:
        if s.phase >= 0 and round_over(s):
            for seat in range(s.players):
                s.score[seat] += points(s, seat)
            s.round += 1
            s.phase = OVER if over(s) else DEAL

    return end_round


def _winners(game: Game[Any]) -> Callable[[Any], Cards]:
    """Make the default rule for winners: the seats with the highest payoff, ties are shared wins."""
    payoff = game.payoff

    def winners(s: Any) -> Cards:
        best = payoff(s, 0)
        seats = 0
        for seat in range(s.players):
            best = max(best, payoff(s, seat))
        for seat in range(s.players):
            if payoff(s, seat) == best:
                seats |= bit(seat)
        return seats

    return winners


USUAL_PLAYERS = 4


def usual_players(game: Game[Any]) -> int:
    """The default number of players: four, or the nearest number that the game allows."""
    return min(game.players, key=lambda players: abs(players - USUAL_PLAYERS))
