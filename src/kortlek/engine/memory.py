"""The memory layout of compiled records: the width and the offset of each field of a state."""

from __future__ import annotations

import math

from kortlek.game import PILE, WIDE, Declared, Field, Holds, Owner, fields_of, seats_of
from kortlek.game.game import LARGEST_PACK, MOST_ALTERNATIVES

FEW_SEATS, SHORT_ARRAY = 6, 12
"""In a state for few seats, single numbers, arrays of the table up to this length, and numbers of up to four seats use 8 bytes each: narrower ones
would save little memory and take time to widen."""
_WIDTHS: dict[type[Declared], dict[str, int]] = {}
_OFFSETS: dict[type[Declared], dict[str, int]] = {}


def widths_of(kind: type[Declared]) -> dict[str, int]:
    """The number of bytes of a number of each field in a compiled record."""
    if kind not in _WIDTHS:
        _WIDTHS[kind] = {name: _width(field, kind) for name, field in fields_of(kind).items()}
    return _WIDTHS[kind]


def _width(field: Field, kind: type[Declared]) -> int:
    if field.storage:
        return 8 if field.is_set else card_width(kind)
    is_short = math.prod(field.shape) <= (SHORT_ARRAY if field.owner is Owner.TABLE else 4)
    is_wide = field.holds is Holds.CARD_SET or field.is_hidden_number  # hidden numbers are drawn as 64-bit numbers
    if is_wide or seats_of(kind) <= FEW_SEATS and is_short:
        return 8
    low, high = min(field.low, field.start), max(_highest(field, kind), field.start)
    return next(width for width in (1, 2, 4, 8) if -(1 << 8 * width - 1) <= low and high < 1 << 8 * width - 1)


def _highest(field: Field, kind: type[Declared]) -> int:
    """The largest number of a field."""
    if field.holds is Holds.SEAT_SET:
        return (1 << seats_of(kind)) - 1
    return min(field.high, _most_kinds(kind) - 1) if field.holds is Holds.CARD else field.high


def _most_kinds(kind: type[Declared]) -> int:
    """The largest number of kinds of card in the pack, as far as the places tell: a wide place has one number for each kind, a set one bit."""
    places = [field for field in fields_of(kind).values() if field.storage]
    known = [field.inner[0] for field in places if field.storage is WIDE]
    return min([*known, *(MOST_ALTERNATIVES for field in places if field.is_set)], default=LARGEST_PACK)


def card_width(kind: type[Declared]) -> int:
    """The number of bytes of a number of a pile or of a wide place: the same for all of them in a state, so that redeals see one array."""
    capacities = [field.inner[0] - 1 for field in fields_of(kind).values() if field.storage is PILE]
    return 1 if max(_most_kinds(kind) - 1, *capacities, 0) <= 127 else 2


def field_offsets(kind: type[Declared]) -> dict[str, int]:
    """The offset of each field in a compiled record, in bytes. Wide fields come first, so that all are aligned."""
    if kind not in _OFFSETS:
        offsets, at = {}, 0
        for name, width in sorted(widths_of(kind).items(), key=lambda each: -each[1]):
            offsets[name] = at
            at += width * math.prod(fields_of(kind)[name].shape)
        _OFFSETS[kind] = offsets
    return _OFFSETS[kind]


def record_size(kind: type[Declared]) -> int:
    """The size of a compiled record in bytes."""
    used = sum(width * math.prod(fields_of(kind)[name].shape) for name, width in widths_of(kind).items())
    return (used + 7) // 8 * 8
