"""Names of players: how wide a name is on a screen, and whether two names look alike.

Two names look alike if their skeletons are equal. A skeleton replaces characters by the Latin letters they look like, ignores case, and drops what
is easily overlooked: spaces, punctuation and invisible characters. Accents count, so Asa and Åsa are two names.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

LONGEST = 20
"""The largest width of a name, in columns of a terminal."""
MOST_MARKS = 3
"""The largest number of combining marks on one character: more would cover the lines above and below."""

BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that count as printable in Unicode but show nothing."""
OVERLOOKED = frozenset("\u034f\u180b\u180c\u180d\u180f") | {chr(code) for code in range(0xFE00, 0xFE10)}
"""Combining characters that show nothing themselves, such as variation selectors."""


def _pairs(others: str, latin: str) -> dict[int, str]:
    return {ord(other): letter for other, letter in zip(others, latin, strict=True)}


LIKE_LATIN = {
    # Cyrillic
    **_pairs("АВЕЗКМНОРСТУХЅІЇЈҮԚԜӀГЬ", "ABE3KMHOPCTYXSIIJYQWIrb"),
    **_pairs("авезкмнорстухѕіїјүһԁԛԝӏгпьш", "abe3kmhopctyxsiijyhdqwlrnbw"),
    # Greek
    **_pairs("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ", "ABEZHIKMNOPTYXCJ"),
    **_pairs("αβεζηικμνορτυχϲϳγωσς", "abeznikuvoptuxcjywoc"),
    # Latin letters of phonetic alphabets, and small capitals
    **_pairs("ɑɡıɩʟᴀʙᴄᴅᴇꜰɢʜɪᴊᴋᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "agiiLABCDEFGHIJKMNOPRSTUVWYZ"),
}
"""Letters of other alphabets, upper and lower case apart, and the Latin letters that they look like."""
LIKE_OTHERS = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o", "5": "s", "3": "e"})
"""Lower-case letters and digits that are hard to tell apart (a capital I is a small l)."""


def width(name: str) -> int:
    """The number of columns that a name takes: 2 for East Asian wide characters and emoji, 0 for combining marks."""
    return sum(0 if is_mark(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in name)


def is_mark(character: str) -> bool:
    """Whether a character is drawn over the one before it."""
    return unicodedata.category(character) in ("Mn", "Me")


def is_showable(name: str) -> bool:
    """Whether a name can be shown: printable, no space at either end, nothing blank, not too wide, and not too many marks on a character."""
    if not name.isprintable() or name.strip() != name or BLANK & set(name) or not 0 < width(name) <= LONGEST:
        return False
    marks = 0
    for each in name:
        marks = marks + 1 if is_mark(each) else 0
        if marks > MOST_MARKS:
            return False
    return not is_mark(name[0])


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """What is left of a name when everything is dropped that is easily overlooked or mistaken. Names with the same skeleton look alike."""
    latin = unicodedata.normalize("NFKC", name).translate(LIKE_LATIN)
    folded = unicodedata.normalize("NFKC", latin.casefold()).translate(LIKE_OTHERS)
    letters = "".join(each for each in folded if each not in OVERLOOKED and unicodedata.category(each)[0] not in "PZC")
    return letters.replace("rn", "m").replace("vv", "w") or folded
