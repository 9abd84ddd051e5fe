"""The plain engine: run the rules on Python objects. Options, states, chance events, choices, copies and notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from kortlek.cards import NOTHING, Card, bit, members, nth_card
from kortlek.game import LOTS, OVER, Game, Kind, Message, Option, State, Value, fields_of
from kortlek.game.game import LARGEST_PACK

S = TypeVar("S", bound=State)
Event = int | tuple[int, ...]
"""A choice, or the shuffled cards or seats of a chance event."""
Spoken = int | str | list[int]
"""The value of an option as people write it."""


class Refused(ValueError):
    """An invalid request. The text tells the caller what is wrong and what is allowed; ``message`` is the same for players at a table, in their own
    language, for errors that players can cause."""

    def __init__(self, sentence: str, message: Message | None = None) -> None:
        super().__init__(sentence)
        self.message = message


# ---- options


def speak_option(option: Option, value: Value) -> Spoken:
    """The value of an option as people write it."""
    if isinstance(value, list):
        return list(value)
    return next((name for name, number in option.names if number == value), value)


def describe_allowed(option: Option, players: int) -> str:
    """The allowed values of an option, as a phrase."""
    numbers = option.allowed(players)
    words = [name for name, _ in option.names]
    if option.length:
        return f"{option.length(players)} whole numbers from {numbers[0]} to {numbers[-1]}, separated by commas (or bands such as 1-2:3)"
    if len(numbers):
        words.append(f"a whole number from {numbers[0]} to {numbers[-1]}")
    return " or ".join(words)


def allowed_values(name: str, option: Option, players: int) -> list[Message]:
    """The allowed values of an option as messages: the named values, and the range of the numbers."""
    numbers = option.allowed(players)
    values = [Message(f"option-{name}-{value}") for value, _ in option.names]
    if option.length:
        return [Message("allowed-numbers", {"many": option.length(players), "low": numbers[0], "high": numbers[-1]})]
    return [*values, Message("allowed-number", {"low": numbers[0], "high": numbers[-1]})] if len(numbers) else values


def read_option(game: Game[Any], name: str, given: object, players: int) -> Value:
    """Parse and check the value of an option."""
    options = game.options
    if name not in options:
        known = ", ".join(options) or "none"
        message = Message("refuse-no-option", {"game": Message("title"), "text": shorten(name), "options": known})
        raise Refused(f"{game.title} has no option {_short(name)}. Its options are: {known}.", message)
    option = options[name]
    value = _read_numbers(option, given, players) if option.length else _read_number(option, given, players)
    if value is None:
        values = allowed_values(name, option, players)
        message = Message("refuse-option", {"option": Message(f"option-{name}"), "text": shorten(_text(given)), "allowed": values})
        raise Refused(f"{name}={shorten(_text(given))} is not possible: {name} is {describe_allowed(option, players)}.", message)
    return value


def _text(given: object) -> str:
    return ",".join(map(str, given)) if isinstance(given, list | tuple) else str(given)


def _read_number(option: Option, given: object, players: int) -> int | None:
    text = {True: "yes", False: "no"}[given] if isinstance(given, bool) else str(given)
    number = _int(text)
    return dict(option.names).get(text, number if number in option.allowed(players) else None)


def _read_numbers(option: Option, given: object, players: int) -> list[int] | None:
    """A list, ``3,4,5``, or bands such as ``1-4:1 5-9:2 10-13:3``."""
    assert option.length is not None
    parts = list(given) if isinstance(given, list | tuple) else str(given).replace(",", " ").split()
    numbers: list[int] = []
    for part in map(str, parts):
        band, _, value = part.rpartition(":")
        first, _, last = (band or str(len(numbers) + 1)).partition("-")
        low, high, number = _int(first), _int(last or first), _int(value)
        if number is None or number not in option.allowed(players) or low != len(numbers) + 1:
            return None
        if high is None or not low <= high <= option.length(players):
            return None
        numbers += [number] * (high - low + 1)
    return numbers if len(numbers) == option.length(players) else None


def _int(text: str) -> int | None:
    digits = text.strip().removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None


def read_options(game: Game[Any], players: int, given: Mapping[str, object]) -> dict[str, Value]:
    """The values of all options of a game: as given and checked, or the default."""
    if type(players) is not int or players not in game.players:
        low, high = game.players[0], game.players[-1]
        message = Message("refuse-players", {"game": Message("title"), "low": low, "high": high, "players": shorten(str(players))})
        raise Refused(f"{game.title} is for {low if low == high else f'{low} to {high}'} players, not {players}.", message)
    chosen = {name: read_option(game, name, value, players) for name, value in given.items()}
    return {name: chosen.get(name, option.default(players)) for name, option in game.options.items()}


def present_names(game: Game[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of an older record by their present names."""
    former = {option.former: name for name, option in game.options.items() if option.former}
    return {former.get(name, name): value for name, value in options.items()}


def options_of(game: Game[Any], s: State) -> dict[str, Spoken]:
    """The options of a match as people write them."""
    spoken = {}
    for name, option in game.options.items():
        value = getattr(s, name)
        spoken[name] = speak_option(option, value[: option.length(s.players)] if option.length else value)
    return spoken


# ---- a match


def begin(game: Game[S], players: int, options: Mapping[str, object] | None = None) -> S:
    """The initial state of a match, before the first deal."""
    s = blank(game, players, options)
    game.rules.start(s)
    return s


def blank(game: Game[S], players: int, options: Mapping[str, object] | None = None) -> S:
    """A state with its number of players and its options, and nothing else."""
    s = game.state()
    s.players = players
    for name, value in read_options(game, players, options or {}).items():
        if isinstance(value, list):
            getattr(s, name)[: len(value)] = value
        else:
            setattr(s, name, value)
    return s


def to_shuffle(game: Game[S], s: S) -> list[Card]:
    """The cards to be shuffled now, or the seats for drawing lots."""
    pack = [0] * LARGEST_PACK
    return pack[: game.rules.cards_to_shuffle(s, pack)]


def resolve_chance(game: Game[S], s: S, shuffle: Callable[[list[int], int], None]) -> tuple[int, ...]:
    """Draw the chance event that the match waits for."""
    things = to_shuffle(game, s)
    shuffle(things, len(things))
    return tuple(things)


def is_legal(game: Game[S], s: S, event: Event) -> bool:
    """Whether an event is legal in a state."""
    if isinstance(event, int):
        return s.phase >= 0 and event >= 0 and bool(game.legal(s) & bit(event))
    return s.phase < OVER and sorted(event) == sorted(to_shuffle(game, s))


def step(game: Game[S], s: S, event: Event) -> None:
    """Apply a legal event to a state, in place."""
    if isinstance(event, int):
        game.rules.apply(s, event)
    else:
        game.rules.deal(s, list(event))


_BY_DEPTH: dict[type[State], tuple[list[str], list[str], list[str]]] = {}


def copy_of(s: S) -> S:
    """An independent copy of a state."""
    kind = type(s)
    if kind not in _BY_DEPTH:
        by_depth: tuple[list[str], list[str], list[str]] = ([], [], [])
        for name, field in fields_of(kind).items():
            by_depth[min(len(field.shape), 2)].append(name)
        _BY_DEPTH[kind] = by_depth
    new = kind.__new__(kind)
    numbers, lists, nested = _BY_DEPTH[kind]
    for name in numbers:
        setattr(new, name, getattr(s, name))
    for name in lists:
        setattr(new, name, getattr(s, name)[:])
    for name in nested:
        setattr(new, name, copy_nested(getattr(s, name)))
    return new


def copy_nested(value: list[Any]) -> list[Any]:
    """A copy of lists of lists, of any depth."""
    return [copy_nested(each) if isinstance(each[0], list) else each[:] for each in value]


# ---- notation: every text parses back to its event


def thing_names(game: Game[Any], phase: int, players: int) -> tuple[str, ...]:
    """The names of what is shuffled in a chance phase: cards or seats."""
    return tuple(map(str, range(players))) if phase == LOTS else game.pack.names


def write(game: Game[Any], s: State, event: Event) -> str:
    """An event in notation; ``s`` is the state before it."""
    if isinstance(event, int):
        return write_choice(game, s, event)
    names = thing_names(game, s.phase, s.players)
    return " ".join(["lots" if s.phase == LOTS else "deal", *(names[thing] for thing in event)])


def write_choice(game: Game[Any], s: State, choice: int) -> str:
    """A choice in notation: ``play HQ``."""
    alternative = game.alternatives[s.phase][choice]
    if alternative.kind is Kind.HELD:
        return f"{alternative.verb} {game.pack.names[held_card(game, s, choice)]}"
    return alternative.notation


def held_card(game: Game[Any], s: State, choice: int) -> Card:
    """The card of an alternative that counts the cards in a place of the player in turn; NOTHING if the place has fewer kinds."""
    alternative = game.alternatives[s.phase][choice]
    place = next(part.of.place for part in game.choices[s.phase].parts if part.verb == alternative.verb)
    return nth_card(getattr(s, place)[s.turn], alternative.value)


def notation_of(game: Game[Any], s: State) -> list[str]:
    """The notation of every alternative of the current choice; empty for an alternative that stands for no card."""
    if not any(part.of.kind is Kind.HELD for part in game.choices[s.phase].parts):
        return list(game.notation[s.phase])
    known = [held_card(game, s, each) if one.kind is Kind.HELD else 0 for each, one in enumerate(game.alternatives[s.phase])]
    return ["" if card == NOTHING else write_choice(game, s, each) for each, card in enumerate(known)]


def read(game: Game[S], s: S, text: str) -> Event:
    """Parse a legal event in notation; raise Refused if it is not one."""
    if s.phase == OVER:
        raise Refused(f"The match is over, so {_short(text)} cannot happen.")
    if s.phase < 0:
        return _read_chance(game, s, text)
    notation = notation_of(game, s)
    if not text or text not in notation:
        raise Refused(f"{_short(text)} is not a choice here: {allowed_choices(game, s)}.")
    legal = game.legal(s)
    chosen = next((each for each, written in enumerate(notation) if written == text and legal & bit(each)), NOTHING)
    if chosen == NOTHING:
        raise Refused(f"{text!r} is not allowed, only {listed_choices(game, s)}.")
    return chosen


def _read_chance(game: Game[S], s: S, text: str) -> tuple[int, ...]:
    names = thing_names(game, s.phase, s.players)
    verb, *words = text.split(" ")
    wanted = "lots" if s.phase == LOTS else "deal"
    things = sorted(to_shuffle(game, s))
    if verb != wanted:
        raise Refused(f"{_short(text)} cannot happen here: the match waits for '{wanted}' and {len(things)} names.")
    unknown = [word for word in words if word not in names]
    if unknown:
        raise Refused(f"{_short(text)}: {unknown[0]!r} is not a {'seat' if s.phase == LOTS else 'card'} of this match.")
    event = tuple(names.index(word) for word in words)
    if sorted(event) != things:
        raise Refused(f"{_short(text)} does not have each of the {len(things)} once, as it should.")
    return event


def _short(text: str) -> str:
    return repr(shorten(text))


def shorten(text: str) -> str:
    """Truncate input so that it fits into a sentence."""
    return text if len(text) <= 40 else text[:37] + "..."


def allowed_choices(game: Game[S], s: S) -> str:
    """The legal choices in notation, as a phrase."""
    return f"allowed: {listed_choices(game, s)}"


def listed_choices(game: Game[S], s: S) -> str:
    """The legal choices in notation, separated by commas."""
    return ", ".join(write_choice(game, s, each) for each in members(game.legal(s)))


def winning_seats(game: Game[S], s: S) -> list[int]:
    """The seats that share the win, when the match is over."""
    return list(members(game.rules.winners(s)))
