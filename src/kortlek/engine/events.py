"""Events: what happened in one act, as data for one viewer.

An event is a kind, a seat and arguments. An act is one choice, or several that belong together (a meld laid card by card), or the choices that all
players made together, or the chance events between two choices. Events are made from the viewer's views before and after the act, so no event reveals
what the viewer cannot see. The words package turns events into text.

Kinds of every game: ``lots``, ``deal`` (round), ``face_up`` (place, cards), ``begins``, ``shuffle``, ``gets`` (cards), ``gets_unseen`` (count),
``shows`` (cards), ``round_over`` (round) and ``match_over`` (seats that won). In addition, each verb of the game's choices and each field that is
declared as an event is a kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from kortlek.cards import NOTHING, Card, members
from kortlek.engine.plain import Event as Moved
from kortlek.engine.plain import held_card
from kortlek.engine.views import OPEN, Place, View, cards_in, content, listed, masked_for, places, private_to
from kortlek.game import (
    DEAL,
    EVERYONE,
    LOTS,
    MULTISET,
    NOBODY,
    SET,
    OTHERS,
    OVER,
    OWNER,
    PARTNERS,
    Choice,
    Field,
    Game,
    Holds,
    Kind,
    Owner,
    State,
    fields_of,
)

Argument = int | str | list[int]


class Event(NamedTuple):
    """An event: its kind, its seat (or NOTHING), and its arguments by name."""

    kind: str
    seat: int
    args: dict[str, Argument]


class Step(NamedTuple):
    """A choice or a chance event, with the states before and after it."""

    before: Any
    event: Moved
    after: Any


# ---- acts


def is_act_over(game: Game[Any], step: Step) -> bool:
    """Whether the act that a step belongs to ends with it."""
    before, after = step.before, step.after
    if not isinstance(step.event, int):
        return bool(after.phase >= OVER)
    if after.phase < 0:
        return True
    choice, following = game.choices[before.phase], game.choices[after.phase]
    if choice.together and after.phase == before.phase and after.round == before.round and after.waiting and not after.waiting & ~before.waiting:
        return False  # no seat waits that did not wait before: it is still the same simultaneous choice
    return not (following.act and after.turn == before.turn)


def acts_of(game: Game[Any], steps: Iterable[Step]) -> Iterator[list[Step]]:
    """Group steps into acts. The last act may be unfinished."""
    act: list[Step] = []
    for step in steps:
        act.append(step)
        if is_act_over(game, step):
            yield act
            act = []
    if act:
        yield act


# ---- the events for a viewer


def learns_only_what_all_learn(game: Game[Any], act: Sequence[Step], seat: int) -> bool:
    """Whether the events of an act are the same for a seat as for an onlooker, so that they need not be made again: choices that everyone hears,
    within a round, by which nothing comes into the places and numbers that only the seat sees."""
    first, last = act[0].before, act[-1].after
    if not isinstance(act[0].event, int) or last.round != first.round or last.phase == OVER:
        return False
    if any(game_choice(game, step).seen_by is not EVERYONE for step in act):
        return False
    private = private_to(game, last, seat)
    return all(content(first, at) == content(last, at) for at, _ in private.numbers) and all(
        only_lost(content(first, place), content(last, place), field) for place, field in private.places
    )


def only_lost(before: Any, after: Any, field: Field) -> bool:
    """Whether no card has come to a place, as far as that is quickly known."""
    if field.storage is SET:
        return not after & ~before
    return bool(before == after) or (field.storage is MULTISET and all(new & ~old == 0 for old, new in zip(before, after)))


def events_of(game: Game[Any], act: Sequence[Step], viewer: int) -> list[Event]:
    """The events of an act for a viewer."""
    return events_between(masked_for(game, act[0].before, viewer), act, masked_for(game, act[-1].after, viewer))


def events_between(before: View[Any], act: Sequence[Step], after: View[Any]) -> list[Event]:
    """The events of an act, from the viewer's views before and after it."""
    if isinstance(act[0].event, int):
        events = [*chosen(before, act), *changes(before, act, after)]
        events += laid_open(before, events, after)
    else:
        events = by_chance(act, after)
    return [*events, *received(before, act, after), *others_received(before, act, after), *endings(before, after)]


def chosen(before: View[Any], act: Sequence[Step]) -> Iterator[Event]:
    """The events for the choices of an act. Several steps of one player are one event."""
    for seat, steps in by_player(act):
        game, first = before.game, game_choice(before.game, steps[0])
        may_hear = first.seen_by is EVERYONE or before.seat in (seat, OPEN) or (first.seen_by is PARTNERS and before.partners >> seat & 1)
        kind = next((choice.act for choice in (game_choice(game, step) for step in steps[1:]) if choice.act), verb_of(game, steps[0]))
        yield Event(kind, seat, arguments(game, steps) if may_hear else unheard(game, steps))


def unheard(game: Game[Any], steps: Sequence[Step]) -> dict[str, Argument]:
    """The arguments of a secret choice for the other players: the number of cards, if it is about cards."""
    cards = [
        step for step in steps if isinstance(step.event, int) and game.alternatives[step.before.phase][step.event].kind in (Kind.CARD, Kind.HELD)
    ]
    return {"count": len(cards)} if cards else {}


def by_player(act: Sequence[Step]) -> Iterator[tuple[int, list[Step]]]:
    """Group the steps of an act by player."""
    steps: list[Step] = []
    for step in act:
        if steps and step.before.turn != steps[0].before.turn:
            yield steps[0].before.turn, steps
            steps = []
        steps.append(step)
    if steps:
        yield steps[0].before.turn, steps


def game_choice(game: Game[Any], step: Step) -> Choice:
    """The kind of choice that a step was."""
    chosen: Choice = game.choices[step.before.phase]
    return chosen


def verb_of(game: Game[Any], step: Step) -> str:
    """The verb of the alternative that was chosen."""
    assert isinstance(step.event, int)
    return str(game.alternatives[step.before.phase][step.event].verb)


def arguments(game: Game[Any], steps: Sequence[Step]) -> dict[str, Argument]:
    """The arguments of the choices of an act. Cards of several steps are one list; a later step without an argument adds its verb as ``name``."""
    args: dict[str, Argument] = {}
    cards: list[Card] = []
    for at, step in enumerate(steps):
        assert isinstance(step.event, int)
        alternative = game.alternatives[step.before.phase][step.event]
        if alternative.kind in (Kind.CARD, Kind.HELD):
            cards.append(alternative.value if alternative.kind is Kind.CARD else held_card(game, step.before, step.event))
        elif alternative.kind is Kind.NAME:
            args["name"] = alternative.notation.partition(" ")[2]
        elif alternative.kind is not Kind.NONE:
            args[alternative.kind.value] = alternative.value
        elif at:
            args["name"] = alternative.verb
    if len(cards) == 1:
        args["card"] = cards[0]
    return {**args, "cards": cards} if len(cards) > 1 else args


def changes(before: View[Any], act: Sequence[Step], after: View[Any]) -> list[Event]:
    """The events for changed fields that are declared as events, as far as the viewer sees them."""
    s, earlier = after.state, before.state
    actor = act[-1].before.turn
    found: list[tuple[bool, list[Event]]] = []
    for name, field in fields_of(type(s)).items():
        if not field.event:
            continue
        if field.owner is not Owner.SEAT:
            value = getattr(s, name)
            changed = value not in (field.start, getattr(earlier, name))
            found.append((field.event_first, [Event(name, NOTHING, value_of(field, value))] if changed else []))
            continue
        first = getattr(s, field.event_from) if field.event_from else (actor + 1) % s.players
        order = [(first + after_it) % s.players for after_it in range(s.players)]
        new = [(seat, getattr(s, name)[seat]) for seat in order if getattr(s, name)[seat] not in (field.start, getattr(earlier, name)[seat])]
        found.append((field.event_first, [Event(name, seat, value_of(field, value)) for seat, value in new]))
    return [event for _, events in sorted(found, key=lambda each: not each[0]) for event in events]


def value_of(field: Field, value: int) -> dict[str, Argument]:
    """A value as the argument of an event, named by its type."""
    names = {Holds.CARD: "card", Holds.SUIT: "suit", Holds.RANK: "rank", Holds.SEAT: "whom"}
    return {names.get(field.holds, "value"): value}


def by_chance(act: Sequence[Step], after: View[Any]) -> list[Event]:
    """The events of chance: lots are drawn, a round is dealt, or cards are reshuffled."""
    phases = [step.before.phase for step in act]
    s = after.state
    events = [Event("lots", NOTHING, {})] if LOTS in phases else []
    if DEAL not in phases:
        return events or [Event("shuffle", NOTHING, {})]
    turned_up = [
        face_up(place, field, cards)
        for place, field in places(s)
        if field.seen_by is EVERYONE and field.owner is not Owner.SEAT and (cards := cards_at(s, place, field))
    ]
    begins = [Event("begins", s.turn, {})] if s.phase >= 0 and not after.game.choices[s.phase].together else []
    return [*events, Event("deal", NOTHING, {"round": s.round + 1}), *turned_up, *begins]


def laid_open(before: View[Any], events: Sequence[Event], after: View[Any]) -> list[Event]:
    """The events for cards that became public without being chosen: a hand shown at the end, a card turned up."""
    own_packs = after.game.pack.one_each  # then equal cards of two players are different cards
    arrived = [
        (place, field, gained(cards_at(before.state, place, field), cards_at(after.state, place, field)))
        for place, field in places(after.state)
        if field.seen_by is EVERYONE and content(before.state, place) != content(after.state, place)
    ]
    known = Counter((event.seat if own_packs else NOTHING, card) for event in events for card in cards_named(event))
    if Counter((place.seat if own_packs else NOTHING, card) for place, _, cards in arrived for card in cards) <= known:
        return []  # as after most choices: no need to look where other cards came from
    for place, field in places(before.state):
        if field.seen_by is EVERYONE:
            known.update((place.seat if own_packs else NOTHING, card) for card in cards_at(before.state, place, field))
    new: list[Event] = []
    for place, field, cards in arrived:
        came, pack = [], place.seat if own_packs else NOTHING
        for card in cards:
            if known[pack, card]:
                known[pack, card] -= 1
            else:
                came.append(card)
        if came:
            new.append(Event("shows", place.seat, {"cards": came}) if field.per_seat else face_up(place, field, came))
    return new


def face_up(place: Place, field: Field, cards: list[Card]) -> Event:
    """The event for cards that are face up on the table; ``pile`` is the number of the pile, from 1, if the field has several."""
    which: dict[str, Argument] = {"pile": place.seat + 1} if field.owner is Owner.PILES else {}
    return Event("face_up", NOTHING, {"place": place.field, "cards": cards, **which})


def cards_named(event: Event) -> list[Card]:
    """The cards among the arguments of an event."""
    cards = event.args.get("cards", [])
    assert isinstance(cards, list)
    return [*cards, *(card for name, card in event.args.items() if name == "card" and isinstance(card, int))]


def received(before: View[Any], act: Sequence[Step], after: View[Any]) -> list[Event]:
    """The events for new cards in private places that the viewer sees, and after a deal for the cards that all players but their owner see."""
    dealt = not isinstance(act[0].event, int) and any(step.before.phase == DEAL for step in act)
    events = []
    for place, field in places(after.state):
        if field.seen_by not in (OWNER, PARTNERS, OTHERS) or not after.sees(place, field):
            continue
        new = cards_at(after.state, place, field)
        if field.seen_by is not OTHERS and not dealt:
            new = gained(cards_at(before.state, place, field), new)
        if new and (field.seen_by is not OTHERS or dealt):
            events.append(Event("shows" if field.seen_by is OTHERS else "gets", place.seat, {"cards": new}))
    return events


def others_received(before: View[Any], act: Sequence[Step], after: View[Any]) -> list[Event]:
    """The events for cards that another player received by a choice: their number, and which, where that is public; at the end of a round, the cards
    that she shows."""
    events: list[Event] = []
    if not isinstance(act[0].event, int):
        return events
    is_over = after.state.round > before.state.round
    for place, field in places(after.state):
        if not field.per_seat or field.seen_by not in (OWNER, PARTNERS) or after.sees(place, field):
            continue
        shown: list[Card] = []
        if field.known_present and field.storage:
            there = Place(field.known_present, place.seat)
            shown = gained(listed(content(before.state, there), field.storage), listed(content(after.state, there), field.storage))
        grown = after.sizes[place] - before.sizes[place]
        if not is_over and grown > 0:
            shown = came_openly(before, after, shown, grown)
        if shown and (grown > 0 or is_over):  # a player who only announces a card has received none
            events.append(Event("shows" if is_over else "gets", place.seat, {"cards": shown}))
        if grown - len(shown) > 0:
            events.append(Event("gets_unseen", place.seat, {"count": grown - len(shown)}))
    return events


def came_openly(before: View[Any], after: View[Any], shown: list[Card], grown: int) -> list[Card]:
    """The newly known cards of a place that has grown that have come there openly. A player may also have announced cards that she already held: if
    at least as many cards as the place gained were drawn from places that nobody sees, only cards that were public before have come openly."""
    drawn, lay_open = 0, Counter[Card]()
    for place, field in places(after.state):
        if field.seen_by is NOBODY:
            drawn += before.sizes[place] - after.sizes[place]
        elif field.seen_by is EVERYONE:
            lay_open.update(cards_at(before.state, place, field))
    return sorted((Counter(shown) & lay_open).elements()) if drawn >= grown else shown[:grown]


def endings(before: View[Any], after: View[Any]) -> list[Event]:
    """The events for the end of a round and of the match."""
    s = after.state
    events = [Event("round_over", NOTHING, {"round": s.round})] if s.round > before.state.round else []
    winners = list(members(after.game.rules.winners(s))) if s.phase == OVER else []
    return [*events, Event("match_over", NOTHING, {"seats": winners})] if s.phase == OVER else events


def cards_at(s: State, place: Place, field: Field) -> list[Card]:
    """The cards in a place."""
    assert field.storage is not None
    return cards_in(s, place, field.storage)


def gained(before: Sequence[Card], after: Sequence[Card]) -> list[Card]:
    """The cards of ``after`` that are not in ``before``, counted with their copies."""
    return sorted((Counter(after) - Counter(before)).elements()) if before != after else []
