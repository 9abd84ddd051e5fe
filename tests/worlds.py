"""Two worlds that one viewer cannot tell apart: the same table, the same events as far as she can know, and other cards where she does
not see them. Whatever leaves the table for her must be the same in both, byte for byte."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from kortlek.cards import members
from kortlek.play import plain
from kortlek.play.information import ONLOOKER, Place, how_many, redeal, view
from kortlek.play.plain import Event, Spoken
from kortlek.play.seeded import below, pick, seeded
from kortlek.rules.game import OVER, Game, fields_of
from kortlek.table import asking, clocks, facts, messages, sending
from kortlek.table.facts import AnyFact
from kortlek.table.host import Host, Live
from kortlek.table.messages import Refusal, encoded
from kortlek.table.question import Question, Reason
from kortlek.table.store import SqliteStore
from kortlek.table.table import STRANGER, Step, Table
from kortlek.table.workers import Workers
from playing import SHORT, next_event, walk

CHOICES = 6
"""So many choices are made in both worlds."""
SWAPS = 24
"""So many pairs of cards of a pack we try to swap where the viewer does not see them."""
NOW = 1_700_000_000_000
HEARD = 3
"""The moment of a fact is so many milliseconds after the one before."""


def leaks(game: Game[Any], games: Iterable[int]) -> Iterator[str]:
    """Where a viewer gets something else when what she cannot see is permuted: at most once in each of these (numbered) games."""
    with asyncio.Runner() as runner:
        for number in games:
            found = Worlds(game, number, runner).first_leak()
            if found:
                yield f"{game.name} game {number}: {found}"


# ---- a table that somebody can look at


def some_options(game: Game[Any], players: int, rng: list[int]) -> dict[str, Spoken]:
    """Some of the options as one likes, none so that a match takes long."""
    chosen: dict[str, Spoken] = {}
    for name, option in game.options.items():
        allowed = option.allowed(players)[: SHORT.get(name)]
        if name in SHORT or below(rng, 3) == 0:
            values: list[int | str] = [*(each for each, _ in option.names), *allowed]
            several = [allowed[below(rng, len(allowed))] for _ in range(option.length(players))] if option.length else []
            chosen[name] = several or values[below(rng, len(values))]
    return chosen


def some_table(game: Game[Any], players: int, viewer: int, rng: list[int]) -> Table:
    """A table whose match waits for its first chance event: people and bots, with a clock or without."""
    opening = messages.Open(game=game.name, players=players, options=some_options(game, players, rng), name="Ada", clock=30 * below(rng, 2))
    table = happened(Table("bk7q2x"), with_secret(asking.open_table(opening, "token of Ada"), rng))
    for seat in range(1, players):
        if seat == viewer or below(rng, 2):
            join = messages.Join(name=f"Player {seat}", seat=seat, luck=f"{seat:02x}")
            table = happened(table, asking.ask(table, join, STRANGER, f"token of {seat}"))
    made = asking.ask(table, messages.Start(), 0)
    return happened(table, with_secret([fact for fact in made if not isinstance(fact, facts.Happened)], rng))


def with_secret(made: list[AnyFact], rng: list[int]) -> list[AnyFact]:
    """The facts with a secret that is the same in every run."""
    for fact in made:
        if isinstance(fact, facts.Opened | facts.Began):
            fact.secret = f"{below(rng, 1 << 31):064x}"
    return made


def happened(table: Table, made: list[AnyFact]) -> Table:
    """The table after some facts."""
    return table.after(table.entries(made, max(NOW, table.at) + HEARD))[0]


def some_position(game: Game[Any], players: int, options: dict[str, Spoken], number: int, of_chance: bool) -> Any:
    """A state of a random match, all equally likely: one that waits for chance, or for a choice."""
    found, many, rng = None, 0, [seeded(number, 5)]
    for s in walk(game, players, dict(options), number):
        if s.phase != OVER and (s.phase < 0) == of_chance:
            many += 1
            found = plain.copy_of(s) if below(rng, many) == 0 else found
    assert found is not None
    return found


# ---- what leaves it


class Parrot(Workers):
    """Says to whoever wants a hint everything that it was asked: if nothing hidden is in the question, none can be in the answer."""

    def __init__(self) -> None:
        """Without processes."""

    async def why(self, question: Question) -> list[Reason]:
        return [Reason("", 0.0, repr(question))]


def told(table: Table, step: Step | None, viewer: int, person: int) -> list[bytes]:
    """News and the table as it stands; the line in the lobby; and when a bot will choose, which everyone will see."""
    news = [encoded(sending.news(table, step, viewer))] if step else []
    return [*news, encoded(sending.show(table, viewer, person)), table.standing().line.encode(), repr(clocks.due(table)).encode()]


def answered(table: Table, message: messages.AnyMessage, person: int) -> bytes:
    """What somebody is answered, but for the number of the entry."""
    try:
        return b"".join(facts.written(fact).encode() for fact in asking.ask(table, message, person))
    except Refusal as refusal:
        return encoded(messages.Denied(id=message.id, code=refusal.code, sentence=refusal.sentence))


def denied(table: Table, seat: int, person: int, texts: Iterable[str]) -> list[bytes]:
    """What is said to somebody who makes these choices, none of which is legal."""
    return [answered(table, messages.Choose(seat=max(seat, 0), choice=text, at=table.seq), person) for text in texts]


def illegal(table: Table) -> list[str]:
    """Every choice of the game that is not legal now."""
    match = table.playing()
    return [
        text
        for phase, kind in enumerate(table.game.choices)
        for choice, text in enumerate(kind.notation)
        if phase != match.s.phase or not table.game.legal(match.s) >> choice & 1
    ]


async def hinted(table: Table, seat: int, person: int) -> bytes:
    """What is said to somebody who asks for a hint."""
    host = Host(SqliteStore("never opened"), Parrot())
    host.live[table.code] = Live(table)
    try:
        return encoded(await host.hint(table.code, messages.Hint(seat=max(seat, 0)), person))
    except Refusal as refusal:
        return f"{refusal.code}: {refusal.sentence}".encode()


# ---- the two worlds


@dataclass(eq=False)
class Worlds:
    """One game of some number: a table, somebody who looks at it, and a place in the match from which it goes on in both worlds.

    A third of the games are played from the first deal on, so that choices can be taken back; the others from somewhere in a match."""

    game: Game[Any]
    number: int
    runner: asyncio.Runner

    def __post_init__(self) -> None:
        self.rng = [seeded(self.number, 4)]
        players = self.game.players[below(self.rng, len(self.game.players))]
        self.viewer = self.number % (players + 1) - 1
        self.one = some_table(self.game, players, self.viewer, self.rng)
        self.person = STRANGER if self.viewer == ONLOOKER else self.one.chairs[self.viewer].person
        self.is_whole = self.number % 3 == 0
        self.asked_all = False
        if not self.is_whole:
            s = some_position(self.game, players, self.one.options, self.number, of_chance=self.number % 3 == 1)
            self.one.playing().s = s
        self.other = self.one.after([])[0]
        if not self.is_whole:
            self.other.playing().s = redeal(self.seen(self.one), self.rng)

    def seen(self, table: Table) -> Any:
        return view(self.game, table.playing().s, self.viewer)

    def first_leak(self) -> str:
        """What the viewer gets in one world and not in the other; empty if there is no such thing."""
        found = self.differs(None, None)
        choices = 0
        while not found and choices < CHOICES and not self.one.playing().is_over:
            choices += self.one.playing().turn is not None
            found = self.go_on()
        return found

    def go_on(self) -> str:
        """Let the next event happen in both worlds, and compare. Where the event rightly shows her something, the other world becomes one
        in which she sees the same."""
        before = self.one.playing().s
        event, another = self.next_events()
        self.one, step = self.happen(self.one, event)
        self.other, other_step = self.happen(self.other, another)
        if self.seen(self.one) != self.seen(self.other):
            if isinstance(event, int) and not self.may_see_more(before):
                return f"she sees more after {step.entry.body} than the rules show"
            self.is_whole = False
            match = self.other.playing()
            match.s, match.rows = redeal(self.seen(self.one), self.rng), self.one.playing().rows
            other_step = replace(other_step, after=match.s)
        return self.differs(step, other_step)

    def happen(self, table: Table, event: Event) -> tuple[Table, Step]:
        match = table.playing()
        seat = match.s.turn if isinstance(event, int) else -1
        by = facts.CHANCE if seat < 0 else facts.BOT if table.chairs[seat].level else facts.PERSON
        fact = facts.Happened(event=plain.write(self.game, match.s, event), seat=seat, by=by)
        later, [step] = table.after(table.entries([fact], table.at + HEARD))
        return later, step

    def next_events(self) -> tuple[Event, Event]:
        """A choice that is legal in both worlds, or two ways to shuffle that the viewer cannot tell apart."""
        s, other = self.one.playing().s, self.other.playing()
        if s.phase < 0:
            event = next_event(self.game, s, self.rng)
            assert not isinstance(event, int)
            return event, self.permuted(event)
        while not self.game.legal(s) & self.game.legal(other.s):
            self.is_whole = False
            other.s = redeal(self.seen(self.one), self.rng)
        choice = pick(self.game.legal(s) & self.game.legal(other.s), self.rng)
        return choice, choice

    def permuted(self, event: tuple[int, ...]) -> tuple[int, ...]:
        """The pack with cards swapped where it makes no difference to the viewer."""
        pack, before = list(event), self.other.playing().s

        def seen() -> Any:
            s = plain.copy_of(before)
            plain.happen(self.game, s, tuple(pack))
            return view(self.game, s, self.viewer)

        wanted = seen()
        for _ in range(SWAPS):
            here, there = below(self.rng, len(pack)), below(self.rng, len(pack))
            pack[here], pack[there] = pack[there], pack[here]
            if seen() != wanted:
                pack[here], pack[there] = pack[there], pack[here]
        return tuple(pack)

    def may_see_more(self, before: Any) -> bool:
        """Whether a choice rightly showed her cards: it ended a round, she got a card, or in only one of the worlds somebody had to pass."""
        one, other = self.one.playing().s, self.other.playing().s
        return before.round != one.round or before.round != other.round or one.turn != other.turn or self.hand_of(one) != self.hand_of(before)

    def hand_of(self, s: Any) -> int:
        lies = fields_of(type(s))["hand"].lies
        return how_many(s, Place("hand", self.viewer), lies) if self.viewer >= 0 and lies else 0

    def differs(self, step: Step | None, other_step: Step | None) -> str:
        """The first thing that she gets in one world and not in the other."""
        both: list[Callable[[Table, Step | None], list[bytes]]] = [lambda table, step: told(table, step, self.viewer, self.person)]
        match = self.one.playing()
        if match.turn == self.viewer:
            texts = illegal(self.one)
            texts = [texts[below(self.rng, len(texts))]] if self.asked_all else texts
            self.asked_all = True
            both.append(lambda table, _: denied(table, self.viewer, self.person, texts))
            both.append(lambda table, _: [self.runner.run(hinted(table, self.viewer, self.person))])
        elif match.turn is not None:
            text = self.game.choices[match.s.phase].notation[0]
            both.append(lambda table, _: denied(table, self.viewer, self.person, [text]))
            both.append(lambda table, _: [self.runner.run(hinted(table, match.s.turn, self.person))])
        if self.is_whole and match.turn is not None:
            both.append(lambda table, _: self.taken_back(table))
        for gets in both:
            for one, other in zip(gets(self.one, step), gets(self.other, other_step), strict=True):
                if one != other:
                    return f"viewer {self.viewer} gets {one!r} or {other!r}"
        return ""

    def taken_back(self, table: Table) -> list[bytes]:
        """What comes of it, for all to see, if somebody would like to take a choice back."""
        got = []
        for seat in range(len(table.chairs)):
            person = table.chairs[seat].person
            answer = answered(table, messages.Undo(seat=seat), person) if person != STRANGER else b""
            if seat == self.viewer or b'"type":"denied"' not in answer:
                got.append(answer)
            if b'"undone"' in answer:
                got += told(happened(table, asking.ask(table, messages.Undo(seat=seat), person)), None, self.viewer, self.person)
        return got


def first_hidden(s: Any, viewer: int) -> int:
    """For planted leaks: some card that a viewer does not see in another's hand or in her own pack; 0 if there is none."""
    for seat in range(s.players):
        if seat != viewer:
            cards = s.hand[seat]
            for card in members(cards if isinstance(cards, int) else cards[0] | cards[1]):
                return card
    return 0
