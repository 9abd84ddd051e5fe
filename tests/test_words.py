"""Words: every message has a text in every language, and there are no others; what a game does not define has default words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor
from playing import next_event

from kortlek.bots import levels_of
from kortlek.bots.levels import house_of
from kortlek.cards import Cards, bit, members
from kortlek.engine import plain
from kortlek.engine.events import Step, acts_of, events_of
from kortlek.engine.messages import offer, why_not
from kortlek.engine.rng import seeded
from kortlek.engine.views import ONLOOKER, OPEN, opened, view
from kortlek.game import CARD, OVER, OWNER, Choice, Game, Message, Part, State, amount, cards, choice_option, count, fields_of, state, suit
from kortlek.game.registry import GAMES, layout_of
from kortlek.words.describe import described, page_of
from kortlek.words.sources import LANGUAGES, own, packaged, third_person
from kortlek.words.table import text_table
from kortlek.words.words import Texts, Words, terminal, words_of

SOURCE = Path(__file__).parent.parent / "src" / "kortlek"
FILES = {
    **{name: [SOURCE / "games" / name / f"words.{language}.ftl" for language in LANGUAGES] for name in GAMES},
    "tricks": [SOURCE / "games" / f"tricks.words.{language}.ftl" for language in LANGUAGES],
    "common": [SOURCE / "words" / f"common.{language}.ftl" for language in LANGUAGES],
    "terminal": [SOURCE / "words" / f"terminal.{language}.ftl" for language in LANGUAGES],
}
"""The files of words, each in every language."""
FROM_THE_GAME = re.compile(
    r"(title|about|variant-\d+|sheet-(title|cell|total)|(option|ask|choice|event|place|field|metric|level|bot|card|suit|rank|name|value)(-.*)?)$"
)
"""Ids that are derived from the names of a game or a bot."""
ENGLISH = re.compile(
    r"\b(the|of|you|your|is|are|was|has|have|with|and|or|not|to|it|no|yes|cards?|plays?|bids?|takes?|gets?|nothing|yet|from|tricks?|round|deal)\b",
    re.I,
)
PLAYERS = ("Åsa", "Bo", "Cilla", "David")


# ---- the files


class Variables(Visitor):
    """The variables of a message."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:
        self.found.add(node.id.name)


@cache
def messages(file: Path) -> Mapping[str, tuple[set[str], set[str]]]:
    """Every message of a file, with its variables and its attributes."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for entry in FluentParser().parse(file.read_text(encoding="utf-8")).body:
        assert not isinstance(entry, ast.Junk), f"{file}: {entry.content}"
        if isinstance(entry, ast.Message):
            assert entry.id.name not in found, f"{file}: {entry.id.name} is there twice"
            variables = Variables()
            variables.visit(entry)
            found[entry.id.name] = (variables.found - {"you", "them"}, {each.id.name for each in entry.attributes})
    return found


@pytest.mark.parametrize("name", FILES)
def test_both_languages_say_the_same_with_the_same_arguments(name: str) -> None:
    english, *others = FILES[name]
    assert messages(english)
    for other in others:
        assert messages(other) == messages(english)


@pytest.mark.parametrize("name", FILES)
def test_no_english_is_left_in_swedish(name: str) -> None:
    file = FILES[name][LANGUAGES.index("sv")]
    texts = Texts([packaged("common", "sv"), file.read_text(encoding="utf-8")], "sv")
    for id, (variables, attributes) in messages(file).items():
        for attribute in ("", *attributes):
            said = texts.text(id, attribute, **dict.fromkeys(variables, "")).replace("Up and Down", "")
            assert not ENGLISH.search(re.sub(r"kortlek \w+( --\w+)?|\w+/\w+", "", said)), (id, said)


@pytest.mark.parametrize("name", FILES)
def test_swedish_has_one_word_for_each_thing(name: str) -> None:
    words = FILES[name][LANGUAGES.index("sv")].read_text(encoding="utf-8").lower()
    for other in ("botar", "ett poäng", "runda", "parti(et|er)?\\b", "äss", "kom åter"):
        assert not re.search(rf"\b{other}", words), other


def literals() -> str:
    """The source of the package, as one text."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py")))


@pytest.mark.parametrize("name", FILES)
def test_no_message_is_there_that_nobody_says(name: str) -> None:
    source, words = literals(), FILES[name][0].read_text(encoding="utf-8")
    for id in messages(FILES[name][0]):
        assert FROM_THE_GAME.match(id) or f'"{id}"' in source or re.search(rf"\{{ {id} \}}", words) or id.startswith("you-"), id


def known_names(game: Game[Any]) -> Iterator[str]:
    """The ids derived from the names of a game."""
    for choice in game.choices:
        yield f"ask-{choice.name}"
        yield from (each for part in choice.parts for each in (f"choice-{part.verb}", f"event-{part.verb}"))
        yield f"event-{choice.act}"
    for name, field in fields_of(game.state).items():
        yield from (f"place-{name}", f"field-{name}", f"option-{name}", f"event-{name}" if field.event else f"field-{name}")
        yield from (f"option-{name}-{value}" for value, _ in (field.option.names if field.option else ()))


@pytest.mark.parametrize("name", GAMES)
def test_no_words_are_about_something_that_the_game_does_not_have(name: str) -> None:
    game, everyone = GAMES[name], messages(FILES["common"][0])
    known = {*known_names(game), *(f"{kind}-{level.replace('/', '-')}" for level in levels_of(game) for kind in ("level", "bot"))}
    for id in messages(FILES[name][0]):
        if re.match("(ask|choice|event|place|field|option|level|bot)-", id):
            assert id in known or id in everyone, id


# ---- every message


class Strict(Words):
    """Words for which a missing message or argument is an error."""

    said: set[str]

    def text(self, id: str, attribute: str = "", /, **args: Any) -> str:
        assert self.has(id), id
        message = self._bundle.get_message(id)
        pattern = message.attributes.get(attribute) if attribute else message.value
        assert pattern is not None, (id, attribute)
        text, errors = self._bundle.format_pattern(pattern, args)
        assert not errors, (id, errors, args)
        self.__dict__.setdefault("said", set()).add(id)
        return str(text)


def strict(game: Game[Any], language: str) -> Strict:
    """The words of a game in a language without the default words, so that missing texts are found."""
    words = Strict(game, language)
    modules = dict.fromkeys(each.__module__ for each in reversed(game.state.__mro__))
    written = Texts([packaged("common", language), *(own(module, language) for module in modules)], language)
    words._bundle = written._bundle
    return words


def happening(game: Game[Any], players: int, options: dict[str, object], seed: int) -> Iterator[Step]:
    s, rng = plain.begin(game, players, options), [seeded(seed, 0)]
    while s.phase != OVER:
        before, event = plain.copy_of(s), next_event(game, s, rng)
        plain.step(game, s, event)
        yield Step(before, event, plain.copy_of(s))


def some_of(choices: Cards, many: int = 3) -> list[int]:
    return list(members(choices))[:many]


def say_everything(words: Strict, game: Game[Any], step: Step) -> None:
    """Say everything that can be said about a state in which a player has to choose."""
    s, layout = step.after, layout_of(game)
    names = PLAYERS[: s.players]
    for viewer in (ONLOOKER, OPEN, s.turn):
        text_table(opened(game, s) if viewer == OPEN else view(game, s, viewer), words, names)
    if layout.last and (last := layout.last(s)):
        words.say(last, names, s.turn)
    if s.phase < 0:
        return
    words.ask(s.phase)
    legal = game.legal(s)
    all_of_them = bit(len(game.alternatives[s.phase])) - 1
    for choice in members(all_of_them & ~legal):
        words.say(why_not(game, s, choice), names, s.turn)
    for choice in members(legal):
        words.say(offer(game, s, choice))
    for choice in some_of(legal):
        words.say(house_of(game).reason(s, choice), names, s.turn)
    for earned in (layout.earns(s) if layout.earns else {}).values():
        words.say(earned)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_everything_that_happens_has_words_in_the_files_of_the_game(name: str, language: str) -> None:
    game = GAMES[name]
    words = strict(game, language)
    given: dict[str, dict[str, object]] = {
        "rummy": {"threshold": 0, "games": 2, "round_limit": 30},
        "cascade": {"games": 1},
        "plump": {"first_dealer": "random"},
    }
    for seed, players in enumerate((game.players[0], game.players[-1] if game.players[-1] <= 4 else 4)):
        for number, act in enumerate(acts_of(game, happening(game, players, given.get(name, {}), seed))):
            for viewer in (ONLOOKER, OPEN, 1):
                words.log(events_of(game, act, viewer), PLAYERS[:players], viewer)
            if number % 7 == 0 or act[-1].after.round > act[0].before.round:
                say_everything(words, game, act[-1])
    for id in ("title", "about", "sheet-title"):
        words.text(id)
    for option in game.options:
        words.text(f"option-{option}")
        words.text(f"option-{option}", "about")
    for level in levels_of(game):
        assert words.about_level(level)
        assert words.level(level)


def prose(game: Game[Any], language: str = "en") -> str:
    """The text of a match, with its tables, questions and reasons."""
    words = strict(game, language)
    lines: list[str] = []
    collect = words.text

    def kept(id: str, attribute: str = "", /, **args: Any) -> str:
        lines.append(collect(id, attribute, **args))
        return lines[-1]

    words.text = kept  # type: ignore[method-assign]
    for number, act in enumerate(acts_of(game, happening(game, 4, {"games": 1} if "games" in game.options else {}, 1))):
        words.log(events_of(game, act, ONLOOKER), PLAYERS, ONLOOKER)
        if number % 5 == 0:
            say_everything(words, game, act[-1])
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "never"), [("plump", r"\btricks?\b"), ("up_and_down", r"\btricks?\b|\bbids?\b|\bticks?\b"), ("rummy", r"\btricks?\b")]
)
def test_a_game_has_its_own_words_for_a_trick_and_a_bid(name: str, never: str) -> None:
    assert re.findall(never, prose(GAMES[name]), re.I) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_has_words(language: str) -> None:
    for id, (variables, _) in messages(SOURCE / "words" / f"terminal.{language}.ftl").items():
        assert terminal(language).text(id, **dict.fromkeys(variables, "x")) != id


def test_swedish_numbers_and_names() -> None:
    words = words_of(GAMES["plump"], "sv")
    better = Message("why-better", {"points": 1.5})
    assert words.say(better) == "; 1,5 poäng bättre än det näst bästa"
    assert words.name(0, PLAYERS, 1, "whose") == "Åsas"
    assert words_of(GAMES["rummy"], "sv").card(53) == "röd joker"


def test_a_language_without_words_is_english() -> None:
    assert words_of(GAMES["plump"], "fi").text("ask-bid") == "How many ticks will you take?"


# ---- a game without a words file


@state(seats=2)
class Trial(State):
    """A game without a words file."""

    strictness: int = choice_option("very_strict", "lax")
    trump: int = suit()
    hand: list[int] = cards(per_seat=True, seen_by=OWNER)
    pile_of_gold: int = cards()
    luck: list[int] = count(0, 9, per_seat=True, event=True)


def trial_deal(s: Trial, pack: list[int]) -> None:
    s.hand[0], s.hand[1], s.phase = 0b111, 0b111000, 0
    s.pile_of_gold = bit(52) - 1 & ~0b111111


def trial_apply(s: Trial, choice: int) -> None:
    s.luck[s.turn] += 1
    s.round, s.phase = 1, OVER


TRIAL = Game(
    "trial",
    players=range(2, 3),
    state=Trial,
    choices=(Choice("do", Part("try", CARD), Part("raise_to", amount(1, 3)), Part("pass")),),
    deal=trial_deal,
    legal=lambda s: s.hand[s.turn] | 0b1111 << 52,
    apply=trial_apply,
)


def test_a_game_without_words_has_plain_ones_made_from_its_names() -> None:
    words = words_of(TRIAL)
    s = plain.begin(TRIAL, 2, {"strictness": "lax"})
    s.trump = 2
    plain.step(TRIAL, s, tuple(range(52)))
    assert text_table(view(TRIAL, s, 0), words, ("Ann", "Bo")) == [
        "Trial, deal 1",
        "Luck: You 0, Bo 0",
        "Hand: Bo 3 cards",
        "Pile of gold: " + words.by_suit(range(6, 52)),
        "Score: You 0, Bo 0",
        "Options: Strictness: lax",
        "Your hand: 2♣ 3♣ 4♣",
    ]
    assert words.ask(0) == "Do?"
    assert [words.choice(s, choice) for choice in (0, 52, 55)] == ["Try 2♣", "Raise to 1", "Pass"]
    before = plain.copy_of(s)
    plain.step(TRIAL, s, 0)
    act = [Step(before, 0, s)]
    assert words.log(events_of(TRIAL, act, 0), ("Ann", "Bo"), 0) == ["You try 2♣", "You: luck 1", "You and Bo share the win"]
    assert words.log(events_of(TRIAL, act, 1), ("Ann", "Bo"), 1)[0] == "Ann tries 2♣"
    assert words.text("option-strictness-very_strict") == "very strict"
    assert described(TRIAL)["options"]["strictness"]["allowed"] == "very_strict or lax"


@pytest.mark.parametrize(("verb", "third"), [("try", "tries"), ("play", "plays"), ("pass", "passes"), ("go out", "goes out"), ("fetch", "fetches")])
def test_a_verb_in_the_third_person(verb: str, third: str) -> None:
    assert third_person(verb) == third


# ---- the rule books


def outline(page: str) -> list[tuple[int, int, int]]:
    """For each section: the rank of its heading, and the number of table rows and list items."""
    sections = re.split(r"^(#+) .*$", page, flags=re.M)[1:]
    return [
        (len(rank), len(re.findall(r"^\|", text, re.M)), len(re.findall(r"^(?:\*|\d\.) ", text, re.M)))
        for rank, text in zip(sections[::2], sections[1::2])
    ]


def book(name: str, language: str) -> str:
    return (SOURCE / "games" / name / f"rules.{language}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("name", GAMES)
def test_a_rule_book_says_the_same_in_every_language(name: str, language: str) -> None:
    english, other = book(name, "en"), book(name, language)
    assert outline(other) == outline(english)
    for pattern in (r"^\| `([^`]+)`", r"`([a-z_]+=?[a-z_]*)[ `]", r"(?<![\w.])(\d+)(?![\w.])"):
        assert sorted(re.findall(pattern, other, re.M)) == sorted(re.findall(pattern, english, re.M)), pattern


@pytest.mark.parametrize("name", GAMES)
def test_a_language_without_a_rule_book_gets_the_english_one(name: str) -> None:
    english = book(name, "en")
    assert page_of(GAMES[name]) == page_of(GAMES[name], "en") == page_of(GAMES[name], "fi") == page_of(GAMES[name], "../games") == english
    assert page_of(GAMES[name], "sv") == book(name, "sv")
