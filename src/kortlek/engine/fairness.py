"""Provably fair deals: nobody can choose them, and anybody can verify them afterwards (docs/records.md).

The host of a table draws a secret and publishes its hash, the *commitment*, before the first card. Then every player may add a text of her own, her
*luck*. Secret and luck together are the key that determines every deal. After the match the secret is revealed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence

from kortlek.engine.plain import Refused, shorten
from kortlek.engine.shuffle import Secret, fair_shuffle

SECRET = 32
"""The length of a secret, and of a key, in bytes."""
LUCK = re.compile("[0-9a-f]{0,64}")
"""The luck of a player: up to 64 hexadecimal digits."""
SEED = "fair 1"
"""The prefix of the seed of a table; the number is the version of this scheme."""


def commitment(secret: bytes) -> str:
    """The commitment to a secret, published before the first card: its SHA-256."""
    return hashlib.sha256(secret).hexdigest()


def key_of(secret: bytes, luck: Sequence[str]) -> bytes:
    """The key of a match. Each text is prefixed with its length, so that no part of a seat's text can pass for a part of the next seat's."""
    texts = [text.encode() for text in luck]
    return _keyed(secret, b"".join(len(text).to_bytes(4, "big") + text for text in texts))


def shuffler(key: bytes, number: int) -> Callable[[list[int], int], None]:
    """The shuffle of chance event ``number``, counted from 0 along the match. It depends only on the key and the number, so undoing and repeating
    choices never changes a deal."""
    secret = _keyed(key, number.to_bytes(8, "big"))
    return lambda things, n: fair_shuffle(things, n, Secret(secret))


def _keyed(key: bytes, message: bytes) -> bytes:
    if len(key) != SECRET:
        raise ValueError(f"A secret has {SECRET} bytes, not {len(key)}.")
    return hashlib.blake2b(message, key=key, digest_size=SECRET).digest()


# ---- the seed in a record


def seed_of(secret: bytes, luck: Sequence[str]) -> str:
    """The seed in the record of a table: the secret, and the players' luck by seat."""
    return f"{SEED} {secret.hex()} {json.dumps(list(luck), separators=(',', ':'))}"


def read_seed(text: object) -> tuple[bytes, list[str]]:
    """Parse the seed of a record into the secret and the luck; raise Refused if it is not the seed of a table."""
    found = re.fullmatch(rf"{SEED} ([0-9a-f]{{{2 * SECRET}}}) (\[.*\])", text) if isinstance(text, str) else None
    try:
        luck = json.loads(found[2]) if found else None
    except (ValueError, RecursionError):
        luck = None
    if not found or not isinstance(luck, list) or not all(isinstance(each, str) and LUCK.fullmatch(each) for each in luck):
        raise Refused(
            f"The seed {shorten(repr(text))} is not that of a table, so nothing was promised: it would be '{SEED}', the secret as "
            f"{2 * SECRET} hexadecimal digits, and a list of what each player added (small letters)."
        )
    secret = bytes.fromhex(found[1])
    if seed_of(secret, luck) != text:
        raise Refused("The list in the seed should be written as we write it, without spaces or escapes.")
    return secret, luck
