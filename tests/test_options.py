"""Options: what the players may agree on before a match, how it is written, and the messages for impossible values."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from kortlek.engine import plain
from kortlek.game import OVER
from kortlek.game.registry import GAMES
from kortlek.words.describe import page_of

EVERY_OPTION = [(name, option) for name, game in GAMES.items() for option in game.options]
EVERY_NAMED = [(game, option) for game, option in EVERY_OPTION if GAMES[game].options[option].names]


def begin(game: str, players: int, options: Mapping[str, object] | None = None) -> Any:
    """A match with these options."""
    return plain.begin(GAMES[game], players, options)


def most_players(game: str) -> int:
    """The largest number of players of a game."""
    return GAMES[game].players[-1]


def refusal(game: str, players: int, options: Mapping[str, object] | None = None) -> str:
    """The sentence that refuses options."""
    with pytest.raises(plain.Refused) as refused:
        begin(game, players, options)
    return str(refused.value)


STARS = [1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3]
DEFAULTS: list[tuple[str, int, dict[str, object]]] = [
    ("plump", 4, {"first_lead": "first_bidder", "first_dealer": "last_seat"}),
    ("up_and_down", 3, {"largest_round": 5, "first_bettor": "random"}),
    ("up_and_down", 10, {"largest_round": 5, "first_bettor": "random"}),
    ("trick_paper_scissors", 4, {"discard_face_up": "no", "stars": STARS, "deals": 1, "first_dealer": "last_seat"}),
    ("rummy", 2, {"threshold": 40, "threshold_suffices": "no", "games": 1, "earliest_laying_round": 1, "round_limit": 200}),
    ("cascade", 2, {"hand_sizes": [4, 5], "games": 2}),
    ("cascade", 3, {"hand_sizes": [4, 5, 6], "games": 3}),
    ("cascade", 4, {"hand_sizes": [3, 4, 5, 6], "games": 4}),
]


@pytest.mark.parametrize(("game", "players", "expected"), DEFAULTS)
def test_the_options_and_their_defaults_are_those_of_the_rule_books(game: str, players: int, expected: dict[str, object]) -> None:
    assert plain.options_of(GAMES[game], begin(game, players)) == expected


CHOSEN: list[tuple[str, int, dict[str, object]]] = [
    ("plump", 4, {"first_lead": "highest_bidder", "first_dealer": "random"}),
    ("plump", 4, {"first_lead": "first_bidder", "first_dealer": 2}),
    ("up_and_down", 3, {"largest_round": 17, "first_bettor": 2}),
    ("trick_paper_scissors", 3, {"discard_face_up": "yes", "stars": list(range(9)) + [9, 0, 0, 1], "deals": 3, "first_dealer": 0}),
    ("rummy", 6, {"threshold": 0, "threshold_suffices": "yes", "games": 5, "earliest_laying_round": 2, "round_limit": 1}),
    ("cascade", 3, {"hand_sizes": [1, 13, 7], "games": 6}),
]


@pytest.mark.parametrize(("game", "players", "options"), CHOSEN)
def test_options_are_recorded_as_people_write_them_and_read_back(game: str, players: int, options: dict[str, object]) -> None:
    s = begin(game, players, options)
    spoken = plain.options_of(GAMES[game], s)
    assert spoken == options
    assert begin(game, players, spoken) == s


@pytest.mark.parametrize(("game", "players", "options"), CHOSEN)
def test_options_may_be_given_as_text(game: str, players: int, options: dict[str, object]) -> None:
    text = {name: ",".join(map(str, value)) if isinstance(value, list) else str(value) for name, value in options.items()}
    assert begin(game, players, text) == begin(game, players, options)


@pytest.mark.parametrize(("game", "players", "options"), CHOSEN)
def test_options_stay_as_they_are_through_a_match(game: str, players: int, options: dict[str, object]) -> None:
    s = begin(game, players, options)
    for _ in range(300):
        if s.phase == OVER:
            break
        event = tuple(plain.to_shuffle(GAMES[game], s)) if s.phase < 0 else GAMES[game].legal(s).bit_length() - 1
        plain.step(GAMES[game], s, event)
    assert plain.options_of(GAMES[game], s) == options


def test_yes_and_no_may_be_true_and_false() -> None:
    assert begin("trick_paper_scissors", 4, {"discard_face_up": True}) == begin("trick_paper_scissors", 4, {"discard_face_up": "yes"})
    assert begin("trick_paper_scissors", 4, {"discard_face_up": False}) == begin("trick_paper_scissors", 4, {"discard_face_up": "no"})
    assert begin("trick_paper_scissors", 4, {"discard_face_up": True}) != begin("trick_paper_scissors", 4, {"discard_face_up": False})


# ---- what is refused, and what the sentence says


@pytest.mark.parametrize("game", GAMES)
def test_an_unknown_option_is_refused_with_the_names_of_all_options(game: str) -> None:
    sentence = refusal(game, most_players(game), {"joker": 1})
    assert f"{GAMES[game].title} has no option 'joker'" in sentence
    assert sentence.endswith(f"Its options are: {', '.join(GAMES[game].options)}.")


@pytest.mark.parametrize("game", GAMES)
def test_too_many_or_too_few_players_are_refused_with_the_numbers_that_are_possible(game: str) -> None:
    fewest, most = GAMES[game].players[0], GAMES[game].players[-1]
    possible = f"{fewest} to {most}" if fewest < most else f"{most}"
    for players in (fewest - 1, most + 1, 0, -1, 1000):
        assert refusal(game, players) == f"{GAMES[game].title} is for {possible} players, not {players}."


RANGES = [
    ("plump", 4, "first_dealer", [4, -3, 100], "last_seat or random or a whole number from 0 to 3"),
    ("plump", 2, "first_dealer", [2], "last_seat or random or a whole number from 0 to 1"),
    ("up_and_down", 4, "largest_round", [0, 13, -1], "a whole number from 1 to 12"),
    ("trick_paper_scissors", 4, "deals", [0, 101, -1], "a whole number from 1 to 100"),
    ("trick_paper_scissors", 3, "first_dealer", [3], "last_seat or random or a whole number from 0 to 2"),
    ("rummy", 4, "threshold", [-1, 136], "a whole number from 0 to 135"),
    ("rummy", 4, "round_limit", [0], "a whole number from 1 to 10000"),
    ("cascade", 2, "games", [0, 101], "a whole number from 1 to 100"),
]


@pytest.mark.parametrize(("game", "players", "name", "wrong", "words"), RANGES)
def test_a_number_out_of_range_is_refused_with_the_range(game: str, players: int, name: str, wrong: list[int], words: str) -> None:
    for given in wrong:
        assert f"{name}={given} is not possible: {name} is {words}." == refusal(game, players, {name: given})


@pytest.mark.parametrize(("game", "option"), EVERY_NAMED)
def test_a_wrong_word_is_refused_with_the_words_that_are_possible(game: str, option: str) -> None:
    for given in ("maybe", "", "Random", "first bidder"):
        sentence = refusal(game, most_players(game), {option: given})
        assert f"{option}={given} is not possible" in sentence
        assert all(name in sentence for name, _ in GAMES[game].options[option].names)


@pytest.mark.parametrize(("game", "option"), EVERY_OPTION)
def test_a_value_of_the_wrong_type_is_refused_with_a_sentence(game: str, option: str) -> None:
    wrong: list[object] = [None, 1.5, [], {}, "1e3", "--1", "²", "1" * 5000, object, b"1"]
    for given in wrong:
        assert f"{option} is " in refusal(game, most_players(game), {option: given})


@pytest.mark.parametrize(("game", "option"), [each for each in EVERY_OPTION if not GAMES[each[0]].options[each[1]].length])
def test_a_list_is_refused_where_one_value_is_wanted(game: str, option: str) -> None:
    assert f"{option}=1,2 is not possible" in refusal(game, most_players(game), {option: [1, 2]})


@pytest.mark.parametrize(("game", "option"), [each for each in EVERY_OPTION if "yes" not in dict(GAMES[each[0]].options[each[1]].names)])
def test_true_and_false_are_refused_where_no_yes_or_no_is_wanted(game: str, option: str) -> None:
    for given in (True, False):
        assert f"{option}={given} is not possible" in refusal(game, most_players(game), {option: given})


@pytest.mark.parametrize("wrong", [[4, 5, 6], [4], [0, 5], [4, 14], "4", "4,5,6", "four five"])
def test_a_list_of_the_wrong_length_or_range_is_refused_with_both(wrong: object) -> None:
    assert refusal("cascade", 2, {"hand_sizes": wrong}).endswith(
        "hand_sizes is 2 whole numbers from 1 to 13, separated by commas (or bands such as 1-2:3)."
    )


@pytest.mark.parametrize(("game", "option"), EVERY_NAMED)
def test_the_number_behind_a_name_is_not_a_value(game: str, option: str) -> None:
    declared = GAMES[game].options[option]
    players = GAMES[game].players[-1]
    for _, number in declared.names:
        if number not in declared.allowed(players):
            assert "is not possible" in refusal(game, players, {option: number})


# ---- the pages say the same


def page_rows(game: str) -> dict[str, list[str]]:
    """The table of options on a game's page: for each option its values, its default, and what it changes."""
    page = page_of(GAMES[game])
    table = page[page.index("\n## Options") : page.index("\n## Choices")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("| `")]
    return {row[0].strip("`"): row[1:] for row in rows}


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_game_lists_its_options_and_no_others(game: str) -> None:
    assert list(page_rows(game)) == list(GAMES[game].options)


@pytest.mark.parametrize(("game", "option"), EVERY_NAMED)
def test_the_page_of_a_game_lists_the_named_values_of_an_option(game: str, option: str) -> None:
    values, default, _ = page_rows(game)[option]
    names = {name for name, _ in GAMES[game].options[option].names}
    assert set(re.findall("`([^`]+)`", values)) == names
    assert default.strip("`") == plain.options_of(GAMES[game], begin(game, most_players(game)))[option]
