"""Redeals: sample what a seat does not see. Every deal that is consistent with its knowledge is equally likely. The same code serves every game."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from kortlek.cards import NOTHING, Card, count, members
from kortlek.engine.memory import field_offsets, widths_of
from kortlek.engine.plain import copy_of
from kortlek.engine.redeal_plan import STORAGES, Plan, deal_out, lay_out
from kortlek.engine.rng import Rng
from kortlek.engine.views import Place, View, cards_in, content, hidden_from, listed, places, put
from kortlek.game import PILE, WIDE, Field, Game, Owner, Pack, State, fields_of

S = TypeVar("S", bound=State)


def redeal(seen: View[S], rng: Rng) -> S:
    """Sample a full state that the viewer cannot tell from the true one; every deal that is consistent with her knowledge is equally likely."""
    guess = prepare(seen)
    s = copy_of(guess.known)
    deal_out(guess.plan, guess.ways, rng)
    lay_out([s], None, guess.plan)
    return s


@dataclass(frozen=True)
class Guess(Generic[S]):
    """Everything needed to redeal one view many times: the known part of the state, a plan for the rest, and the memo table of ``count_ways``."""

    known: S
    plan: Plan
    ways: list[float]


def prepare(seen: View[S]) -> Guess[S]:
    """Prepare the redeals of a view: separate the known cards and numbers from the unknown ones."""
    known = copy_of(seen.state)
    pools: dict[int, Pool] = {}
    hidden: list[tuple[Pool, Place, Field]] = []
    for place, field in places(known):
        assert field.storage is not None
        pool = pools.setdefault(place.seat if seen.game.pack.one_each else NOTHING, Pool(seen.game.pack))
        if seen.sees(place, field):
            pool.see(cards_in(known, place, field.storage))
        else:
            hidden.append((pool, place, field))
    present = [known_present(seen, place, field) for _, place, field in hidden]
    for (pool, place, field), cards in zip(hidden, present, strict=True):
        assert field.storage is not None
        there = pool.take(cards)
        put(known, place, field.storage, there)
        absent = content(known, Place(field.known_absent, place.seat)) if field.known_absent else 0
        pool.hide(place, field, seen.sizes[place] - len(there), absent)
    plan = make_plan(seen.game, list(pools.values()))
    plan_numbers(plan, seen)
    return Guess(known, plan, [-1.0] * plan.ways_from[plan.pools])


def known_present(seen: View[Any], place: Place, field: Field) -> list[Card]:
    """The cards that the viewer knows to be in a place that she does not see: from public knowledge, and from her own."""
    assert field.storage is not None
    public = listed(content(seen.state, Place(field.known_present, place.seat)), field.storage) if field.known_present else []
    private: list[Card] = []
    for name, knowledge in fields_of(type(seen.state)).items():
        if knowledge.known_to == place.field and seen.seat >= 0:
            value = getattr(seen.state, name)[seen.seat][place.seat]
            private += listed(value, field.storage) if isinstance(value, list) else list(members(value))
    left = Counter(private) - Counter(public)  # do not count a card twice that is known publicly and privately
    return [*public, *left.elements()]


class Pool:
    """The cards of one pack that a viewer does not see, and the places that may hold them."""

    def __init__(self, pack: Pack) -> None:
        self.copies = pack.counts
        self.unseen = list(pack.counts)
        self.hidden: list[tuple[Place, Field, int, Any]] = []

    def see(self, cards: list[Card]) -> None:
        """Remove visible cards from the unseen ones."""
        for card in cards:
            self.unseen[card] -= 1

    def take(self, cards: list[Card]) -> list[Card]:
        """Take those of the cards that are still unseen, and return them. A card that is visible elsewhere has left the place where it was known to
        be."""
        taken = []
        for card in cards:
            if self.unseen[card] > 0:
                self.unseen[card] -= 1
                taken.append(card)
        return taken

    def hide(self, place: Place, field: Field, room: int, absent: Any) -> None:
        """Add a hidden place with ``room`` unseen cards."""
        if room:
            self.hidden.append((place, field, room, absent))

    def may_hold(self, field: Field, absent: Any, card: Card, nth_copy: int) -> bool:
        """Whether the n-th unseen copy of a card may be in a place, given the cards that are known to be absent there."""
        if isinstance(absent, list):
            missing = absent[card] if field.storage is WIDE else count(absent, card)
        else:
            missing = self.copies[card] * (absent >> card & 1)
        return nth_copy < self.copies[card] - missing

    def groups(self) -> dict[tuple[bool, ...], list[Card]]:
        """The unseen cards, grouped by which of the tied places may hold them."""
        grouped: dict[tuple[bool, ...], list[Card]] = {}
        tied = [(field, absent) for _, field, _, absent in self.tied()]
        for card, copies in enumerate(self.unseen):
            for nth_copy in range(copies):
                pattern = tuple(self.may_hold(field, absent, card, nth_copy) for field, absent in tied)
                grouped.setdefault(pattern, []).append(card)
        return grouped

    def tied(self) -> list[tuple[Place, Field, int, Any]]:
        """The tied places: hidden places that are known to lack some of the unseen cards."""
        return [hidden for hidden in self.hidden if self._is_tied(hidden[1], hidden[3])]

    def free(self) -> list[tuple[Place, Field, int, Any]]:
        """The other hidden places: piles first, because they need an order, and the largest last, because it takes the rest without a shuffle."""
        free = (hidden for hidden in self.hidden if not self._is_tied(hidden[1], hidden[3]))
        return sorted(free, key=lambda hidden: (hidden[1].storage is not PILE, hidden[2]))

    def _is_tied(self, field: Field, absent: Any) -> bool:
        if not (any(absent) if isinstance(absent, list) else absent):
            return False
        return any(copies and not self.may_hold(field, absent, card, copies - 1) for card, copies in enumerate(self.unseen))


# ---- plans


def make_plan(game: Game[Any], pools: list[Pool]) -> Plan:
    """Encode the pools as a plan."""
    plan = Plan()
    names, offsets, widths = list(fields_of(game.state)), field_offsets(game.state), widths_of(game.state)
    card = group = index = 0
    for at, pool in enumerate(pools):
        tied, free, groups = pool.tied(), pool.free(), pool.groups()
        plan.tied[at] = len(tied)
        plan.vectors[at] = 1
        for nth_group, pattern in enumerate(groups):
            plan.cards[card : card + len(groups[pattern])] = groups[pattern]
            plan.stride[group] = plan.vectors[at]
            if nth_group + 1 < len(groups):
                plan.vectors[at] *= len(groups[pattern]) + 1
            for nth_place in range(len(tied)):
                plan.may[index + nth_place] |= pattern[nth_place] << group
            card, group = card + len(groups[pattern]), group + 1
            plan.group_from[group] = card
        plan.rooms[at] = 1 + max((room for _, _, room, _ in tied), default=0)
        plan.ways_from[at + 1] = plan.ways_from[at] + (len(tied) * len(groups) + 1) * plan.vectors[at] * plan.rooms[at]
        for place, field, room, _ in tied + free:
            assert field.storage is not None
            plan.room[index], plan.storage[index] = room, STORAGES.index(field.storage)
            plan.field[index], plan.seat[index] = names.index(place.field), place.seat
            offset = offsets[place.field] // widths[place.field]
            plan.offset[index] = offset + (0 if field.owner is Owner.TABLE else place.seat * math.prod(field.inner))
            index += 1
        plan.pool_places[at + 1], plan.pool_groups[at + 1] = index, group
    plan.pools = len(pools)
    return plan


def plan_numbers(plan: Plan, seen: View[Any]) -> None:
    """Add to a plan the hidden numbers that are set, or may be: all values in their range are equally likely."""
    game, s = seen.game, seen.state
    drawn = [(place, field) for place, field in hidden_from(s, seen.seat, seen.partners)[1] if field.is_hidden_number]
    if not drawn:
        return
    names, offsets = list(fields_of(game.state)), field_offsets(game.state)
    for place, field in drawn:
        entries = field.inner[0] if field.inner else 1
        possible = field.range_of(s.players, len(game.pack.names))
        for entry in members(seen.sizes.get(place, (1 << entries) - 1)):
            at = plan.hidden
            plan.low[at], plan.many[at] = possible[0], len(possible)
            plan.number_field[at], plan.number_seat[at], plan.number_entry[at] = names.index(place.field), place.seat, entry
            plan.number_offset[at] = offsets[place.field] // 8 + max(place.seat, 0) * entries + entry
            plan.hidden += 1
