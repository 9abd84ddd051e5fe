"""What a message leads to. Each function here checks and answers with facts, or refuses with a sentence; nothing changes until the
facts are in the log."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from kortlek.bots import level_called
from kortlek.cards import NOTHING
from kortlek.play.describing import usual_players
from kortlek.play.information import View
from kortlek.play.plain import Refused, Spoken, begin, options_of, shorten
from kortlek.play.record import is_name
from kortlek.play.undoing import last_choice, may_undo
from kortlek.rules import GAMES
from kortlek.rules.game import Game
from kortlek.table import facts, messages
from kortlek.table.facts import CHANCE, PERSON, AnyFact
from kortlek.table.match import Played
from kortlek.table.messages import AnyMessage, Refusal
from kortlek.table.table import ENDED, PLAYING, STRANGER, WAITING, Chair, Table, hashed, rotated

Facts = list[AnyFact]


def ask(table: Table, message: AnyMessage, person: int, token: str = "") -> Facts:
    """What a message of a person leads to, if it may. ``token`` is a new one, for somebody who has none yet."""
    if person != STRANGER and not table.people[person]:
        raise Refusal("no_token", "You were sent away from this table.")
    if isinstance(message, messages.Join):
        return join(table, message, person, token)
    return ASK[type(message)](table, message, person)


def fresh_secret() -> str:
    """32 bytes that nobody knows, from the operating system."""
    return secrets.token_hex(32)


# ---- before the match


def open_table(asked: messages.Open, token: str) -> Facts:
    """The first facts of a new table."""
    game = GAMES.get(asked.game)
    if game is None:
        raise Refusal("not_possible", f"There is no game {shorten(asked.game)!r}. The games are: {', '.join(GAMES)}.")
    players = asked.players or usual_players(game)
    options = checked_options(game, players, asked.options)
    if len(asked.levels) > players - bool(asked.name):
        raise Refusal("not_possible", f"There are more bots than seats for them: the table has {players}.")
    for level in (asked.stand_in, *asked.levels):
        check_level(game, level)
    made: Facts = [
        facts.Opened(
            game=game.name,
            players=players,
            options=options,
            token=hashed(token),
            secret=fresh_secret(),
            public=asked.public,
            spectators=asked.spectators,
            delay=asked.delay,
            clock=asked.clock,
            grace=asked.grace,
            pace=asked.pace,
            hints=asked.hints,
            stand_in=asked.stand_in,
        )
    ]
    made += [facts.Put(seat=players - len(asked.levels) + n, level=level) for n, level in enumerate(asked.levels)]
    if asked.name:
        check_name(asked.name)
        made += sits(0, 0, asked.name, asked.luck)
    return made


def join(table: Table, message: messages.Join, person: int, token: str) -> Facts:
    """Sit down."""
    if table.status == PLAYING:
        raise Refusal("started", "The match has begun: you can sit down when it is over.")
    if table.locked and person != table.owner:
        raise Refusal("locked", "The owner has locked the table.")
    check_name(message.name)
    if message.name in {chair.name for chair in table.chairs}:
        raise Refusal("taken", f"Somebody at this table is already called {message.name}.")
    seat = seat_for_a_newcomer(table) if message.seat is None else message.seat
    if chair_at(table, seat).person != STRANGER:
        raise Refusal("taken", f"Seat {seat} is taken.")
    if person == STRANGER:
        return sits(seat, len(table.people), message.name, message.luck, hashed(token))
    return sits(seat, person, message.name, message.luck)


def sits(seat: int, person: int, name: str, luck: str, token: str = "") -> Facts:
    """A person sits down, and brings her luck with her."""
    sat = facts.Sat(seat=seat, person=person, name=name, token=token)
    return [sat, facts.Added(seat=seat, luck=luck)] if luck else [sat]


def seat_for_a_newcomer(table: Table) -> int:
    """A free seat; else that of the last bot, which makes way."""
    free = [seat for seat, chair in enumerate(table.chairs) if chair.is_free]
    bots = [seat for seat, chair in enumerate(table.chairs) if chair.level]
    if not free and not bots:
        raise Refusal("full", "Every seat of this table is taken.")
    return free[0] if free else bots[-1]


def leave(table: Table, message: messages.Leave, person: int) -> Facts:
    """Leave a seat; during a match a bot plays on."""
    chair = own(table, message.seat, person)
    if table.status != PLAYING:
        return [facts.Stood(seat=message.seat)]
    return [] if chair.away else [facts.Away(seat=message.seat, by_choice=True)]


def come_back(table: Table, message: messages.Return, person: int) -> Facts:
    """Play for oneself again."""
    return [facts.Back(seat=message.seat)] if own(table, message.seat, person).away else []


def kick(table: Table, message: messages.Kick, person: int) -> Facts:
    """Send somebody away; during a match bots have her seats from then on."""
    owns(table, person)
    theirs = chair_at(table, message.seat).person
    if theirs in (STRANGER, person):
        raise Refusal("not_possible", "There is nobody in that seat whom you could send away.")
    seats = table.seats_of(theirs) if table.status == PLAYING else []
    return [facts.Stood(seat=message.seat, sent_away=True), *(facts.Put(seat=seat, level=table.settings.stand_in) for seat in seats)]


def fill(table: Table, message: messages.Fill, person: int) -> Facts:
    """Put a bot into a seat, or free it."""
    owns(table, person)
    not_while_playing(table)
    if chair_at(table, message.seat).person != STRANGER:
        raise Refusal("taken", f"Somebody sits in seat {message.seat}.")
    if message.level:
        check_level(table.game, message.level)
    return [facts.Put(seat=message.seat, level=message.level)]


def change(table: Table, message: messages.Change, person: int) -> Facts:
    """Other players or options."""
    owns(table, person)
    if table.status != WAITING:
        raise Refusal("started", "Players and options cannot be changed any more: the match has begun.")
    players = message.players or len(table.chairs)
    options = changed_options(table, players, message.options)
    if any(chair.person != STRANGER for chair in table.chairs[players:]):
        raise Refusal("taken", f"Somebody sits in a seat that a table of {players} does not have.")
    return [facts.Changed(players=players, options=options)]


def lock(table: Table, message: messages.Lock, person: int) -> Facts:
    """Let nobody else sit down, or let them again."""
    owns(table, person)
    return [] if table.locked == message.locked else [facts.Locked(locked=message.locked)]


def add(table: Table, message: messages.Add, person: int) -> Facts:
    """A share of the luck."""
    own(table, message.seat, person)
    not_while_playing(table)
    return [facts.Added(seat=message.seat, luck=message.luck)]


def ready(table: Table, message: messages.Ready, person: int) -> Facts:
    """Whether somebody is ready; the owner need not wait for it."""
    chair = own(table, message.seat, person)
    not_while_playing(table)
    return [] if chair.ready == message.ready else [facts.Readied(seat=message.seat, ready=message.ready)]


def start(table: Table, message: messages.Start, person: int) -> Facts:
    """Begin the match (the owner) or, when it is over, the next one (anybody who sits here: the owner may have gone to bed); bots take
    the free seats."""
    if table.status != ENDED or not table.seats_of(person):
        owns(table, person)
    not_while_playing(table)
    by = message.rotate % len(table.chairs)
    free = [seat for seat, chair in enumerate(rotated(table.chairs, by)) if chair.is_free]
    bots = [facts.Put(seat=seat, level=table.settings.stand_in) for seat in free]
    return [facts.Began(version=table.game.version, secret=fresh_secret(), rotated=by), *bots, *chances(table.next_match(by))]


# ---- the match


def choose(table: Table, message: messages.Choose, person: int) -> Facts:
    """A choice, by somebody who has seen all that happened."""
    chair = own(table, message.seat, person)
    match = table.playing()
    if match.is_over:
        raise Refusal("not_playing", "The match is over.")
    if match.turn != message.seat:
        raise Refusal("not_your_turn", f"It is not your turn but {table.names[match.s.turn]}'s.")
    if message.at < table.last_event:
        raise Refusal("stale", "Something has happened that you had not seen yet: look again.")
    back: Facts = [facts.Back(seat=message.seat)] if chair.away else []
    return [*back, *moves(table, choice_meant(match.seen(message.seat), message.choice), PERSON)]


def moves(table: Table, choice: int, by: str) -> Facts:
    """A legal choice of the player in turn, and the chance events that follow it."""
    match = table.playing().copy()
    seat = match.s.turn
    match.happen(choice)
    return [facts.Happened(event=match.written[-1], seat=seat, by=by), *chances(match)]


def chances(match: Played) -> Facts:
    """The chance events that a match waits for."""
    made: Facts = []
    while match.turn is None and not match.is_over:
        match.happen(match.chance())
        made.append(facts.Happened(event=match.written[-1], seat=NOTHING, by=CHANCE))
    return made


def choice_meant(seen: View[Any], text: str) -> int:
    """The legal choice that a text stands for. What is said of an illegal one is said from the player's view."""
    notation: tuple[str, ...] = seen.game.choices[seen.state.phase].notation
    if text not in notation:
        raise Refusal("not_possible", f"{shorten(text)!r} is not a choice here.")
    choice = notation.index(text)
    if not seen.legal >> choice & 1:
        raise Refusal("not_possible", f"{text!r} is not allowed: {seen.game.why_not(seen.state, choice)}")
    return choice


def undo(table: Table, message: messages.Undo, person: int) -> Facts:
    """Take the last choice back where nobody is harmed by it, and always against bots; else ask the others."""
    own(table, message.seat, person)
    match = table.playing()
    if match.is_over:
        raise Refusal("not_possible", "The match is over and its secret is told: nothing can be taken back.")
    steps = list(match.steps())
    to = last_choice(table.game, steps, message.seat)
    if to is None:
        raise Refusal("not_possible", "You have not chosen anything in this match yet.")
    if not others(table, message.seat) or not may_undo(table.game, steps, match.s, message.seat):
        return [facts.Undone(seat=message.seat, to=to)]
    if table.asked is not None:
        raise Refusal("not_possible", f"{table.names[table.asked]} has asked to take a choice back: that is answered first.")
    return [facts.Asked(seat=message.seat)]


def answer(table: Table, message: messages.Answer, person: int) -> Facts:
    """Agree that somebody takes a choice back, or do not. It happens when all have agreed."""
    own(table, message.seat, person)
    if table.asked is None or message.seat not in others(table, table.asked):
        raise Refusal("not_possible", "Nobody has asked you whether a choice may be taken back.")
    answered = facts.Answered(seat=message.seat, yes=message.yes)
    return [answered, *(agreed(table, table.agreed | {message.seat}) if message.yes else [])]


def agreed(table: Table, by: set[int]) -> Facts:
    """The choice that is asked for is taken back, if all who are still there agree."""
    if table.asked is None or others(table, table.asked) - by:
        return []
    to = last_choice(table.game, list(table.playing().steps()), table.asked)
    assert to is not None
    return [facts.Undone(seat=table.asked, to=to)]


def others(table: Table, seat: int) -> set[int]:
    """The seats of the other people who are there."""
    mine = table.chairs[seat].person
    return {at for at, chair in enumerate(table.chairs) if chair.person not in (STRANGER, mine) and not chair.away}


def hint(table: Table, message: messages.Hint, person: int) -> Facts:
    """A hint changes nothing; here it is only asked whether it may be had."""
    own(table, message.seat, person)
    if not table.settings.hints:
        raise Refusal("not_allowed", "There are no hints at this table.")
    if table.playing().turn != message.seat:
        raise Refusal("not_your_turn", "Hints are for the player whose turn it is.")
    return []


# ---- words


def say(table: Table, message: messages.Say, person: int) -> Facts:
    """Say something to the table."""
    if own(table, message.seat, person).muted:
        raise Refusal("not_allowed", "The owner does not let you chat for now.")
    text = message.text.strip()
    if not text or not text.isprintable():
        raise Refusal("not_possible", "Only text that can be printed can be said.")
    return [facts.Said(seat=message.seat, text=text)]


def mute(table: Table, message: messages.Mute, person: int) -> Facts:
    """Let somebody not chat, or let her again."""
    owns(table, person)
    chair = chair_at(table, message.seat)
    if chair.person == STRANGER:
        raise Refusal("not_possible", "There is nobody in that seat.")
    return [] if chair.muted == message.muted else [facts.Muted(seat=message.seat, muted=message.muted)]


# ---- who may


def own(table: Table, seat: int, person: int) -> Chair:
    """The chair of a person's own seat."""
    if seat not in table.seats_of(person):
        raise Refusal("not_your_seat", f"Seat {seat} is not yours.")
    return table.chairs[seat]


def owns(table: Table, person: int) -> None:
    """Refuse to everyone but the owner."""
    if person != table.owner:
        raise Refusal("not_owner", "Only the owner of the table may do this.")


def not_while_playing(table: Table) -> None:
    """Refuse during a match."""
    if table.status == PLAYING:
        raise Refusal("started", "The match has begun: this has to wait until it is over.")


def chair_at(table: Table, seat: int) -> Chair:
    """The chair of a seat that there is."""
    if seat >= len(table.chairs):
        raise Refusal("not_possible", f"There is no seat {seat}: they are 0 to {len(table.chairs) - 1}.")
    return table.chairs[seat]


def check_name(name: str) -> None:
    """Refuse what nobody can be called."""
    if not is_name(name):
        raise Refusal("not_possible", "A name has 1 to 40 characters that can be printed and no space at either end.")


def check_level(game: Game[Any], level: str) -> None:
    """Refuse a level that the game does not have."""
    try:
        level_called(game, level)
    except Refused as refused:
        raise Refusal("not_possible", str(refused)) from refused


def changed_options(table: Table, players: int, given: dict[str, Spoken]) -> dict[str, Spoken]:
    """The options with those that are given instead; what was not as usual stays so, if that is possible with so many players."""
    usual = checked_options(table.game, len(table.chairs), {})
    unusual = {name: value for name, value in table.options.items() if value != usual[name]}
    try:
        return checked_options(table.game, players, {**unusual, **given})
    except Refusal:
        return checked_options(table.game, players, given)


def checked_options(game: Game[Any], players: int, given: dict[str, Spoken]) -> dict[str, Spoken]:
    """Every option of a game as people write it."""
    try:
        return options_of(game, begin(game, players, given))
    except Refused as refused:
        raise Refusal("not_possible", str(refused)) from refused


ASK: dict[type, Callable[[Table, Any, int], Facts]] = {
    messages.Leave: leave,
    messages.Return: come_back,
    messages.Kick: kick,
    messages.Fill: fill,
    messages.Change: change,
    messages.Lock: lock,
    messages.Add: add,
    messages.Ready: ready,
    messages.Start: start,
    messages.Choose: choose,
    messages.Undo: undo,
    messages.Answer: answer,
    messages.Hint: hint,
    messages.Say: say,
    messages.Mute: mute,
}
"""What each kind of message leads to."""
