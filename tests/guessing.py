"""Attempts to take a seat with a wrong token: every kind of token that does not belong to the table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from tables import after

from kortlek.table import handlers
from kortlek.table.facts import AnyFact
from kortlek.table.host import new_token
from kortlek.table.protocol.client_in import Join, Kick
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.table import STRANGER, Table, hashed

NAMES = ("Ada", "Bo", "Cleo", "Dan")


@dataclass
class Guarded:
    """A table of four people. Dan was kicked; the others hold valid tokens."""

    code: str
    tokens: list[str] = field(default_factory=lambda: [new_token() for _ in NAMES])

    def __post_init__(self) -> None:
        self.table = Table(self.code)
        opening = Open(game="plump", players=len(NAMES), name=NAMES[0])
        self.step(handlers.open_table(opening, self.tokens[0]))
        for name, token in list(zip(NAMES, self.tokens))[1:]:
            self.step(handlers.ask(self.table, Join(name=name), STRANGER, token))
        self.step(handlers.ask(self.table, Kick(seat=3), 0))

    def step(self, made: list[AnyFact]) -> None:
        self.table, _ = after(self.table, self.table.entries(made, 1))

    @property
    def rightful(self) -> list[str]:
        """The valid tokens by person, so without Dan's."""
        return self.tokens[:-1]


def guesses(at: Guarded, others: list[str], many: int, seed: int) -> Iterator[str]:
    """Wrong tokens: first those derived from the real ones and those of other tables, then ``many`` random ones."""
    for token in at.tokens:
        kept = hashed(token)
        yield from (token[:length] for length in range(len(token)))
        yield from (token[length:] for length in range(1, len(token)))
        yield from (kept[:length] for length in range(len(kept) + 1))
        yield from (kept.upper(), hashed(kept), token.upper() + "0", token + token, f" {token}", f"{token}\n", f"{token}\0", token[::-1])
    yield from at.tokens[len(at.rightful) :]
    yield from others
    yield from ("-" * 64, "0" * 32, "0" * 64, "None", "null", "-1", "0", "1", "é" * 32, "*", "%", "' OR ''='")
    chance = random.Random(seed)
    for _ in range(many):
        real = chance.choice(at.tokens)
        place = chance.randrange(len(real))
        changed = real[:place] + chance.choice("0123456789abcdef".replace(real[place], "")) + real[place + 1 :]
        yield chance.choice([changed, f"{chance.getrandbits(128):032x}"])


def let_in(many: int, seed: int) -> list[str]:
    """Wrong tokens that were accepted, and people whose own token was not. The table itself must not change."""
    at, other = Guarded("bk7q2x"), Guarded("zz7q2x")
    before, found = repr(at.table), []
    for number, token in enumerate(guesses(at, other.tokens, many, seed)):
        person = at.table.person_with(token)
        if person != STRANGER:
            found.append(f"{token!r} was taken for that of {NAMES[person]}")
        mine = number % len(at.rightful)
        if at.table.person_with(at.rightful[mine]) != mine:
            found.append(f"{NAMES[mine]} was not let in")
    if repr(at.table) != before:
        found.append("the table has changed")
    return found
