"""Commit and reveal: every deal follows from the secret and the players' contributions, anyone can check it, and any change is detected."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import struct
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from playing import next_event, set_ups
from test_record import DOC

from kortlek.cards import FRENCH
from kortlek.engine import plain
from kortlek.engine.fairness import commitment, key_of, read_seed, seed_of, shuffler
from kortlek.engine.verify import check
from kortlek.engine.plain import Refused
from kortlek.engine.record import Record, from_line, to_line, write_down
from kortlek.engine.rng import seeded
from kortlek.game import OVER
from kortlek.game.registry import GAMES

SECRETS, LUCK = st.binary(min_size=32, max_size=32), st.text("0123456789abcdef", max_size=64)
SECRET, TEXTS = bytes(range(32)), ["c0ffee", ""]
PRINTABLE = "".join(map(chr, range(32, 127)))


def played(name: str, secret: bytes, luck: list[str], options: dict[str, object], seed: int = 1) -> Record:
    """Play a whole match at a table, with random choices."""
    game, rng, key, chances = GAMES[name], [seeded(seed, 0)], key_of(secret, luck), 0
    s, events = plain.begin(game, len(luck), options), []
    while s.phase != OVER:
        event = next_event(game, s, rng) if s.phase >= 0 else plain.resolve_chance(game, s, shuffler(key, chances))
        chances += s.phase < 0
        events.append(plain.write(game, s, event))
        plain.step(game, s, event)
    return write_down(game, s, [f"Nº {seat}" for seat in range(len(luck))], seed_of(secret, luck), events)


MATCH = played("up_and_down", SECRET, TEXTS, {"largest_round": 2})
"""One drawing of lots and three deals."""


def shuffled_by_another(things: list[int], secret: bytes, luck: list[str], number: int) -> None:
    """The shuffle, reimplemented from the text of docs/records.md alone."""
    texts = b"".join(struct.pack(">I", len(text)) + text.encode("ascii") for text in luck)
    key = hashlib.blake2b(texts, key=secret, digest_size=32).digest()
    key = hashlib.blake2b(struct.pack(">Q", number), key=key, digest_size=32).digest()
    blocks = b"".join(hashlib.blake2b(struct.pack(">Q", k), key=key).digest() for k in range(20))
    words = iter(struct.unpack(">320I", blocks))
    for place in range(len(things) - 1):
        n = len(things) - place
        fair = (word * n for word in words if word * n & 0xFFFFFFFF >= (1 << 32) % n)
        other = place + (next(fair) >> 32)
        things[place], things[other] = things[other], things[place]


@given(SECRETS, st.lists(LUCK, max_size=10), st.integers(0, 1 << 40), st.integers(0, 128))
def test_a_shuffle_is_the_one_that_the_document_describes(secret: bytes, luck: list[str], number: int, n: int) -> None:
    ours, other = list(range(n)), list(range(n))
    shuffler(key_of(secret, luck), number)(ours, n)
    shuffled_by_another(other, secret, luck, number)
    assert ours == other


def test_known_values_stay_and_stand_in_the_document() -> None:
    key, pack = key_of(SECRET, TEXTS), list(range(52))
    shuffler(key, 0)(pack, 52)
    assert commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert key.hex() == "07bd3edef0624b442568cd14bd340b368191a398c7b5c305a8cd3f4c9cf1f294"
    assert " ".join(FRENCH[card] for card in pack[:8]) == "D8 DT H7 D4 C4 CK HQ CJ"
    assert all(f"`{text}`" in DOC for text in (commitment(SECRET), key.hex(), "D8 DT H7 D4 C4 CK HQ CJ"))
    assert seed_of(SECRET, TEXTS) in DOC.splitlines()


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=4, deadline=None)
@given(st.data())
def test_every_game_is_right_for_us_and_for_the_documents_program(name: str, data: st.DataObject) -> None:
    players, options = data.draw(set_ups(GAMES[name]))
    luck = data.draw(st.lists(LUCK, min_size=players, max_size=players))
    agree(played(name, data.draw(SECRETS), luck, options))


def agree(record: Record) -> None:
    scope: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", DOC, re.S)[2], scope)
    checked = check(from_line(to_line(record)))
    assert checked.chances == scope["verify"](to_line(record), checked.commitment) == sum(text[:5] in ("lots ", "deal ") for text in record.events)


def test_discards_that_become_the_stock_are_checked_too() -> None:
    record = played("rummy", SECRET, TEXTS, {"earliest_laying_round": 100, "round_limit": 99})
    assert len({len(text) for text in record.events if text.startswith("deal")}) > 1
    agree(record)


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
    assert (key_of(SECRET, one) == key_of(SECRET, other)) == (one == other)
    shifted = [["ab", "c"], ["a", "bc"], ["", "abc"], ["abc", ""], ["abc"], ["abc", "", ""]]
    assert len({key_of(SECRET, luck) for luck in shifted}) == len(shifted)


@given(SECRETS, st.lists(LUCK, max_size=10))
def test_a_seed_can_be_read_again(secret: bytes, luck: list[str]) -> None:
    assert seed_of(secret, luck).isprintable()
    assert read_seed(seed_of(secret, luck)) == (secret, luck)
