"""The words of tables: complete in every language, with the same arguments, and nothing else; no name can be taken for one of these words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tables import ANN, QUICK, Room, message_from, room, two

from kortlek.engine.plain import Refused, Spoken, read_options
from kortlek.engine.view_json import message_to_json
from kortlek.game.registry import GAMES
from kortlek.table import news
from kortlek.table.protocol.client_in import Change, Choose, Join
from kortlek.table.refusals import Refusal
from kortlek.table.table import STRANGER
from kortlek.table.words import game_source, table_source, words_at_table
from kortlek.words.sources import ENGLISH, LANGUAGES

TABLE = Path(news.__file__).parent
USED = re.compile(r'"((?:table|refuse)-[a-z-]+)"')


def messages_in(source: str) -> dict[str, set[str]]:
    """Each message of a words file, and the arguments it uses."""
    found: dict[str, set[str]] = {}
    for line in source.splitlines():
        if head := re.match(r"([a-z][\w-]*) =", line):
            last = found.setdefault(head[1], set())
        if not line.startswith("#") and found:
            last |= set(re.findall(r"\$(\w+)", line))
    return found


ENGLISH_WORDS = messages_in(table_source(ENGLISH))
PERSON = {"you", "who", "whose", "them"}
"""Cases of a name: a language may need others."""


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_every_language_says_the_same_things_of_the_same_arguments(language: str) -> None:
    there = messages_in(table_source(language))
    assert there.keys() == ENGLISH_WORDS.keys()
    for id, arguments in ENGLISH_WORDS.items():
        assert there[id] - PERSON == arguments - PERSON, id


def test_all_that_is_said_has_words_and_no_words_are_left_over() -> None:
    engine = TABLE.parent / "engine" / "plain.py", TABLE.parent / "bots" / "levels.py", TABLE / "journal.py"
    used = {id for path in [*TABLE.rglob("*.py"), *engine] for id in USED.findall(path.read_text())}
    assert used == ENGLISH_WORDS.keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_no_words_of_a_game_are_taken_for_those_of_the_table(name: str, language: str) -> None:
    assert not ENGLISH_WORDS.keys() & messages_in(game_source(name, language)).keys()


# ---- messages to people in their own language


def test_a_refused_option_is_told_in_the_readers_language() -> None:
    at = room(**QUICK)
    words = words_at_table(at.table.game, "sv")
    wrong: tuple[tuple[dict[str, Spoken], str], ...] = (
        ({"largest_round": 99}, "Största giv kan inte vara 99. Möjligt: ett heltal från 1 till 25."),
        ({"first_bettor": "nobody"}, "Möjligt: "),
        ({"trumps": 1}, "har ingen variant ”trumps”. Varianterna är: largest_round, first_bettor."),
    )
    for options, said in wrong:
        with pytest.raises(Refusal) as refused:
            at.asks(ANN, Change(options=options))
        message = message_from(message_to_json(refused.value.message))
        assert said in words.say(message), words.say(message)
        with pytest.raises(Refused) as sentence:
            read_options(at.table.game, 2, options)
        assert refused.value.sentence == str(sentence.value)


def test_a_refused_choice_is_told_in_the_readers_language() -> None:
    at = two()
    with pytest.raises(Refusal) as refused:
        at.asks(ANN, Choose(seat=0, choice="bet 9", at=at.table.seq))
    said = words_at_table(at.table.game, "sv").say(refused.value.message)
    assert re.fullmatch("”.*9.*” är inte tillåtet: .*[.]", said), said


@pytest.mark.parametrize("name", ["You", "you", "YOU", "Du", "du", "DU"])
def test_nobody_can_be_called_what_the_table_calls_everyone(name: str) -> None:
    at = room(**QUICK)
    assert at.refuses(STRANGER, Join(name=name)) == "not_possible"
    with pytest.raises(Refusal, match="Nobody can be called"):
        Room(name=name, game="plump")
    at.asks(STRANGER, Join(name=f"{name}na"))
