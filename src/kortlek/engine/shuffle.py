"""One shuffle algorithm for any source of random words, and the cryptographic source for matches between people.

Rejection sampling: a random word that would bias the result is discarded, so a shuffle is exactly as fair as its source of words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Self, TypeVar

WORD = 0xFFFFFFFF
R = TypeVar("R")


def make_below(word: Callable[[R], int]) -> Callable[[R, int], int]:
    """From a source of 32-bit words, make a function that returns whole numbers from 0 to n - 1, all equally likely."""

    def below(rng: R, n: int) -> int:
        product = word(rng) * n
        if product & WORD < n:
            uneven = (WORD + 1 - n) % n
            while product & WORD < uneven:
                product = word(rng) * n
        return product >> 32

    return below


def make_shuffle(below: Callable[[R, int], int]) -> Callable[[list[int], int, R], None]:
    """From a source of whole numbers, make the shuffle of the first n cards of a pack, all orders equally likely."""
    shuffle_some = make_shuffle_some(below)

    def shuffle(pack: list[int], n: int, rng: R) -> None:
        shuffle_some(pack, 0, n - 1, n, rng)

    return shuffle


def make_shuffle_some(below: Callable[[R, int], int]) -> Callable[[list[int], int, int, int, R], None]:
    """Make a partial shuffle: fill the positions from ``first`` up to ``until`` with random cards from ``first`` up to ``end``."""

    def shuffle_some(pack: list[int], first: int, until: int, end: int, rng: R) -> None:
        for at in range(first, until):
            other = at + below(rng, end - at)
            card = pack[at]
            pack[at] = pack[other]
            pack[other] = card

    return shuffle_some


class Secret:
    """A stream of random words keyed by 32 secret bytes: block k is BLAKE2b of k, keyed with the secret."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != 32:
            raise ValueError(f"A secret has 32 bytes, not {len(secret)}.")
        self.secret = secret
        self._block = 0
        self._words: list[int] = []

    def copy(self) -> Self:
        """An independent copy in the same state."""
        other = type(self)(self.secret)
        other._block, other._words = self._block, self._words[:]
        return other

    def block(self, number: int) -> bytes:
        """A block of random bytes."""
        return hashlib.blake2b(number.to_bytes(8, "big"), key=self.secret).digest()

    def word(self) -> int:
        """The next 32 random bits."""
        if not self._words:
            block = self.block(self._block)
            self._block += 1
            self._words = [int.from_bytes(block[at : at + 4], "big") for at in range(len(block) - 4, -1, -4)]
        return self._words.pop()


fair_below = make_below(Secret.word)
fair_shuffle = make_shuffle(fair_below)
