"""The sources of the shuffles of a match. A source can be copied, so that a chance event that was undone is repeated identically."""

from __future__ import annotations

from re import fullmatch
from typing import Protocol

from kortlek.engine.fairness import AnySeed
from kortlek.engine.plain import Refused
from kortlek.engine.rng import seeded, shuffle
from kortlek.engine.shuffle import Secret, fair_shuffle


class Chance(Protocol):
    """A source of shuffles."""

    def shuffle(self, things: list[int], n: int) -> None:
        """Shuffle the first n entries in place."""
        ...

    def copy(self) -> Chance:
        """An independent copy in the same state."""
        ...


class Seeded:
    """The fast seeded generator: for simulation, tests and reproducible matches."""

    def __init__(self, seed: int, state: int | None = None) -> None:
        self._seed, self._rng = seed, [seeded(seed, 0) if state is None else state]

    def shuffle(self, things: list[int], n: int) -> None:
        """Shuffle the first n entries in place."""
        shuffle(things, n, self._rng)

    def copy(self) -> Seeded:
        """An independent copy in the same state."""
        return Seeded(self._seed, self._rng[0])


class SecretStream:
    """The cryptographic generator for matches between people. The secret has 64 hexadecimal digits."""

    def __init__(self, secret: str, stream: Secret | None = None) -> None:
        if not fullmatch("[0-9a-f]{64}", secret):
            raise Refused(f"{secret!r} is not a seed to deal from: that is a whole number or 64 hexadecimal digits.")
        self._secret, self._stream = secret, stream or Secret(bytes.fromhex(secret))

    def shuffle(self, things: list[int], n: int) -> None:
        """Shuffle the first n entries in place."""
        fair_shuffle(things, n, self._stream)

    def copy(self) -> SecretStream:
        """An independent copy in the same state."""
        return SecretStream(self._secret, self._stream.copy())


class Committed:
    """The deals of a table: each depends only on the seed of the match (see ``fairness``) and its number in it. Undone choices never change one."""

    def __init__(self, seed: AnySeed, number: int = 0) -> None:
        self._seed, self.number = seed, number

    def shuffle(self, things: list[int], n: int) -> None:
        """Shuffle the first n entries in place."""
        self._seed.shuffler(self.number)(things, n)
        self.number += 1

    def copy(self) -> Committed:
        """An independent copy in the same state."""
        return Committed(self._seed, self.number)


def chance_from(seed: int | str) -> Chance:
    """The source of chance for a seed: a whole number, or 64 hexadecimal digits."""
    return Seeded(seed) if isinstance(seed, int) else SecretStream(seed)
