"""Messages, events and cards as text in a language. Only this package imports Fluent.

The name of an argument determines its type (see ``kortlek.game.Message``). A seat ``who`` becomes "You" or the player's name in a sentence, and
``$you`` says which (yes, no): ``VERB($you, "play", "plays")`` is for languages whose verbs differ; ``whom`` and ``whose`` are other cases of a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from fluent.runtime import FluentBundle, FluentResource

from kortlek.cards import NOTHING, Card, written
from kortlek.engine.events import Event
from kortlek.engine.messages import offer
from kortlek.engine.plain import Spoken
from kortlek.engine.views import ONLOOKER
from kortlek.game import Game, Message, Names
from kortlek.words.columns import spell
from kortlek.words.sources import ENGLISH, LANGUAGES, packaged, sources


def verb_form(you: Any, second: Any, third: Any) -> Any:
    """The Fluent function ``VERB($you, "play", "plays")``: the second person for the player herself, the third person for others."""
    return second if you == "yes" else third


FUNCTIONS: dict[str, Any] = {"VERB": verb_form}


class Texts:
    """The messages of some Fluent sources in a language. Later sources override earlier ones."""

    def __init__(self, sources: Iterable[str], language: str) -> None:
        self.language = language
        self._bundle = FluentBundle([language], functions=FUNCTIONS, use_isolating=False)
        for text in sources:
            self._bundle.add_resource(FluentResource(text), allow_overrides=True)

    def has(self, id: str) -> bool:
        """Whether a message with this id exists."""
        return self._bundle.has_message(id)

    def text(self, id: str, attribute: str = "", /, **args: Any) -> str:
        """Format a message with arguments that are used unchanged; return the id if there is no such message."""
        if not self.has(id):
            return id
        message = self._bundle.get_message(id)
        pattern = message.attributes.get(attribute) if attribute else message.value
        return str(self._bundle.format_pattern(pattern, args)[0]) if pattern else ""


class Words(Texts):
    """The words of a game in a language."""

    def __init__(self, game: Game[Any], language: str = ENGLISH) -> None:
        super().__init__(sources(game, language if language in LANGUAGES else ENGLISH), language)
        self.game = game

    # ---- messages and events

    def say(self, message: Message, names: Names = (), viewer: int = ONLOOKER) -> str:
        """Format a message for a viewer."""
        return self.text(message.id, **self._arguments(message.args, names, viewer))

    def event(self, event: Event, names: Names = (), viewer: int = ONLOOKER, goes_on: bool = False) -> str:
        """Format an event for a viewer; empty if there is no message for it. An event that ``goes_on`` with a sentence does not name its player
        again."""
        id = f"event-{event.kind}"
        if not self.has(id):
            return ""
        args: dict[str, Any] = {"name": "", **event.args}
        if event.seat != NOTHING:
            args["who"] = event.seat
        said = self._arguments(args, names, viewer)
        return self.text(id, **({**said, "who": ""} if goes_on else said)).strip()

    def log(self, act: Iterable[Event], names: Names = (), viewer: int = ONLOOKER) -> list[str]:
        """The log lines for the events of an act. A player's choice and its consequences for her are one line: ``Lisa plays 7♥, takes the trick``."""
        lines: list[str] = []
        first = last = NOTHING
        for number, event in enumerate(act):
            first = event.seat if number == 0 else first
            more = self.event(event, names, viewer, goes_on=True) if number and event.seat == first == last != NOTHING else ""
            if more and more[0].isalnum():
                lines[-1] += f", {more}"
            elif line := self.event(event, names, viewer):
                lines.append(line)
            last = event.seat
        return lines

    def ending(self, winners: Sequence[int], names: Names = (), viewer: int = ONLOOKER) -> str:
        """The sentence about the winners of a match that is over."""
        return self.event(Event("match_over", NOTHING, {"seats": list(winners)}), names, viewer)

    def choice(self, s: Any, choice: int) -> str:
        """An alternative as it is offered: ``Play 7♥``."""
        return self.say(offer(self.game, s, choice))

    def ask(self, phase: int) -> str:
        """The question of a kind of choice."""
        return self.text(f"ask-{self.game.choices[phase].name}")

    # ---- arguments

    def argument(self, name: str, value: Any) -> str:
        """Format one argument."""
        return str(self._arguments({name: value}, (), ONLOOKER)[name])

    def _arguments(self, args: Mapping[str, Any], names: Names, viewer: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, value in args.items():
            if name == "who":
                made.update(
                    who=self.name(value, names, viewer), you="yes" if value == viewer else "no", whose=self.name(value, names, viewer, "whose")
                )
            elif name == "whom":
                made.update(whom=self.name(value, names, viewer, "whom"), them="yes" if value == viewer else "no")
            elif name == "seats":
                made.update(
                    seats=self.listed([self.name(seat, names, viewer, "within" if at else "who") for at, seat in enumerate(value)]), many=len(value)
                )
                made["you"] = "yes" if value == [viewer] else "no"
            elif name == "card":
                made["card"] = self.card(value)
            elif name == "cards":
                made.update(cards=self.cards(value), count=len(value))
            elif name in ("suit", "rank", "place"):
                made[name] = self.text(f"{name}-{value}")
            elif name == "name":
                made["name"] = self._keyword(value)
            elif isinstance(value, Message):
                made[name] = self.say(value, names, viewer)
            elif isinstance(value, list):
                made[name] = ", ".join(self.say(each, names, viewer) for each in value)
            else:
                made[name] = value
        if "card" in made or "cards" in made:  # a message may use $cards for one card, and $card for several
            made = {"cards": made.get("card"), "card": made.get("cards"), "count": 1, **made}
        return made

    def name(self, seat: int, names: Names, viewer: int, case: str = "who") -> str:
        """The name of a player for a viewer, in a grammatical case."""
        if seat == viewer:
            return self.text(f"you-{case}")
        name = names[seat] if 0 <= seat < len(names) and names[seat] else self.text("seat", number=seat + 1)
        return self.text("whose", name=name) if case == "whose" else name

    def listed(self, texts: Sequence[str]) -> str:
        """An enumeration: ``Lisa, Toby and you``."""
        return texts[0] if len(texts) == 1 else self.text("list", first=", ".join(texts[:-1]), last=texts[-1]) if texts else ""

    def card(self, card: Card) -> str:
        """A card as text: ``7♥``."""
        pack = self.game.pack
        if not 0 <= card < len(pack.names):
            return self.text("no-card")
        name = pack.names[card]
        if self.has(f"card-{name}"):
            return self.text(f"card-{name}")
        if self.has("card"):
            return self.text("card", suit=name[0], rank=name[1:])
        if pack.faces:
            return pack.faces[card].title
        return written(name)

    def cards(self, cards: Iterable[Card]) -> str:
        """Cards as text, separated by spaces; by commas if a name has several words."""
        names = [self.card(card) for card in cards]
        return (", " if any(" " in name for name in names) else " ").join(names)

    def by_suit(self, cards: Iterable[Card]) -> str:
        """Cards sorted, with a comma between the suits: ``2♣ K♣, Q♥``. The suit is the first letter of a card in notation; digits are not suits."""
        suits: dict[str, list[Card]] = {}
        for card in sorted(cards):
            first = self.game.pack.names[card][0]
            suits.setdefault("" if first.isdigit() else first, []).append(card)
        said = [self.cards(suit) for suit in suits.values()]
        return ("; " if any(", " in suit for suit in said) else ", ").join(said)

    # ---- options and bots

    def option(self, name: str, value: Spoken) -> str:
        """An option with its value: ``First lead: highest bidder``."""
        return f"{self.text(f'option-{name}')}: {self.option_value(name, value)}"

    def option_value(self, name: str, value: Spoken) -> str:
        """The value of an option in words."""
        return self.text(f"option-{name}-{value}") if self.has(f"option-{name}-{value}") else spell(value)

    def level(self, name: str) -> str:
        """The name of a level of bots."""
        id = f"level-{name.replace('/', '-')}"
        return self.text(id) if self.has(id) else name

    def about_level(self, name: str) -> str:
        """A short description of how a level of bots plays."""
        id = name.replace("/", "-")
        return self.text(f"bot-{id}") if self.has(f"bot-{id}") else self.text(f"level-{id}", "about")

    def _keyword(self, name: str) -> str:
        return self.text(f"name-{name}") if self.has(f"name-{name}") else name.replace("_", " ")


@cache
def words_of(game: Game[Any], language: str = ENGLISH) -> Words:
    """The words of a game, read once and cached."""
    return Words(game, language)


@cache
def terminal(language: str = ENGLISH) -> Texts:
    """The texts of the terminal, in addition to the words of a game."""
    return Texts([packaged("terminal", language if language in LANGUAGES else ENGLISH)], language)
