"""The contract of a game, checked at every step of random play for every game, number of players and option."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import next_event, set_ups, walk

from kortlek.cards import NOTHING, bit, count
from kortlek.engine import observation, plain, redeal, views
from kortlek.engine.rng import seeded
from kortlek.game import EVERYONE, OVER, OWNER, PILE, Game, State, fields_of
from kortlek.game.registry import GAMES

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
SEEDS = st.integers(0, 1 << 40)


def every_card_is_in_exactly_one_place(game: Game[Any], s: State) -> None:
    packs: dict[int, Counter[int]] = {}
    for place, field in views.places(s):
        assert field.storage is not None
        owner = place.seat if game.pack.one_each else 0
        packs.setdefault(owner, Counter()).update(views.cards_in(s, place, field.storage))
    whole = dict(enumerate(game.pack.counts))
    for cards in packs.values():
        assert dict(cards) == whole


def there_is_always_a_legal_choice_before_the_end(game: Game[Any], s: State) -> None:
    if s.phase >= 0:
        legal = game.legal(s)
        assert 0 < legal < 1 << len(game.notation[s.phase])
        assert 0 <= s.turn < s.players


def asking_changes_nothing(game: Game[Any], s: State) -> None:
    before = plain.copy_of(s)
    if s.phase >= 0:
        game.legal(s)
    for seat in (views.ONLOOKER, 0):
        views.view(game, s, seat)
    assert s == before


def what_is_publicly_known_is_true(game: Game[Any], s: State) -> None:
    for place, field in views.places(s):
        assert field.storage is not None
        there = Counter(views.cards_in(s, place, field.storage))
        if field.known_absent:
            lacks = views.content(s, views.Place(field.known_absent, place.seat))
            for card, copies in there.items():
                missing = count(lacks, card) if isinstance(lacks, list) else (lacks >> card & 1) * game.pack.counts[card]
                assert copies <= game.pack.counts[card] - missing
        if field.known_present:
            shown = Counter(views.listed(views.content(s, views.Place(field.known_present, place.seat)), field.storage))
            assert shown <= there


def a_choice_prints_and_parses_back(game: Game[Any], s: State) -> None:
    if s.phase >= 0:
        choice = game.legal(s).bit_length() - 1
        assert plain.read(game, s, plain.write(game, s, choice)) == choice
        assert observation.action_of(game, observation.action_id(game, s.phase, choice)) == (s.phase, choice)


def an_illegal_choice_is_refused_with_a_sentence(game: Game[Any], s: State) -> None:
    if s.phase >= 0:
        notation, legal = game.notation[s.phase], game.legal(s)
        illegal = [choice for choice in range(len(notation)) if not legal & bit(choice)]
        for choice in illegal[:: max(1, len(illegal) // 3)]:
            with pytest.raises(plain.Refused, match=r"\S+ .*[.]$"):
                plain.read(game, s, notation[choice])


def every_number_is_in_its_declared_range(game: Game[Any], s: State) -> None:
    for name, field in fields_of(game.state).items():
        if not field.is_set:
            for value in flat(getattr(s, name)):
                assert field.low <= value <= field.high or value in (field.start, NOTHING), name


def flat(value: Any) -> list[int]:
    return [each for part in value for each in flat(part)] if isinstance(value, list) else [value]


def a_copy_is_equal_and_independent(game: Game[Any], s: State) -> None:
    twin = plain.copy_of(s)
    assert twin == s and hash(twin) == hash(s) and repr(twin) == repr(s)
    if s.phase >= 0:
        game.rules.apply(twin, game.legal(twin).bit_length() - 1)
        assert twin != s and repr(twin) != repr(s)


CONTRACT = (
    every_card_is_in_exactly_one_place,
    there_is_always_a_legal_choice_before_the_end,
    asking_changes_nothing,
    what_is_publicly_known_is_true,
    a_choice_prints_and_parses_back,
    an_illegal_choice_is_refused_with_a_sentence,
    every_number_is_in_its_declared_range,
    a_copy_is_equal_and_independent,
)


@EVERY_GAME
@settings(max_examples=12, deadline=None)
@given(data=st.data(), seed=SEEDS)
def test_the_contract_holds_at_every_step(game: Game[Any], data: st.DataObject, seed: int) -> None:
    players, options = data.draw(set_ups(game))
    dealt = False
    for s in walk(game, players, options, seed):
        dealt = dealt or s.phase >= 0
        for sentence in CONTRACT if dealt else ():
            if sentence is not every_card_is_in_exactly_one_place or s.phase >= 0:
                sentence(game, s)


@EVERY_GAME
@settings(max_examples=12, deadline=None)
@given(data=st.data(), seed=SEEDS)
def test_a_guess_cannot_be_told_from_the_truth(game: Game[Any], data: st.DataObject, seed: int) -> None:
    """view(redeal(view)) == view; every card is in one place; known facts stay true; and the player in turn has the same choices."""
    players, options = data.draw(set_ups(game))
    every, rng = data.draw(st.integers(20, 60)), [seeded(seed, 1)]
    for step, s in enumerate(walk(game, players, options, seed)):
        if s.phase < 0 or step % every:
            continue
        for seat in (views.ONLOOKER, *range(players)):
            seen = views.view(game, s, seat)
            guess = redeal.redeal(seen, rng)
            assert views.view(game, guess, seat) == seen
            every_card_is_in_exactly_one_place(game, guess)
            what_is_publicly_known_is_true(game, guess)


@EVERY_GAME
def test_every_field_is_shown_or_hidden_by_declaration(game: Game[Any]) -> None:
    """A view differs from the state only in places that the seat does not see, which are empty in it."""
    for step, s in enumerate(walk(game, game.players[-1], {}, 5)):
        if s.phase < 0 or step % 50 != 7:
            continue
        for seat in (views.ONLOOKER, *range(s.players)):
            seen = views.view(game, s, seat)
            hidden = {place for place, field in views.places(s) if not seen.sees(place, field)}
            together = game.choices[s.phase].together
            for name, field in fields_of(game.state).items():
                theirs, ours = getattr(seen.state, name), getattr(s, name)
                if field.storage is None and field.seen_by is EVERYONE and not (together and name in ("turn", "waiting")):
                    assert theirs == ours
                elif field.storage is None and field.seen_by is OWNER and field.per_seat:
                    assert theirs == [ours[other] if other == seat else blank for other, blank in enumerate(field.blank())]
            for place, field in views.places(s):
                assert field.storage is not None
                assert seen.sizes[place] == views.how_many(s, place, field.storage)
                if place not in hidden:
                    assert views.content(seen.state, place) == views.content(s, place)
                elif field.storage is PILE:
                    assert set(views.content(seen.state, place)[1:]) == {-1}
                else:
                    assert views.cards_in(seen.state, place, field.storage) == []
            if not together:
                assert seen.legal == (game.legal(s) if seat == s.turn else 0)


@EVERY_GAME
def test_a_match_is_its_options_and_events(game: Game[Any]) -> None:
    """Replaying the events in notation gives the same state, field by field."""
    rng = [seeded(11, 0)]
    s = plain.begin(game, game.players[0])
    events: list[str] = []
    while s.phase != OVER and len(events) < 400:
        event = next_event(game, s, rng)
        assert plain.is_legal(game, s, event)
        events.append(plain.write(game, s, event))
        plain.step(game, s, event)
    again = plain.begin(game, game.players[0])
    for text in events:
        plain.step(game, again, plain.read(game, again, text))
    assert again == s


@EVERY_GAME
def test_chance_events_are_checked(game: Game[Any]) -> None:
    s = plain.begin(game, game.players[-1])
    things = plain.to_shuffle(game, s)
    names = plain.thing_names(game, s.phase, s.players)
    verb = "lots" if s.phase == -3 else "deal"
    for wrong, why in (
        ("play HQ", "waits for"),
        (f"{verb} X9", "is not a"),
        (f"{verb} {names[0]}", "each of the"),
        (" ".join([verb, *(names[thing] for thing in [things[0], *things[:-1]])]), "each of the"),
    ):
        with pytest.raises(plain.Refused, match=why):
            plain.read(game, s, wrong)
    assert not plain.is_legal(game, s, 0)
    assert not plain.is_legal(game, s, tuple(things[:-1]))
    assert plain.is_legal(game, s, tuple(things))


@EVERY_GAME
def test_nothing_happens_after_the_end(game: Game[Any]) -> None:
    *_, s = walk(game, game.players[0], {}, 2)
    assert s.phase == OVER
    assert not plain.is_legal(game, s, 0)
    with pytest.raises(plain.Refused, match="over"):
        plain.read(game, s, "play HQ")
