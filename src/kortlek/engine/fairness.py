"""Provably fair deals: nobody can choose them, and anybody can verify them afterwards (docs/records.md).

Before each match the host of a table draws a secret and publishes a *promise*: a hash that commits it to the table, the number of the match, and the
secret. Only then each player sends a random number of her own, her *luck*, as the answer to that promise. All of these together are the seed that
determines every deal. After the match the secret is revealed. This is scheme 2; scheme 1 is only read (``first_scheme``).
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from kortlek.engine.first_scheme import FirstSeed
from kortlek.engine.plain import Refused, shorten
from kortlek.engine.shuffle import Secret, fair_shuffle

SCHEME = 2
"""The scheme of new matches."""
SECRET = 32
"""The length of a secret, and of a key, in bytes."""
LUCK = re.compile("[0-9a-f]{0,64}")
"""The number of a player: up to 64 hexadecimal digits, none if she sent none."""
PROMISE_TAG, KEY_TAG = "kortlek fair 2 promise", "kortlek fair 2 key"
"""The first part of what is hashed, different for each purpose, so that no hash can be used for another one."""


@dataclass(frozen=True)
class Seed:
    """What determines the deals of a match: the code of the table, the number of the match there (1, 2, ...), the secret, and the luck by seat."""

    code: str
    number: int
    secret: bytes
    luck: tuple[str, ...]
    scheme: ClassVar[int] = SCHEME

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET:
            raise ValueError(f"A secret has {SECRET} bytes, not {len(self.secret)}.")

    @cached_property
    def commitment(self) -> str:
        """The promise that is published before the players send their numbers."""
        return hashlib.sha256(prefixed(PROMISE_TAG.encode(), self.code.encode(), b"%d" % self.number, self.secret)).hexdigest()

    @cached_property
    def key(self) -> bytes:
        """The key of the match, from which all its deals follow."""
        return keyed(self.secret, prefixed(KEY_TAG.encode(), self.code.encode(), b"%d" % self.number, *(each.encode() for each in self.luck)))

    @property
    def text(self) -> str:
        """The seed in a record."""
        return f"fair 2 {self.code} {self.number} {self.secret.hex()} {json.dumps(self.luck, separators=(',', ':'))}"

    def shuffler(self, chance: int) -> Callable[[list[int], int], None]:
        """The shuffle of a chance event, counted from 0 along the match. It depends only on the key and that count, so undoing and repeating choices
        never changes a deal."""
        event_key = keyed(self.key, chance.to_bytes(8, "big"))

        def shuffle(things: list[int], n: int) -> None:
            things[:n] = sorted(things[:n])  # a verifier need not know in which order the rules had them
            fair_shuffle(things, n, Words(event_key))

        return shuffle


AnySeed = Seed | FirstSeed


class Words(Secret):
    """A stream of random words: block k is HMAC-SHA-256 of k, keyed with the secret."""

    def block(self, number: int) -> bytes:
        """A block of random bytes."""
        return keyed(self.secret, number.to_bytes(8, "big"))


def prefixed(*parts: bytes) -> bytes:
    """Parts of a message, each after its length in 4 bytes, so that no part can pass for a piece of another one."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def keyed(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256."""
    return hmac.digest(key, message, "sha256")


def seed_for(scheme: int, code: str, number: int, secret: str, luck: Sequence[str]) -> AnySeed:
    """The seed of a match at a table, under the scheme by which its secret was promised."""
    if scheme == FirstSeed.scheme:
        return FirstSeed(bytes.fromhex(secret), tuple(luck))
    return Seed(code, number, bytes.fromhex(secret), tuple(luck))


def read_seed(text: object) -> AnySeed:
    """Parse the seed of a record; raise Refused if it is not the seed of a table."""
    secret_and_luck = rf"([0-9a-f]{{{2 * SECRET}}}) (\[.*\])"
    found = re.fullmatch(rf"fair (?:1|2 ([!-~]{{1,64}}) ([1-9][0-9]{{0,17}})) {secret_and_luck}", text) if isinstance(text, str) else None
    try:
        luck = json.loads(found[4]) if found else None
    except (ValueError, RecursionError):
        luck = None
    if not found or not isinstance(luck, list) or not all(isinstance(each, str) and LUCK.fullmatch(each) for each in luck):
        raise Refused(
            f"The seed {shorten(repr(text))} is not that of a table, so nothing was promised: it would be 'fair 2', the table's code, the number of "
            f"the match, the secret as {2 * SECRET} hexadecimal digits, and a list of what each player added (small letters)."
        )
    secret = bytes.fromhex(found[3])
    seed = Seed(found[1], int(found[2]), secret, tuple(luck)) if found[1] else FirstSeed(secret, tuple(luck))
    if seed.text != text:
        raise Refused("The list in the seed should be written as we write it, without spaces or escapes.")
    return seed
