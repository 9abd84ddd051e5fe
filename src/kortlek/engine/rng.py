"""The fast seeded generator, for simulation and search: the same seed gives the same numbers in both engines.

Multiply with carry, 32 bits a step; nothing exceeds 63 bits. ``rng`` is a list of one integer (compiled: an array of one). The generator is
predictable: matches between people use ``kortlek.engine.shuffle.Secret``.
"""

from kortlek.cards import Cards, nth, size
from kortlek.engine.shuffle import WORD, make_below, make_shuffle, make_shuffle_some

Rng = list[int]

MULTIPLIER = 2147483085
LOW_62_BITS = (1 << 62) - 1


def word(rng: Rng) -> int:
    """The next 32 random bits."""
    now = rng[0]
    rng[0] = MULTIPLIER * (now & WORD) + (now >> 32)
    return (now ^ (now >> 32)) & WORD


below = make_below(word)
shuffle = make_shuffle(below)
shuffle_some = make_shuffle_some(below)


def fraction(rng: Rng) -> float:
    """A random number from 0 (inclusive) to 1 (exclusive), with 53 random bits."""
    return ((word(rng) >> 5) * 67108864 + (word(rng) >> 6)) / 9007199254740992


def seeded(seed: int, nth_game: int) -> int:
    """The initial state of the generator for the n-th game of a seed, mixed so that neighbouring games are unrelated."""
    mixed = (seed + (nth_game + 1) * 2862933555777941757) & LOW_62_BITS
    for _ in range(2):
        mixed = ((mixed ^ (mixed >> 31)) * 2685821657736338717) & LOW_62_BITS
        mixed = ((mixed ^ (mixed >> 29)) * 3202034522624059733) & LOW_62_BITS
    return (mixed ^ (mixed >> 30)) | 1


def pick(elements: Cards, rng: Rng) -> int:
    """A random element of a set, all equally likely."""
    return nth(elements, below(rng, size(elements)))
