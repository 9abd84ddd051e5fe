"""Fairness, proved rather than sampled.

A shuffle repeatedly asks for an integer below some n. Here every possible answer is given, which yields the exact probability of every order if
those integers are fair. An integer below n is fair if equally many of the 2**32 words lead to each result and all other words are rejected;
here every word that matters for this is tried."""

import hashlib
import itertools
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import factorial, perm, prod

import pytest

from kortlek.cards import set_of
from kortlek.engine import rng
from kortlek.engine.shuffle import WORD, Secret, fair_below, fair_shuffle, make_below, make_shuffle, make_shuffle_some

WORDS = WORD + 1
Words = Iterator[int]
Word = Callable[[Words], int]
Below = Callable[[Words, int], int]
Order = tuple[int, ...]
NO_WORDS: Words = iter(())


def next_of(words: Words) -> int:
    """A random source that returns these words."""
    return next(words)


# ---- a number below n


def number_and_words_used(make: Callable[[Word], Below], n: int, *words: int) -> tuple[int, int]:
    """The number below n that is made from these words, and how many words it took."""
    left = iter(words)
    number = make(next_of)(left, n)
    return number, len(words) - len(list(left))


def words_for_each_number(make: Callable[[Word], Below], n: int) -> list[int]:
    """How many of the 2**32 words lead to each number below n, without another word.

    The number made from a word is the integer part of word * n / 2**32. So the words that lead to a number are consecutive, and from one to the
    next the fraction grows by n / 2**32. Words with too small a fraction are rejected, which can only be the first of them. So the first two,
    the last two and one between them decide the count."""
    counts = []
    for number in range(n):
        first, after = -(-number * WORDS // n), -(-(number + 1) * WORDS // n)
        thrown_away = number_and_words_used(make, n, first, WORDS // n // 2)[1] == 2
        for word in (first,) * (not thrown_away) + (first + 1, (first + after) // 2, after - 2, after - 1):
            assert number_and_words_used(make, n, word, WORD) == (number, 1)
        counts.append(after - first - thrown_away)
    return counts


@pytest.mark.parametrize("n", [*range(1, 65), 100, 108, 127, 128, 1000])
def test_equally_many_words_lead_to_every_number_below_n(n: int) -> None:
    assert words_for_each_number(make_below, n) == [WORDS // n] * n


def modulo(word: Word) -> Below:
    """The usual mistake: the remainder of a word."""
    return lambda words, n: word(words) % n


def never_again(word: Word) -> Below:
    """Multiply, and never reject a word."""
    return lambda words, n: word(words) * n >> 32


def too_often(word: Word) -> Below:
    """Reject the first word of every number, even of those that have one word fewer."""

    def below(words: Words, n: int) -> int:
        product = word(words) * n
        while product & WORD < n:
            product = word(words) * n
        return product >> 32

    return below


@pytest.mark.parametrize("mistake", [modulo, never_again, too_often])
def test_the_same_proof_finds_the_mistakes_that_others_have_made(mistake: Callable[[Word], Below]) -> None:
    for n in (3, 39, 52, 108):
        try:
            counts = words_for_each_number(mistake, n)
        except AssertionError:
            continue
        assert len(set(counts)) > 1


def test_a_word_that_would_favour_some_number_is_thrown_away_and_the_next_is_taken() -> None:
    assert number_and_words_used(make_below, 52, 0, WORDS // 2 + 1) == (26, 2)
    assert number_and_words_used(make_below, 52, 0, WORDS // 2, 0, WORDS // 2 + 1) == (26, 4)
    assert number_and_words_used(make_below, 3, 0, WORD) == (2, 2)


def test_no_word_is_thrown_away_where_all_can_be_used() -> None:
    for power in range(11):
        assert number_and_words_used(make_below, 1 << power, 0, WORD) == (0, 1)


# ---- a shuffle


def exact_chances(run: Callable[[Below], Order]) -> dict[Order, Fraction]:
    """The exact probability of each outcome of a function that asks for fair numbers: computed by giving every possible answer."""
    chances: Counter[Order] = Counter()
    answers: list[int] = []
    while True:
        asked: list[int] = []

        def below(_: Words, n: int, asked: list[int] = asked) -> int:
            asked.append(n)
            if len(asked) > len(answers):
                answers.append(0)
            return answers[len(asked) - 1]

        chances[run(below)] += Fraction(1, prod(asked))  # type: ignore[assignment]
        while answers and answers[-1] + 1 == asked[len(answers) - 1]:
            answers.pop()
        if not answers:
            return dict(chances)  # type: ignore[arg-type]
        answers[-1] += 1


def orders(make: Callable[[Below], Callable[[list[int], int, Words], None]], n: int) -> dict[Order, Fraction]:
    """The exact probability of each order of n cards."""

    def run(below: Below) -> Order:
        pack = list(range(n))
        make(below)(pack, n, NO_WORDS)
        return tuple(pack)

    return exact_chances(run)


@pytest.mark.parametrize("n", range(1, 8))
def test_every_order_of_a_pack_is_equally_likely(n: int) -> None:
    assert orders(make_shuffle, n) == dict.fromkeys(itertools.permutations(range(n)), Fraction(1, factorial(n)))


def swap_with_any(below: Below) -> Callable[[list[int], int, Words], None]:
    """The usual mistake: every card is swapped with any other, so some orders are more likely."""

    def shuffle(pack: list[int], n: int, words: Words) -> None:
        for at in range(n):
            other = below(words, n)
            pack[at], pack[other] = pack[other], pack[at]

    return shuffle


def never_stay(below: Below) -> Callable[[list[int], int, Words], None]:
    """Another mistake: no card may stay where it was, so some orders never occur."""

    def shuffle(pack: list[int], n: int, words: Words) -> None:
        for at in range(n - 1):
            other = at + 1 + below(words, n - at - 1)
            pack[at], pack[other] = pack[other], pack[at]

    return shuffle


@pytest.mark.parametrize("mistake", [swap_with_any, never_stay])
def test_counting_orders_finds_the_mistakes_that_others_have_made(mistake: Callable[[Below], Callable[[list[int], int, Words], None]]) -> None:
    for n in (3, 4, 5):
        chances = orders(mistake, n)
        assert sum(chances.values()) == 1
        assert chances != dict.fromkeys(itertools.permutations(range(n)), Fraction(1, factorial(n)))


def test_a_shuffle_leaves_what_lies_behind_the_pack_alone() -> None:
    pack = [3, 4, 5, 77, 78]
    make_shuffle(lambda words, n: n - 1)(pack, 3, NO_WORDS)
    assert sorted(pack[:3]) == [3, 4, 5]
    assert pack[3:] == [77, 78]


def test_in_a_part_of_a_pack_every_choice_of_cards_in_every_order_is_equally_likely() -> None:
    first, until, end = 1, 3, 6

    def run(below: Below) -> Order:
        pack = list(range(8))
        make_shuffle_some(below)(pack, first, until, end, NO_WORDS)
        assert pack[0] == 0
        assert pack[6:] == [6, 7]
        assert sorted(pack) == list(range(8))
        return tuple(pack[first:until])

    assert exact_chances(run) == dict.fromkeys(itertools.permutations(range(first, end), until - first), Fraction(1, perm(5, 2)))


def test_from_words_to_orders_each_order_of_four_cards_comes_once_from_the_middle_words() -> None:
    shuffle = make_shuffle(make_below(next_of))
    made: Counter[Order] = Counter()
    for numbers in itertools.product(range(4), range(3), range(2)):
        pack = [0, 1, 2, 3]
        words = [(2 * number + 1) * WORDS // (2 * n) for number, n in zip(numbers, (4, 3, 2), strict=True)]
        shuffle(pack, 4, iter(words))
        made[tuple(pack)] += 1
    assert made == Counter(itertools.permutations(range(4)))


# ---- the secret source for people's games

SECRET = bytes(range(32))
KNOWN_WORDS = "9212bc97 156556f6 2890b1af 16325851"
"""As another program computes them: eight zero bytes through OpenSSL's BLAKE2BMAC with the key 000102...1f."""
KNOWN_ORDER = [5, 1, 3, 2, 0, 7, 4, 8, 6, 9]


def test_a_secret_has_32_bytes() -> None:
    for length in (0, 16, 31, 33, 64):
        with pytest.raises(ValueError, match=f"A secret has 32 bytes, not {length}"):
            Secret(bytes(length))


def test_block_k_of_the_words_is_blake2b_of_k_keyed_with_the_secret() -> None:
    stream = b"".join(hashlib.blake2b(struct.pack(">Q", block), key=SECRET).digest() for block in range(5))
    source = Secret(SECRET)
    assert [source.word() for _ in range(80)] == list(struct.unpack(">80I", stream))


def test_the_words_of_a_secret_never_change_so_that_an_old_deal_can_be_checked() -> None:
    source = Secret(SECRET)
    assert " ".join(f"{source.word():08x}" for _ in range(4)) == KNOWN_WORDS
    pack = list(range(10))
    fair_shuffle(pack, 10, Secret(SECRET))
    assert pack == KNOWN_ORDER


def test_the_same_secret_gives_the_same_order_and_every_card_once() -> None:
    packs = [list(range(52)), list(range(52))]
    for pack in packs:
        fair_shuffle(pack, 52, Secret(SECRET))
    assert packs[0] == packs[1]
    assert sorted(packs[0]) == list(range(52))
    assert packs[0] != list(range(52))


def test_a_secret_that_differs_in_one_bit_gives_other_words() -> None:
    streams = set()
    for flipped in [None, *range(256)]:
        secret = int.from_bytes(SECRET, "big") ^ (0 if flipped is None else 1 << flipped)
        source = Secret(secret.to_bytes(32, "big"))
        streams.add(tuple(source.word() for _ in range(4)))
    assert len(streams) == 257


def test_a_source_goes_on_so_that_every_round_is_shuffled_differently() -> None:
    source = Secret(SECRET)
    first, second = list(range(52)), list(range(52))
    fair_shuffle(first, 52, source)
    fair_shuffle(second, 52, source)
    assert first != second


def test_numbers_from_a_secret_are_made_as_proved_above() -> None:
    source, same = Secret(SECRET), Secret(SECRET)
    words = iter([same.word() for _ in range(200)])
    assert [fair_below(source, 52) for _ in range(100)] == [make_below(next_of)(words, 52) for _ in range(100)]


# ---- the fast seeded source for simulation


def is_prime(n: int) -> bool:
    """Miller and Rabin's test with the first twelve primes, which is proof below 3 * 10**24."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if n < 2 or any(n % p == 0 for p in bases):
        return n in bases
    twos = (n - 1 & 1 - n).bit_length() - 1
    for base in bases:
        x = pow(base, n - 1 >> twos, n)
        if x != 1 and all(pow(x, 1 << k, n) != n - 1 for k in range(twos)):
            return False
    return True


def test_the_generator_repeats_itself_only_after_nearly_2_to_the_62_words() -> None:
    modulus = rng.MULTIPLIER * WORDS - 1
    assert is_prime(modulus)
    assert is_prime(modulus // 2)
    assert modulus // 2 > 0.99 * 2**62


def test_the_generator_multiplies_with_carry_and_mixes_both_halves() -> None:
    state = [(5 << 32) + 7]
    assert rng.word(state) == 5 ^ 7
    assert state == [rng.MULTIPLIER * 7 + 5]


def test_nothing_in_the_generator_exceeds_63_bits() -> None:
    largest = [(rng.MULTIPLIER - 1 << 32) + WORD - 1]
    for _ in range(3):
        assert 0 <= rng.word(largest) <= WORD
        assert 0 < largest[0] < 1 << 63


SEEDS = [0, 1, 2, 3, 1000, 1 << 40, (1 << 62) - 1]


def test_the_state_of_a_seeded_game_fits_62_bits_and_is_never_one_that_repeats() -> None:
    for seed in SEEDS:
        for game in (0, 1, 2, 999, 10**6, 10**12):
            assert 0 < rng.seeded(seed, game) < 1 << 62


def test_distinct_games_have_distinct_states() -> None:
    states = {rng.seeded(seed, game) for seed in SEEDS for game in range(5000)}
    assert len(states) == len(SEEDS) * 5000


def test_neighbouring_games_and_neighbouring_seeds_have_nothing_in_common() -> None:
    for one, other in (((0, 0), (0, 1)), ((0, 0), (1, 0))):
        flips: Counter[int] = Counter()
        for step in range(2000):
            difference = rng.seeded(one[0] + 2 * step, one[1]) ^ rng.seeded(other[0] + 2 * step, other[1])
            flips.update(at for at in range(62) if difference >> at & 1)
        assert all(800 < flips[at] < 1200 for at in range(1, 62))


def test_the_same_seed_gives_the_same_numbers() -> None:
    one, other = [rng.seeded(7, 3)], [rng.seeded(7, 3)]
    assert [rng.below(one, 52) for _ in range(50)] == [rng.below(other, 52) for _ in range(50)]


def test_a_pick_is_each_of_the_set_from_equally_many_words() -> None:
    elements = [0, 2, 5, 17, 61]
    for at, element in enumerate(elements):
        middle = (2 * at + 1) * WORDS // 10
        assert rng.pick(set_of(elements), [middle]) == element


def test_a_fraction_is_made_of_27_bits_of_one_word_and_26_of_the_next() -> None:
    for seed in range(50):
        one, other = [rng.seeded(seed, 0)], [rng.seeded(seed, 0)]
        fraction = rng.fraction(one)
        assert 0 <= fraction < 1
        assert Fraction(fraction) * 2**53 == (rng.word(other) >> 5 << 26) + (rng.word(other) >> 6)
