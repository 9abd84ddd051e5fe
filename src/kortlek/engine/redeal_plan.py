"""The plan of a redeal, and how it is dealt out: the same code in both engines, often run for every simulated deal.

``redeal.py`` makes a plan from what a seat sees."""

from __future__ import annotations

from typing import Any

from kortlek.cards import bit
from kortlek.engine.rng import Rng, below, fraction, shuffle_some
from kortlek.engine.views import Place, content, put, store
from kortlek.game import SEATS, Declared, Storage, fields_of, state
from kortlek.game import count as number_from
from kortlek.game.fields import MOST_HIDDEN_NUMBERS
from kortlek.game.game import LARGEST_PACK

MOST_POOLS, MOST_PLACES, MOST_GROUPS, MOST_CARDS = SEATS, 64, 62, 256
"""Limits that no game reaches: every plan has the same size, so that it can be a compiled record."""


LARGEST = 1 << 62


def number() -> Any:
    """A field of a plan: a whole number."""
    return number_from(-1, LARGEST, start=0)


def numbers(length: int) -> Any:
    """A field of a plan: a list of whole numbers."""
    return number_from(-1, LARGEST, start=0, length=length)


@state
class Plan(Declared):
    """The possible deals of the unseen cards, as plain numbers for both engines. Pools are independent of each other; each has groups of cards (those
    of a group may be in the same places) and places (the tied ones first). The entries of pool k begin at ``pool_places[k]``, ``pool_groups[k]`` and
    ``ways_from[k]``."""

    cards: list[int] = numbers(MOST_CARDS)
    """The unseen cards, pool by pool and group by group."""
    dealt: list[int] = numbers(MOST_CARDS)
    """Filled by ``deal_out``: the same cards, place by place."""
    pools: int = number()
    pool_places: list[int] = numbers(MOST_POOLS + 1)
    pool_groups: list[int] = numbers(MOST_POOLS + 1)
    tied: list[int] = numbers(MOST_POOLS)
    """The number of tied places of a pool: those known to lack some of the unseen cards."""
    vectors: list[int] = numbers(MOST_POOLS)
    rooms: list[int] = numbers(MOST_POOLS)
    ways_from: list[int] = numbers(MOST_POOLS + 1)
    """The layout of the memo table of ``count_ways``."""
    group_from: list[int] = numbers(MOST_GROUPS + 1)
    """The index of the first card of a group."""
    next_card: list[int] = numbers(MOST_GROUPS)
    """Used by ``deal_out``: the index of the next card of a group."""
    stride: list[int] = numbers(MOST_GROUPS)
    may: list[int] = numbers(MOST_PLACES)
    """The set of groups that a tied place may hold."""
    room: list[int] = numbers(MOST_PLACES)
    storage: list[int] = numbers(MOST_PLACES)
    field: list[int] = numbers(MOST_PLACES)
    seat: list[int] = numbers(MOST_PLACES)
    offset: list[int] = numbers(MOST_PLACES)
    """For each place: the number of cards to deal there, its storage, field and seat, and its offset in a compiled record."""
    hidden: int = number()
    """The number of hidden numbers to draw."""
    low: list[int] = numbers(MOST_HIDDEN_NUMBERS)
    many: list[int] = numbers(MOST_HIDDEN_NUMBERS)
    number_field: list[int] = numbers(MOST_HIDDEN_NUMBERS)
    number_seat: list[int] = numbers(MOST_HIDDEN_NUMBERS)
    number_entry: list[int] = numbers(MOST_HIDDEN_NUMBERS)
    number_offset: list[int] = numbers(MOST_HIDDEN_NUMBERS)
    """For each hidden number: its lowest value, the number of possible values, its field, seat and entry, and its offset in a compiled record."""
    drawn: list[int] = numbers(MOST_HIDDEN_NUMBERS)
    """Filled by ``deal_out``: the values of the hidden numbers."""


STORAGES = tuple(Storage)
IS_SET, IS_MULTISET, IS_WIDE, IS_PILE = range(4)


# ---- dealing out

PASCAL = LARGEST_PACK + 1
"""The number of rows and columns of the table of binomial coefficients: more than the cards of any pack."""


def _pascal() -> list[float]:
    """The binomial coefficients for all n and k below ``PASCAL``, row by row."""
    table = [1.0] + [0.0] * (PASCAL * PASCAL - 1)
    for at in range(PASCAL, PASCAL * PASCAL):
        table[at] = table[at - PASCAL] + (table[at - PASCAL - 1] if at % PASCAL else 0.0)
    return table


BINOMIAL = _pascal()


def cards_left(plan: Plan, pool: int, group: int, vector: int, left: int) -> int:
    """The number of cards left in a group, given the encoded vector of the cards left in each group but the last, and the total number left."""
    last = plan.pool_groups[pool + 1] - 1
    if group < last:
        return vector // plan.stride[group] % (plan.group_from[group + 1] - plan.group_from[group] + 1)
    for other in range(plan.pool_groups[pool], last):
        left -= vector // plan.stride[other] % (plan.group_from[other + 1] - plan.group_from[other] + 1)
    return left


def least_and_most(plan: Plan, pool: int, place: int, group: int, room: int, have: int) -> tuple[int, int]:
    """The fewest and the most cards of a group that can go to a place: the last group has to fill the remaining room."""
    may = plan.may[place] >> group & 1
    least = room if group + 1 == plan.pool_groups[pool + 1] else 0
    return least, min(have, room) if may else 0


def after(plan: Plan, pool: int, place: int, group: int, vector: int, room: int, take: int) -> tuple[int, int, int, int]:
    """The position that follows when ``take`` cards of a group go to a place: the next group of the same place, or the next place."""
    if group + 1 < plan.pool_groups[pool + 1]:
        return place, group + 1, vector - take * plan.stride[group], room - take
    following = plan.room[place + 1] if place + 1 < plan.pool_places[pool] + plan.tied[pool] else 0
    return place + 1, plan.pool_groups[pool], vector, following


def cell(plan: Plan, pool: int, place: int, group: int, vector: int, room: int) -> int:
    """The index in the memo table for this group of this place, with this room left in the place and these cards left."""
    groups = plan.pool_groups[pool + 1] - plan.pool_groups[pool]
    row = (place - plan.pool_places[pool]) * groups + group - plan.pool_groups[pool]
    return plan.ways_from[pool] + (row * plan.vectors[pool] + vector) * plan.rooms[pool] + room


def count_ways(plan: Plan, ways: list[float], pool: int, place: int, group: int, vector: int, room: int, left: int) -> float:
    """The number of ways to fill the tied places from this group of this place on, with this room left in the place and ``left`` cards left in all.
    Results are memoised in ``ways``."""
    at = cell(plan, pool, place, group, vector, room)
    if ways[at] < 0.0:
        together = 0.0
        if place == plan.pool_places[pool] + plan.tied[pool]:
            together = 1.0
        else:
            have = cards_left(plan, pool, group, vector, left)
            least, most = least_and_most(plan, pool, place, group, room, have)
            for take in range(least, most + 1):
                there, then, fewer, space = after(plan, pool, place, group, vector, room, take)
                together += BINOMIAL[PASCAL * have + take] * count_ways(plan, ways, pool, there, then, fewer, space, left - take)
        ways[at] = together
    return ways[at]


def deal_out(plan: Plan, ways: list[float], rng: Rng) -> None:
    """Deal the unseen cards: first to the tied places (how many of each group, then which cards), then to the others at random. Then draw the hidden
    numbers."""
    for pool in range(plan.pools):
        begin = plan.group_from[plan.pool_groups[pool]]
        end = plan.group_from[plan.pool_groups[pool + 1]]
        at = begin
        if plan.tied[pool]:
            at = deal_tied(plan, ways, pool, begin, end, rng)
        else:
            for card in range(begin, end):
                plan.dealt[card] = plan.cards[card]
        last = plan.pool_places[pool + 1] - 1
        until = end if last < plan.pool_places[pool] or plan.storage[last] == IS_PILE else end - plan.room[last]
        shuffle_some(plan.dealt, at, until, end, rng)
    for nth_number in range(plan.hidden):
        plan.drawn[nth_number] = plan.low[nth_number] + below(rng, plan.many[nth_number])


def deal_tied(plan: Plan, ways: list[float], pool: int, begin: int, end: int, rng: Rng) -> int:
    """Fill the tied places of a pool, with the other cards behind them; return the index at which those begin."""
    vector = 0
    for group in range(plan.pool_groups[pool], plan.pool_groups[pool + 1]):
        plan.next_card[group] = plan.group_from[group]
        shuffle_some(plan.cards, plan.group_from[group], plan.group_from[group + 1], plan.group_from[group + 1], rng)
        if group + 1 < plan.pool_groups[pool + 1]:
            vector += plan.stride[group] * (plan.group_from[group + 1] - plan.group_from[group])
    first = plan.pool_places[pool]
    if ways[cell(plan, pool, first, plan.pool_groups[pool], vector, plan.room[first])] < 0.0:
        count_ways(plan, ways, pool, first, plan.pool_groups[pool], vector, plan.room[first], end - begin)
    at = begin
    for place in range(first, first + plan.tied[pool]):
        room, start = plan.room[place], at
        for group in range(plan.pool_groups[pool], plan.pool_groups[pool + 1]):
            take = choose_take(plan, ways, pool, place, group, vector, room, end - at, rng)
            for _ in range(take):
                plan.dealt[at] = plan.cards[plan.next_card[group]]
                plan.next_card[group] += 1
                at += 1
            room -= take
            if group + 1 < plan.pool_groups[pool + 1]:
                vector -= take * plan.stride[group]
        if plan.storage[place] == IS_PILE:
            shuffle_some(plan.dealt, start, at, at, rng)
    rest = at
    for group in range(plan.pool_groups[pool], plan.pool_groups[pool + 1]):
        for card in range(plan.next_card[group], plan.group_from[group + 1]):
            plan.dealt[rest] = plan.cards[card]
            rest += 1
    return at


def choose_take(plan: Plan, ways: list[float], pool: int, place: int, group: int, vector: int, room: int, left: int, rng: Rng) -> int:
    """Draw the number of cards of a group that go to a place, weighted by its number of ways. (For the last group of a place it is fixed.)"""
    have = cards_left(plan, pool, group, vector, left)
    least, most = least_and_most(plan, pool, place, group, room, have)
    if least >= most:
        return least
    threshold = fraction(rng) * ways[cell(plan, pool, place, group, vector, room)]
    chosen = least
    for take in range(least, most + 1):
        there, then, fewer, space = after(plan, pool, place, group, vector, room, take)
        likely = BINOMIAL[PASCAL * have + take] * ways[cell(plan, pool, there, then, fewer, space)]
        if likely > 0.0:
            chosen = take
            if threshold < likely:
                break
            threshold -= likely
    return chosen


def lay_out(states: Any, flat: Any, plan: Plan) -> None:
    """Put the dealt cards and the drawn numbers into their places of ``states[0]``. (Compiled, ``flat`` is the same record as rows of numbers.)"""
    s = states[0]
    names = list(fields_of(type(s)))
    at = 0
    for index, room in enumerate(plan.room[: plan.pool_places[plan.pools]]):
        put(s, Place(names[plan.field[index]], plan.seat[index]), STORAGES[plan.storage[index]], plan.dealt[at : at + room])
        at += room
    for index in range(plan.hidden):
        place = Place(names[plan.number_field[index]], plan.number_seat[index])
        value = content(s, place)
        if isinstance(value, list):
            value[plan.number_entry[index]] = plan.drawn[index]
        else:
            store(s, place, plan.drawn[index])


def lay_out_flat(states: Any, flat: Any, plan: Plan) -> None:
    """The version of ``lay_out`` for compiled code, on rows of numbers: ``flat[0]`` is the record as 64-bit numbers, ``flat[1]`` as numbers of the
    width of a card in a pile."""
    at = 0
    for index in range(plan.pool_places[plan.pools]):
        there, room, storage = plan.offset[index], plan.room[index], plan.storage[index]
        if storage == IS_SET:
            held = flat[0][there]
            for card in range(at, at + room):
                held |= bit(plan.dealt[card])
            flat[0][there] = held
        elif storage == IS_MULTISET:
            for card in range(at, at + room):
                lay_into(flat[0], there, bit(plan.dealt[card]))
        elif storage == IS_WIDE:
            for card in range(at, at + room):
                flat[1][there + plan.dealt[card]] += 1
        else:
            for card in range(at, at + room):
                flat[1][there + 1 + card - at] = plan.dealt[card]
        at += room
    for index in range(plan.hidden):
        flat[0][plan.number_offset[index]] = plan.drawn[index]


def lay_into(numbers: Any, at: int, more: int) -> None:
    """Add a card, given as its bit ``more``, to the multiset that begins at index ``at``."""
    while more:
        held = numbers[at] & more
        numbers[at] |= more
        more = held
        at += 1
