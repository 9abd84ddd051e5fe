"""Patches: how one view of a match becomes the next, as data for a client that has the view before.

A patch names only what has changed. An object in it changes the members that it names (of a list, the entries with these indices); anything else is
the new value. ``merge`` applies a patch. The public patch is made from the onlooker's views and is the same for everyone; a seat's own patch adds the
places and numbers that this seat sees and an onlooker does not, and the choices open to it.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypedDict

from kortlek.cards import NOTHING, members
from kortlek.engine.plain import winning_seats
from kortlek.engine.view_json import NOBODY_CHOOSES, Json, Number, AlternativeJson, MessageJson, drawn_for, headline_of, key_of, last_of, number_of
from kortlek.engine.view_json import of_one_game, teams_in, waiting_in
from kortlek.engine.views import ONLOOKER, Place, Private, View, content, hidden_from, listed, places, private_to
from kortlek.game import EVERYONE, OVER, Field, Game, State

Entries = dict[str, int | list[int]]
"""The changed entries of a list, by index."""


class PlacePatch(TypedDict, total=False):
    """A place that has changed: how many cards lie there and, if the viewer sees them, which."""

    size: int
    cards: list[str]


class HiddenPatch(TypedDict):
    """Whether a hidden number is set now."""

    size: int


class MatchPatch(TypedDict, total=False):
    """What has changed of a match as one seat sees it: members of ``MatchJson``."""

    round: int
    phase: str
    turn: int | None
    kind: int
    next: int
    waiting: list[int]
    out: list[int]
    score: list[int]
    numbers: dict[str, Number | Entries]
    hidden: dict[str, HiddenPatch]
    places: dict[str, PlacePatch]
    headline: MessageJson | None
    last: MessageJson | None
    drawn: dict[str, Json]
    legal: list[AlternativeJson]
    winners: list[int]


def merge(value: Any, patch: Any) -> Any:
    """Apply a patch to a value and return the result. Objects and lists are changed in place."""
    if not isinstance(patch, dict) or not isinstance(value, dict | list):
        return patch
    for name, change in patch.items():
        at: Any = int(name) if isinstance(value, list) else name
        value[at] = merge(value[at] if isinstance(value, list) else value.get(at), change)
    return value


def difference(old: Any, new: Any) -> Any:
    """The patch that makes ``new`` of ``old``. A member that has vanished is null in the patch."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return changed_entries(old, new)
    changed = {name: difference(old.get(name), value) for name, value in new.items() if name not in old or old[name] != value}
    return {**changed, **{name: None for name in old if name not in new}}


def changed_entries(old: Any, new: Any) -> Any:
    """A list of numbers as a patch: only the entries that have changed, if they are few; otherwise the new value."""
    if not isinstance(new, list) or not isinstance(old, list) or len(old) != len(new) or not new or not isinstance(new[0], int):
        return new
    changed = {str(at): value for at, value in enumerate(new) if value != old[at]}
    return changed if 3 * len(changed) <= len(new) else new


def can_patch(game: Game[Any], old: State, s: State) -> bool:
    """Whether patches can lead from one state to another: not where all choose together, since each player has seen her own choice already, and not
    when teams change, which changes who sees what."""
    together = any(each.phase >= 0 and game.choices[each.phase].together for each in (old, s))
    return not together and teams_in(game, old) == teams_in(game, s)


class Described(NamedTuple):
    """What a game's layout makes of a state for everyone."""

    headline: MessageJson | None
    last: MessageJson | None
    drawn: dict[str, Json]

    @classmethod
    def of(cls, game: Game[Any], s: State) -> Described:
        """What the layout makes of a state; ``s`` is the onlooker's."""
        return cls(headline_of(game, s), last_of(game, s), drawn_for(game, s, ONLOOKER))


def public_patch(before: View[Any], after: View[Any], was: Described, now: Described) -> MatchPatch:
    """What has changed for everyone. Both views are the onlooker's; ``was`` and ``now`` describe them."""
    game, old, s = after.game, before.state, after.state
    patch: MatchPatch = {}
    if s.round != old.round:
        patch["round"] = s.round
    if s.phase != old.phase:
        patch["kind"] = s.phase
        patch["phase"] = game.choices[s.phase].name if s.phase >= 0 else NOBODY_CHOOSES[s.phase]
    if s.turn != old.turn:
        patch["next"] = s.turn
    if s.turn != old.turn or (s.phase < 0) != (old.phase < 0):
        patch["turn"] = s.turn if s.phase >= 0 else None
        patch["waiting"] = waiting_in(game, s)
    if s.out != old.out:
        patch["out"] = list(members(s.out))
    if s.score != old.score:
        patch["score"] = s.score[: s.players]
    if s.phase == OVER:
        patch["winners"] = winning_seats(game, s)
    if numbers := changed_numbers(old, s):
        patch["numbers"] = numbers
    if changed := changed_places(before, after):
        patch["places"] = changed
    _, hidden = hidden_from(s, ONLOOKER)
    if sizes := {key_of(at): HiddenPatch(size=after.sizes[at]) for at, _ in hidden if at in after.sizes and after.sizes[at] != before.sizes[at]}:
        patch["hidden"] = sizes
    if now.headline != was.headline:
        patch["headline"] = difference(was.headline, now.headline)
    if now.last != was.last:
        patch["last"] = difference(was.last, now.last)
    if drawn := difference(was.drawn, now.drawn):
        patch["drawn"] = drawn
    return patch


def changed_numbers(old: State, s: State) -> dict[str, Number | Entries]:
    """The numbers that everyone sees and that have changed, by field."""
    numbers: dict[str, Number | Entries] = {}
    for name, field in of_one_game(type(s)):
        if getattr(s, name) != getattr(old, name):
            numbers[name] = changed_entries(number_of(old, name, field), number_of(s, name, field))
    return numbers


def changed_places(before: View[Any], after: View[Any]) -> dict[str, PlacePatch]:
    """The places that have changed for everyone: their size and, where everyone sees them, their cards."""
    changed: dict[str, PlacePatch] = {}
    for place, field in places(after.state):
        size = after.sizes[place]
        if field.seen_by is EVERYONE:
            if content(after.state, place) != content(before.state, place):
                changed[key_of(place)] = {"size": size, "cards": cards_at(after.game, after.state, place, field)}
        elif size != before.sizes[place]:
            changed[key_of(place)] = {"size": size}
    return changed


def cards_at(game: Game[Any], s: State, place: Place, field: Field) -> list[str]:
    """The names of the cards in a place."""
    assert field.storage is not None
    names = game.pack.names
    return [names[card] for card in listed(content(s, place), field.storage)]


# ---- what only a seat sees


def own_patch(public: MatchPatch, game: Game[Any], old: State, s: State, seat: int, legal: list[AlternativeJson] | None) -> MatchPatch:
    """What has changed for one seat: the public patch, what only this seat sees, and the choices open to it (None: as before). This is the only
    function that reads hidden places of a state, and only those that ``private_to`` lists for the seat."""
    private = private_to(game, s, seat)
    patch: MatchPatch = {**public}
    own: dict[str, PlacePatch] = {}
    for place, field in private.places:
        if content(s, place) != content(old, place):
            cards = cards_at(game, s, place, field)
            own[key_of(place)] = {"size": len(cards), "cards": cards}
    if own:
        patch["places"] = {**public.get("places", {}), **own}
    if numbers := own_numbers(private, old, s):
        patch["numbers"] = {**public.get("numbers", {}), **numbers}
    if "hidden" in public and private.numbers:
        seen = {key_of(at) for at, _ in private.numbers}
        patch["hidden"] = {name: size for name, size in public["hidden"].items() if name not in seen}
    if legal is not None:
        patch["legal"] = legal
    return patch


def own_numbers(private: Private, old: State, s: State) -> dict[str, Number | Entries]:
    """The changed numbers that only a seat sees, by field; of a field with an entry for each seat, the entries that it sees."""
    numbers: dict[str, Number | Entries] = {}
    entries: dict[str, Entries] = {}
    for at, field in private.numbers:
        value = content(s, at)
        if value == content(old, at):
            continue
        if at.seat == NOTHING:
            numbers[at.field] = number_of(s, at.field, field)
        else:
            entries.setdefault(at.field, {})[str(at.seat)] = value[:] if isinstance(value, list) else value
    return {**numbers, **entries}
