"""Promise and answer: every deal follows from the secret and the players' numbers, anyone can check it, and any change is detected."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import re
import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from playing import next_event, set_ups
from test_record import DOC

from kortlek.cards import FRENCH
from kortlek.engine import plain
from kortlek.engine.fairness import AnySeed, Seed, read_seed
from kortlek.engine.first_scheme import FirstSeed
from kortlek.engine.plain import Refused
from kortlek.engine.record import Record, from_line, to_line, write_down
from kortlek.engine.rng import seeded
from kortlek.engine.verify import check
from kortlek.game import OVER
from kortlek.game.registry import GAMES

SECRETS, LUCK = st.binary(min_size=32, max_size=32), st.text("0123456789abcdef", max_size=64)
SECRET, TEXTS = bytes(range(32)), ("c0ffee", "")
SEEDS = st.builds(Seed, st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=1, max_size=20), st.integers(1, 1 << 40), SECRETS, st.just(()))
SEED = Seed("bk7q2x", 3, SECRET, TEXTS)
"""The seed in the document."""
OLD = FirstSeed(SECRET, TEXTS)
PRINTABLE = "".join(map(chr, range(32, 127)))


def played(name: str, seed: AnySeed, options: dict[str, object], rng_seed: int = 1) -> Record:
    """Play a whole match at a table, with random choices."""
    game, rng, chances = GAMES[name], [seeded(rng_seed, 0)], 0
    s, events = plain.begin(game, len(seed.luck), options), []
    while s.phase != OVER:
        event = next_event(game, s, rng) if s.phase >= 0 else plain.resolve_chance(game, s, seed.shuffler(chances))
        chances += s.phase < 0
        events.append(plain.write(game, s, event))
        plain.step(game, s, event)
    return write_down(game, s, [f"Nº {seat}" for seat in range(len(seed.luck))], seed.text, events)


MATCH = played("up_and_down", SEED, {"largest_round": 2})
"""One drawing of lots and three deals."""


def the_documents_program() -> Callable[..., int]:
    """The independent verifier in docs/records.md."""
    [program] = [code for code in re.findall(r"```python\n(.*?)```", DOC, re.S) if "def verify(" in code]
    scope: dict[str, Any] = {}
    exec(compile(program, "docs/records.md", "exec"), scope)
    verify: Callable[..., int] = scope["verify"]
    return verify


PROGRAM = the_documents_program()


def test_the_documents_program_uses_the_standard_library_only() -> None:
    imported = {name for name, what in PROGRAM.__globals__.items() if type(what).__name__ == "module"}
    assert imported == {"hashlib", "hmac", "json", "re"}


def shuffled_by_another(things: list[int], seed: Seed, number: int) -> list[int]:
    """The shuffle, reimplemented from the text of docs/records.md alone."""

    def mac(key: bytes, message: bytes) -> bytes:
        return hmac.new(key, message, "sha256").digest()

    told = [b"kortlek fair 2 key", seed.code.encode(), str(seed.number).encode(), *(text.encode("ascii") for text in seed.luck)]
    key = mac(mac(seed.secret, b"".join(struct.pack(">I", len(part)) + part for part in told)), struct.pack(">Q", number))
    words = iter(struct.unpack(">320I", b"".join(mac(key, struct.pack(">Q", k)) for k in range(40))))
    things = sorted(things)
    for place in range(len(things) - 1):
        n = len(things) - place
        fair = (word * n for word in words if word * n & 0xFFFFFFFF >= (1 << 32) % n)
        other = place + (next(fair) >> 32)
        things[place], things[other] = things[other], things[place]
    return things


@given(SEEDS, st.lists(LUCK, max_size=10), st.integers(0, 1 << 40), st.lists(st.integers(0, 200), max_size=128))
def test_a_shuffle_is_the_one_that_the_document_describes(seed: Seed, luck: list[str], number: int, things: list[int]) -> None:
    seed, ours = dataclasses.replace(seed, luck=tuple(luck)), things[:]
    seed.shuffler(number)(ours, len(ours))
    assert ours == shuffled_by_another(things, seed, number)


def test_only_what_is_to_be_shuffled_is_shuffled() -> None:
    pack = [3, 2, 1, 9, 8]
    SEED.shuffler(0)(pack, 3)
    assert sorted(pack[:3]) == [1, 2, 3] and pack[3:] == [9, 8]


@pytest.mark.parametrize(("seed", "first"), [(SEED, "HA H9 HT D3 SA DJ SJ DQ"), (OLD, "D8 DT H7 D4 C4 CK HQ CJ")], ids=["2", "1"])
def test_known_values_stay_and_stand_in_the_document(seed: AnySeed, first: str) -> None:
    pack = list(range(52))
    seed.shuffler(0)(pack, 52)
    assert " ".join(FRENCH[card] for card in pack[:8]) == first
    assert all(f"`{text}`" in DOC for text in (seed.commitment, seed.key.hex(), first))
    assert seed.text in DOC.splitlines()


def test_the_promise_is_a_hash_of_what_the_document_says() -> None:
    told = [b"kortlek fair 2 promise", b"bk7q2x", b"3", SECRET]
    assert SEED.commitment == hashlib.sha256(b"".join(struct.pack(">I", len(part)) + part for part in told)).hexdigest()
    assert OLD.commitment == hashlib.sha256(SECRET).hexdigest()


def test_a_promise_is_for_one_match_of_one_table_and_one_secret() -> None:
    others: list[dict[str, Any]] = [
        {"code": "bk7q2y"},
        {"number": 4},
        {"secret": bytes(32)},
        {"code": "bk7q2x3", "number": 3},
        {"code": "bk7q2", "number": 33},
    ]
    assert len({SEED.commitment, OLD.commitment, *(dataclasses.replace(SEED, **each).commitment for each in others)}) == 7
    assert dataclasses.replace(SEED, luck=()).commitment == SEED.commitment, "the numbers come later"
    assert len({SEED.key, OLD.key, *(dataclasses.replace(SEED, **each).key for each in others)}) == 7


def test_a_secret_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 31"):
        Seed("bk7q2x", 1, SECRET[1:], TEXTS)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=4, deadline=None)
@given(st.data())
def test_every_game_is_right_for_us_and_for_the_documents_program(name: str, data: st.DataObject) -> None:
    players, options = data.draw(set_ups(GAMES[name]))
    luck = data.draw(st.lists(LUCK, min_size=players, max_size=players))
    agree(played(name, dataclasses.replace(data.draw(SEEDS), luck=tuple(luck)), options))


def agree(record: Record) -> None:
    checked = check(from_line(to_line(record)))
    assert isinstance(checked.seed, Seed)
    verified = PROGRAM(to_line(record), checked.commitment, checked.seed.code, checked.seed.number)
    assert checked.chances == verified == sum(text[:5] in ("lots ", "deal ") for text in record.events)


def test_discards_that_become_the_stock_are_checked_too() -> None:
    record = played("rummy", SEED, {"earliest_laying_round": 100, "round_limit": 99})
    assert len({len(text) for text in record.events if text.startswith("deal")}) > 1
    agree(record)


def shuffled_by_the_first_scheme(things: list[int], seed: FirstSeed, number: int) -> None:
    """The shuffle of scheme 1, reimplemented from the text of docs/records.md alone."""
    texts = b"".join(struct.pack(">I", len(text)) + text.encode("ascii") for text in seed.luck)
    key = hashlib.blake2b(texts, key=seed.secret, digest_size=32).digest()
    key = hashlib.blake2b(struct.pack(">Q", number), key=key, digest_size=32).digest()
    words = iter(struct.unpack(">320I", b"".join(hashlib.blake2b(struct.pack(">Q", k), key=key).digest() for k in range(20))))
    for place in range(len(things) - 1):
        n = len(things) - place
        fair = (word * n for word in words if word * n & 0xFFFFFFFF >= (1 << 32) % n)
        other = place + (next(fair) >> 32)
        things[place], things[other] = things[other], things[place]


@given(SECRETS, st.lists(LUCK, max_size=10), st.integers(0, 1 << 40), st.integers(0, 128))
def test_scheme_1_is_still_read(secret: bytes, luck: list[str], number: int, n: int) -> None:
    seed, ours, other = FirstSeed(secret, tuple(luck)), list(range(n)), list(range(n))
    seed.shuffler(number)(ours, n)
    shuffled_by_the_first_scheme(other, seed, number)
    assert ours == other and read_seed(seed.text) == seed


# ---- any change is detected


@settings(max_examples=300)
@given(st.data())
def test_one_changed_character_of_the_seed_or_a_deal_is_found(data: st.DataObject) -> None:
    texts = [str(MATCH.seed), *MATCH.events]
    which = data.draw(st.sampled_from([0, *(at for at, text in enumerate(texts) if text[:5] in ("lots ", "deal "))]))
    at = data.draw(st.integers(0, len(texts[which]) - 1))
    texts[which] = texts[which][:at] + data.draw(st.sampled_from(PRINTABLE)) + texts[which][at + 1 :]
    assume(texts != [str(MATCH.seed), *MATCH.events])
    with pytest.raises(Refused):
        check(dataclasses.replace(MATCH, seed=texts[0], events=texts[1:]))


@given(st.integers(20, 50))
def test_two_cards_that_changed_places_are_found_even_if_nobody_got_them(at: int) -> None:
    cards = MATCH.events[1].split()
    cards[at], cards[at + 1] = cards[at + 1], cards[at]
    with pytest.raises(Refused, match=f"^Event 2 did not come from the secret: {cards[at]} is number {at} in it, not {cards[at + 1]}.$"):
        check(dataclasses.replace(MATCH, events=[MATCH.events[0], " ".join(cards), *MATCH.events[2:]]))


@given(st.lists(LUCK, max_size=4), st.lists(LUCK, max_size=4))
def test_other_luck_gives_another_key_and_nothing_shifts_to_the_next_seat(one: list[str], other: list[str]) -> None:
    def key_of(luck: list[str]) -> bytes:
        return dataclasses.replace(SEED, luck=tuple(luck)).key

    assert (key_of(one) == key_of(other)) == (one == other)
    shifted = [["ab", "c"], ["a", "bc"], ["", "abc"], ["abc", ""], ["abc"], ["abc", "", ""]]
    assert len({key_of(luck) for luck in shifted}) == len(shifted)


@given(SEEDS, st.lists(LUCK, max_size=10))
def test_a_seed_can_be_read_again(seed: Seed, luck: list[str]) -> None:
    seed = dataclasses.replace(seed, luck=tuple(luck))
    assert seed.text.isprintable()
    assert read_seed(seed.text) == seed
