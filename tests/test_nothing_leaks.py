"""Non-interference: permute what a seat cannot see, and nothing it gets changes. The same check finds each planted leak."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playing import walk

from kortlek.bots.search import Searcher
from kortlek.cards import top
from kortlek.engine import observation, plain, redeal, views
from kortlek.engine.rng import pick, seeded
from kortlek.game import Game, State, fields_of
from kortlek.game.registry import GAMES

Gets = Callable[[Game[Any], Any, int], object]
MATCHES = {"plump": 3, "up_and_down": 6, "trick_paper_scissors": 12, "rummy": 2, "cascade": 2}


def a_view(game: Game[Any], s: State, seat: int) -> object:
    seen = views.view(game, s, seat)
    return repr((seen.state, sorted(map(repr, seen.sizes.items())), seen.legal))


def a_mask_and_an_observation(game: Game[Any], s: State, seat: int) -> object:
    seen = views.view(game, s, seat)
    return observation.mask(seen), observation.observe(seen)


def a_redeal(game: Game[Any], s: State, seat: int) -> object:
    return repr(redeal.redeal(views.view(game, s, seat), [seeded(1, 2)]))


def a_search(game: Game[Any], s: State, seat: int) -> object:
    seen = views.view(game, s, seat)
    return Searcher(game, "plain", 50).think(seen, 4, 1) if seen.legal else None


def leaks(gets: Gets, game: Game[Any], every: int, first: int = 100) -> list[str]:
    """Where a seat gets something different when the cards it cannot see are permuted, in some random matches from number ``first`` on."""
    found, rng = [], [seeded(23, first)]
    for match in range(MATCHES.get(game.name, 2)):
        players = game.players[match % len(game.players)]
        for step, s in enumerate(walk(game, players, {}, first + match)):
            if s.phase < 0 or step % every:
                continue
            for seat in (views.ONLOOKER, *range(players)):
                other = redeal.redeal(views.view(game, s, seat), rng)
                if gets(game, s, seat) != gets(game, other, seat):
                    found.append(f"{game.name} match {match} step {step} seat {seat}")
    return found


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
@pytest.mark.parametrize("gets", [a_view, a_mask_and_an_observation, a_redeal])
def test_what_a_seat_gets_does_not_depend_on_what_it_cannot_see(game: Game[Any], gets: Gets) -> None:
    assert leaks(gets, game, every=7) == []


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_what_a_search_thinks_does_not_depend_on_hidden_cards(game: Game[Any]) -> None:
    assert leaks(a_search, game, every=61) == []


def hand_of_another(game: Game[Any], s: Any, seat: int) -> object:
    return s.hand[(seat + 1) % s.players]


def choices_of_another(game: Game[Any], s: Any, seat: int) -> object:
    return game.legal(s) if s.turn != seat else 0


def own_forehead(game: Game[Any], s: Any, seat: int) -> object:
    return s.forehead[seat] if seat >= 0 else 0


def foreheads_for_an_onlooker(game: Game[Any], s: Any, seat: int) -> object:
    return s.forehead[0] if seat < 0 else 0


def undealt_cards(game: Game[Any], s: Any, seat: int) -> object:
    return s.rest


def next_card_of_the_stock(game: Game[Any], s: Any, seat: int) -> object:
    return top(s.stock) if s.stock[0] else 0


def number_of_pairs_in_a_hand(game: Game[Any], s: Any, seat: int) -> object:
    return bin(s.hand[(seat + 1) % s.players][0]).count("1")


def own_deck_order(game: Game[Any], s: Any, seat: int) -> object:
    return s.deck[max(seat, 0)]


def a_card_of_the_deck_in_the_log(game: Game[Any], s: Any, seat: int) -> object:
    return f"{game.title}: the pack begins with {game.pack.names[s.deck[0][1]]}" if s.deck[0][0] else ""


def a_hash_of_the_whole_state(game: Game[Any], s: Any, seat: int) -> object:
    return hash(s)


PLANTED: list[tuple[str, Gets]] = [
    *((name, hand_of_another) for name in GAMES),
    ("trick_paper_scissors", choices_of_another),
    ("up_and_down", choices_of_another),
    ("plump", own_forehead),
    ("plump", foreheads_for_an_onlooker),
    ("plump", undealt_cards),
    ("trick_paper_scissors", undealt_cards),
    ("rummy", next_card_of_the_stock),
    ("rummy", number_of_pairs_in_a_hand),
    ("cascade", own_deck_order),
    ("cascade", a_card_of_the_deck_in_the_log),
    *((name, a_hash_of_the_whole_state) for name in GAMES),
]


@pytest.mark.parametrize(("name", "gets"), PLANTED, ids=lambda each: each if isinstance(each, str) else each.__name__)
def test_a_planted_leak_is_found(name: str, gets: Gets) -> None:
    assert leaks(gets, GAMES[name], every=7)


def test_a_players_own_card_in_the_forehead_round_is_nowhere_in_what_she_gets() -> None:
    """Give seat 0 every other card in turn: view, choices, observation and guesses stay the same."""
    game = GAMES["plump"]
    s = next(s for s in walk(game, 3, {}, 4) if s.phase == 0 and s.hand_size == 1 and s.turn == 0)
    got = [gets(game, s, 0) for gets in (a_view, a_mask_and_an_observation, a_redeal)]
    for card in range(52):
        if s.rest >> card & 1:
            other = plain.copy_of(s)
            other.rest ^= 1 << card | 1 << top(s.forehead[0])
            other.forehead[0] = [1, card]
            assert [gets(game, other, 0) for gets in (a_view, a_mask_and_an_observation, a_redeal)] == got


def hand_size(s: Any, seat: int) -> int:
    storage = fields_of(type(s))["hand"].storage
    return views.how_many(s, views.Place("hand", seat), storage) if seat >= 0 and storage else 0


def after_a_step_by_another(gets: Gets, game: Game[Any], every: int) -> list[str]:
    """Where a seat gets something different after another player has made the same choice with different hidden cards.

    Only this finds a public number that is computed from hidden cards. Steps that rightly show cards are skipped: those that end a round, those
    that give the seat a card (the free one in Cascade), those after which the turn differs between the two (a forced pass), and those with
    which, in only one of the two, the last of those who choose together has chosen."""
    found, rng = [], [seeded(29, 0)]
    for match in range(MATCHES.get(game.name, 2)):
        players = game.players[match % len(game.players)]
        for step, s in enumerate(walk(game, players, {}, 200 + match)):
            if s.phase < 0 or step % every:
                continue
            for seat in (views.ONLOOKER, *range(players)):
                one, other = plain.copy_of(s), redeal.redeal(views.view(game, s, seat), rng)
                both = game.legal(one) & game.legal(other)
                if seat == s.turn or not both:
                    continue
                choice = pick(both, rng)
                game.apply(one, choice)
                game.apply(other, choice)
                if (
                    one.phase != other.phase
                    or s.round != one.round
                    or s.round != other.round
                    or one.turn != other.turn
                    or hand_size(one, seat) != hand_size(s, seat)
                ):
                    continue
                if gets(game, one, seat) != gets(game, other, seat):
                    found.append(f"{game.name} match {match} step {step} seat {seat}")
    return found


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_what_another_player_does_tells_no_more_than_the_rules_say(game: Game[Any]) -> None:
    assert after_a_step_by_another(a_view, game, every=3) == []


def test_a_public_number_worked_out_from_a_hidden_hand_is_found() -> None:
    """Planted bug: a public field that says whether the player in turn could lay melds."""
    from kortlek.games.rummy import rules as rummy

    def whether_she_could_lay(game: Game[Any], s: Any, seat: int) -> object:
        return s.phase == rummy.TURN and rummy.legal_kinds(s, 0) != 0

    assert after_a_step_by_another(whether_she_could_lay, GAMES["rummy"], every=3)
