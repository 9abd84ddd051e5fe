"""The first scheme of fair deals, for matches that were promised under it (docs/records.md): the commitment is the hash of the secret alone.

It proves less than scheme 2: neither the table nor the match is in the commitment, and a player's luck may have been known before it was made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from kortlek.engine.shuffle import Secret, fair_shuffle


@dataclass(frozen=True)
class FirstSeed:
    """What determines the deals of a match: the secret, and the players' luck by seat."""

    secret: bytes
    luck: tuple[str, ...]
    scheme: ClassVar[int] = 1

    @cached_property
    def commitment(self) -> str:
        """The commitment to the secret: its SHA-256."""
        return hashlib.sha256(self.secret).hexdigest()

    @cached_property
    def key(self) -> bytes:
        """The key of the match. Each text is prefixed with its length, so that no part of a seat's text can pass for a part of the next seat's."""
        texts = [text.encode() for text in self.luck]
        return _keyed(self.secret, b"".join(len(text).to_bytes(4, "big") + text for text in texts))

    @property
    def text(self) -> str:
        """The seed in a record."""
        return f"fair 1 {self.secret.hex()} {json.dumps(self.luck, separators=(',', ':'))}"

    def shuffler(self, chance: int) -> Callable[[list[int], int], None]:
        """The shuffle of a chance event, counted from 0 along the match."""
        secret = _keyed(self.key, chance.to_bytes(8, "big"))
        return lambda things, n: fair_shuffle(things, n, Secret(secret))


def _keyed(key: bytes, message: bytes) -> bytes:
    return hashlib.blake2b(message, key=key, digest_size=32).digest()
