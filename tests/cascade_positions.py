"""Positions and games of Cascade in notation. Every card of every pack must be in exactly one place: this is checked after each event."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from positions import happens

from kortlek.cards import FRENCH, NOTHING, PACK, Cards, bit, card, members, say, set_of, size, upto
from kortlek.engine import plain
from kortlek.games.cascade.rules import ACT, WIDEST, Cascade, fitting
from kortlek.games.cascade.rules import CASCADE

Cell = tuple[int, int]
"""Row and column of a slot, from 0."""
ACES_AND_KINGS = [name for name in FRENCH if name[1] in "AK"]
"""The only cards that go below an ace and a king."""


def pack(*first: str) -> list[str]:
    """A whole pack that begins with these cards."""
    named = " ".join(first).split()
    assert len(set(named)) == len(named), f"twice in one pack: {named}"
    return named + [name for name in FRENCH if name not in named]


def deal_pack(s: Cascade, *first: str) -> None:
    """The next deal: a pack that begins with these cards."""
    happens(CASCADE, s, " ".join(["deal", *pack(*first)]))


def begun(top: str = "", hands: Sequence[str] = ("", ""), then: Sequence[str] = (), **options: object) -> Cascade:
    """A match after the deals of its first game: the top row begins with ``top``, the hands with ``hands``; ``then`` is drawn next."""
    s = plain.begin(CASCADE, len(hands), options)
    deal(s, top, hands, then)
    return s


def deal(s: Cascade, top: str = "", hands: Sequence[str] = ("", ""), then: Sequence[str] = ()) -> None:
    """The deals of a game, as in ``begun``."""
    row = top.split()
    for seat in range(s.players):
        order = (seat - s.first) % s.players
        above, held, drawn = row[order :: s.players], hands[seat].split(), then[seat].split() if then else []
        spare = [name for name in FRENCH if name not in above + held + drawn]
        for part, length in ((above, s.width // s.players), (held, s.hand_sizes[order])):
            part += [spare.pop(0) for _ in range(length - len(part))]
        deal_pack(s, *above, *held, *drawn)
    everything_in_one_place(s)


def position(
    columns: Sequence[int],
    *,
    cells: Mapping[Cell, str] | None = None,
    hands: Sequence[str] = ("", ""),
    packs: Sequence[str] = (),
    rest: str = "pack",
    played: Sequence[int] | None = None,
    turn: int = 0,
    earlier: Sequence[int] = (),
    **options: object,
) -> Cascade:
    """A late position of a game, at the beginning of a turn: the number of cards in each column, some of them known ``cells``.

    ``played`` is how many of the cards below the top row each player has played (default: about equally many). The board takes the cards it
    needs, aces and kings first; all other cards not named are the ``rest``, at the bottom of the packs or in the hands.
    ``earlier`` are the totals after an earlier game of the match.
    """
    s = plain.begin(CASCADE, len(hands), options)
    s.turn, s.phase, s.actions, s.dealt = turn, ACT, 1, s.players
    slots = [(row, column) for row in range(s.width) for column in range(s.width) if row < columns[column]]
    assert all(row == 0 or (row - 1, column + 1) in slots for row, column in slots), "a card lies below an empty slot"
    below = len(slots) - s.width
    quota = list(played or [(below + s.players - 1 - seat) // s.players for seat in range(s.players)])
    assert sum(quota) == below, f"{below} cards lie below the top row"
    s.played[: s.players] = quota
    s.filled[: s.width] = list(columns)
    s.hand[: s.players] = [set_of(map(card, held.split())) for held in hands]
    drawn = [[card(name) for name in each.split()] for each in packs or [""] * s.players]
    free = [upto(PACK - 1) & ~s.hand[seat] & ~set_of(drawn[seat]) for seat in range(s.players)]
    known = {cell: card(name) for cell, name in (cells or {}).items()}
    for cell in sorted(slots, key=lambda cell: cell not in known):
        wanted = bit(known[cell]) if cell in known else upto(PACK - 1)
        owners = [cell[1] % s.players] if cell[0] == 0 else [seat for seat in range(s.players) if quota[seat]]
        owner = next(seat for seat in owners if free[seat] & wanted)
        quota[owner] -= cell[0] > 0
        chosen = sorted(members(free[owner] & wanted), key=lambda each: FRENCH[each] not in ACES_AND_KINGS)[0]
        free[owner] &= ~bit(chosen)
        s.laid[owner] |= bit(chosen)
        s.board[cell[0] * WIDEST + cell[1]] = chosen
    for seat in range(s.players):
        if rest == "hand":
            s.hand[seat] |= free[seat]
        else:
            drawn[seat] += members(free[seat])
        s.deck[seat][: len(drawn[seat]) + 1] = [len(drawn[seat]), *reversed(drawn[seat])]
    s.fits[: s.width] = [fitting(s, column) for column in range(s.width)]
    if earlier:
        s.round = 1
        s.score[: s.players] = earlier
    everything_in_one_place(s)
    return s


def one_slot_left(left: str = "HA", right: str = "SK", *, hands: Sequence[str] = ("", ""), **given: Any) -> Cascade:
    """Only the bottom slot is empty; these two cards lie above it."""
    width = 10 if len(hands) == 2 else WIDEST
    columns = [width - 1, *range(width - 1, 0, -1)]
    return position(columns, cells={(width - 2, 0): left, (width - 2, 1): right}, hands=hands, **given)


def everything_in_one_place(s: Cascade) -> None:
    """Check that each player's 52 cards are in her hand, her pack or the triangle, and that the triangle shows exactly the laid cards."""
    for seat in range(s.players):
        deck = s.deck[seat][1 : s.deck[seat][0] + 1]
        assert sorted([*deck, *members(s.hand[seat]), *members(s.laid[seat])]) == list(range(PACK))
        chosen = seat == s.turn and s.chosen != NOTHING
        assert size(s.laid[seat]) == s.width // s.players + s.played[seat] + chosen
    shown = Counter(each for each in s.board if each != NOTHING) + Counter([s.chosen] * (s.chosen != NOTHING))
    assert shown == Counter(each for seat in range(s.players) for each in members(s.laid[seat]))
    assert shown.total() == sum(s.filled) + (s.chosen != NOTHING)


def do(s: Cascade, *texts: str) -> None:
    """Apply events, each of which must be legal. ``H8 to 3`` plays a card into a column."""
    for text in texts:
        name, _, column = text.partition(" to ")
        happens(CASCADE, s, *((f"play {name}", f"column {column}") if column else (text,)))
        everything_in_one_place(s)


def allowed(s: Cascade) -> set[str]:
    """The legal choices in notation."""
    return {CASCADE.notation[s.phase][each] for each in members(CASCADE.legal(s))}


def columns_for(s: Cascade, name: str) -> list[int]:
    """The columns into which the player in turn may play a card of her hand. Does not change the state."""
    if f"play {name}" not in allowed(s):
        return []
    s = plain.copy_of(s)
    do(s, f"play {name}")
    return sorted(int(each.removeprefix("column ")) for each in allowed(s))


def hand(s: Cascade, seat: int) -> str:
    """The cards of a hand in the order of the pack."""
    return say(s.hand[seat])


def in_pack(s: Cascade, seat: int) -> int:
    """How many cards a player can still draw."""
    return s.deck[seat][0]


def in_row(s: Cascade, row: int) -> str:
    """A row of the triangle from the left; ``--`` is an empty slot."""
    return " ".join(FRENCH[each] if each != NOTHING else "--" for each in s.board[row * WIDEST : row * WIDEST + s.width - row])


def cards(names: Sequence[str]) -> Cards:
    """A set of cards by name."""
    return set_of(map(card, names))
