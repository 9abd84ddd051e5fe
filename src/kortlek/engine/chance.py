"""Where the shuffles of a match come from. A source of chance can be copied, so that what is taken back can happen again the same way."""

from __future__ import annotations

from collections.abc import Sequence
from re import fullmatch
from typing import Protocol

from kortlek.engine import fairness
from kortlek.engine.plain import Refused
from kortlek.engine.rng import seeded, shuffle
from kortlek.engine.shuffle import Secret, fair_shuffle


class Chance(Protocol):
    """A source of shuffles."""

    def shuffle(self, things: list[int], n: int) -> None:
        """Shuffle the first n things."""
        ...

    def copy(self) -> Chance:
        """The same source, which goes on by itself."""
        ...


class Seeded:
    """The fast seeded generator: for simulation, tests and matches that should come out the same."""

    def __init__(self, seed: int, state: int | None = None) -> None:
        self._seed, self._rng = seed, [seeded(seed, 0) if state is None else state]

    def shuffle(self, things: list[int], n: int) -> None:
        """Shuffle the first n things."""
        shuffle(things, n, self._rng)

    def copy(self) -> Seeded:
        """The same source, which goes on by itself."""
        return Seeded(self._seed, self._rng[0])


class SecretStream:
    """The secret generator for people's matches: 64 hexadecimal digits."""

    def __init__(self, secret: str, stream: Secret | None = None) -> None:
        if not fullmatch("[0-9a-f]{64}", secret):
            raise Refused(f"{secret!r} is not a seed to deal from: that is a whole number or 64 hexadecimal digits.")
        self._secret, self._stream = secret, stream or Secret(bytes.fromhex(secret))

    def shuffle(self, things: list[int], n: int) -> None:
        """Shuffle the first n things."""
        fair_shuffle(things, n, self._stream)

    def copy(self) -> SecretStream:
        """The same source, which goes on by itself."""
        return SecretStream(self._secret, self._stream.copy())


class Committed:
    """The deals of a table: each follows from the secret, the players' luck, and how many came before (see ``fairness``). Choices that are taken
    back never change a deal."""

    def __init__(self, secret: str, luck: Sequence[str], number: int = 0) -> None:
        self._secret, self._luck, self.number = secret, tuple(luck), number
        self._key = fairness.key_of(bytes.fromhex(secret), luck)

    def shuffle(self, things: list[int], n: int) -> None:
        """Shuffle the first n things."""
        fairness.shuffler(self._key, self.number)(things, n)
        self.number += 1

    def copy(self) -> Committed:
        """The same source, which goes on by itself."""
        return Committed(self._secret, self._luck, self.number)


def chance_from(seed: int | str) -> Chance:
    """The source that a seed stands for: a whole number, or 64 hexadecimal digits."""
    return Seeded(seed) if isinstance(seed, int) else SecretStream(seed)
