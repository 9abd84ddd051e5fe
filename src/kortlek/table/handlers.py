"""Message handlers. Each handler validates a request and returns the facts that it leads to, or raises Refusal; nothing changes until the facts are
in the log."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from kortlek.bots import own_games
from kortlek.cards import NOTHING
from kortlek.engine.events import Step
from kortlek.engine.fairness import SCHEME
from kortlek.engine.match import Act
from kortlek.engine.messages import offer, why_not
from kortlek.engine.plain import Refused, notation_of, shorten, write_choice
from kortlek.engine.undo import last_choice, may_undo
from kortlek.engine.views import View
from kortlek.game import Message
from kortlek.game.registry import GAMES
from kortlek.table import facts
from kortlek.table.checks import changed_options, check_level, check_name, checked_options
from kortlek.table.facts import CHANCE, PERSON, AnyFact
from kortlek.table.match import LiveMatch
from kortlek.table.protocol import client_in
from kortlek.table.protocol.client_in import AnyRequest
from kortlek.table.protocol.lobby_in import Open
from kortlek.table.refusals import Refusal
from kortlek.table.stopped import why_missing
from kortlek.table.table import PLAYING, STRANGER, WAITING, Chair, Moves, Table, hashed, rotated
from kortlek.game.game import usual_players

Facts = list[AnyFact]


def ask(table: Table, message: AnyRequest, person: int, token: str = "") -> Facts:
    """The facts that a person's message leads to. ``token`` is a new token, for somebody who has none yet."""
    not_sent_away(table, person)
    if table.closed:
        raise Refusal("not_allowed", "refuse-closed")
    if isinstance(message, client_in.Join):
        return join(table, message, person, token)
    if isinstance(message, client_in.Start | client_in.Change | client_in.Fill):
        check_game(table)
        if table.is_stopped:
            return give_up(table, message, person)
    return ASK[type(message)](table, message, person)


def give_up(table: Table, message: AnyRequest, person: int) -> Facts:
    """Drop a match that cannot go on, and then do what the message asks for."""
    without, dropped = table.copy(), facts.Dropped()
    without.take_all(table.entries([dropped], table.at), [dropped])
    made = ASK[type(message)](without, message, person)
    return Moves([dropped, *made], made.match, made.acts) if isinstance(made, Moves) else [dropped, *made]


def fresh_secret() -> str:
    """32 random bytes from the operating system, in hexadecimal."""
    return secrets.token_hex(32)


# ---- before the match


def open_table(asked: Open, token: str) -> Facts:
    """The first facts of a new table."""
    game = GAMES.get(asked.game)
    if game is None:
        raise Refusal("not_possible", Message("refuse-no-game", {"text": shorten(asked.game), "games": ", ".join(GAMES)}))
    players = asked.players or usual_players(game)
    options = checked_options(game, players, asked.options)
    if len(asked.levels) > players - bool(asked.name):
        raise Refusal("not_possible", Message("refuse-bots-seats", {"players": players}))
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
            scheme=SCHEME,
        )
    ]
    made += [facts.Put(seat=players - len(asked.levels) + n, level=level) for n, level in enumerate(asked.levels)]
    if asked.name:
        check_name(asked.name)
        made.append(facts.Sat(seat=0, person=0, name=asked.name))
    return made


def join(table: Table, message: client_in.Join, person: int, token: str) -> Facts:
    """Sit down."""
    if table.status == PLAYING:
        raise Refusal("started", "refuse-begun-sit")
    if table.locked and person != table.owner:
        raise Refusal("locked", "refuse-locked")
    check_name(message.name, (chair.name for chair in table.chairs))
    seat = seat_for_a_newcomer(table) if message.seat is None else message.seat
    if chair_at(table, seat).person != STRANGER:
        raise Refusal("taken", Message("refuse-seat-taken", {"seat": seat}))
    if person == STRANGER:
        return [facts.Sat(seat=seat, person=len(table.people), name=message.name, token=hashed(token))]
    return [facts.Sat(seat=seat, person=person, name=message.name)]


def seat_for_a_newcomer(table: Table) -> int:
    """The first free seat; if there is none, the seat of the last bot."""
    free = [seat for seat, chair in enumerate(table.chairs) if chair.is_free]
    bots = [seat for seat, chair in enumerate(table.chairs) if chair.level]
    if not free and not bots:
        raise Refusal("full", "refuse-full")
    return free[0] if free else bots[-1]


def leave(table: Table, message: client_in.Leave, person: int) -> Facts:
    """Leave a seat; during a match a bot plays on."""
    chair = own(table, message.seat, person)
    if table.status != PLAYING:
        return [facts.Stood(seat=message.seat)]
    return [] if chair.away else [facts.Away(seat=message.seat, by_choice=True)]


def come_back(table: Table, message: client_in.Return, person: int) -> Facts:
    """Take one's seat back from the bot that stands in."""
    return [facts.Back(seat=message.seat)] if own(table, message.seat, person).away else []


def kick(table: Table, message: client_in.Kick, person: int) -> Facts:
    """Send a person away; during a match, bots take her seats."""
    owns(table, person)
    theirs = chair_at(table, message.seat).person
    if theirs in (STRANGER, person):
        raise Refusal("not_possible", "refuse-nobody-to-send")
    seats = table.seats_of(theirs) if table.status == PLAYING else []
    return [facts.Stood(seat=message.seat, sent_away=True), *(facts.Put(seat=seat, level=table.settings.stand_in) for seat in seats)]


def fill(table: Table, message: client_in.Fill, person: int) -> Facts:
    """Put a bot into a seat, or free it."""
    owns(table, person)
    not_while_playing(table)
    if chair_at(table, message.seat).person != STRANGER:
        raise Refusal("taken", Message("refuse-seat-taken", {"seat": message.seat}))
    if message.level:
        check_level(table.game, message.level)
    return [facts.Put(seat=message.seat, level=message.level)]


def change(table: Table, message: client_in.Change, person: int) -> Facts:
    """Change the number of players or the options."""
    owns(table, person)
    if table.status != WAITING:
        raise Refusal("started", "refuse-begun-change")
    players = message.players or len(table.chairs)
    options = changed_options(table, players, message.options)
    if any(chair.person != STRANGER for chair in table.chairs[players:]):
        raise Refusal("taken", Message("refuse-seats-taken", {"players": players}))
    return [facts.Changed(players=players, options=options)]


def lock(table: Table, message: client_in.Lock, person: int) -> Facts:
    """Lock or unlock the table for newcomers."""
    owns(table, person)
    return [] if table.locked == message.locked else [facts.Locked(locked=message.locked)]


def add(table: Table, message: client_in.Add, person: int) -> Facts:
    """Add a player's luck to the seed of the next match, as the answer to its promise. It cannot be changed: whoever could choose between several
    would choose the cards."""
    chair = own(table, message.seat, person)
    not_while_playing(table)
    if message.promise != table.promise:
        raise Refusal("stale", "refuse-other-promise")
    if chair.luck not in ("", message.luck):
        raise Refusal("not_possible", "refuse-luck-added")
    return [] if chair.luck else [facts.Added(seat=message.seat, luck=message.luck, promise=message.promise)]


def ready(table: Table, message: client_in.Ready, person: int) -> Facts:
    """Set whether a player is ready; the owner may start regardless."""
    chair = own(table, message.seat, person)
    not_while_playing(table)
    return [] if chair.ready == message.ready else [facts.Readied(seat=message.seat, ready=message.ready)]


def start(table: Table, message: client_in.Start, person: int) -> Facts:
    """Start the first match (the owner only) or, after a match, the next one (anybody with a seat, as the owner may have left). Bots take the free
    seats."""
    if table.status == PLAYING or not table.matches or not table.seats_of(person):
        owns(table, person)
    not_while_playing(table)
    by = message.rotate % len(table.chairs)
    try:
        match = table.next_match(by)
    except Refused as refused:  # other rules than those for which the options were agreed on
        raise Refusal.because("not_possible", refused) from refused
    free = [seat for seat, chair in enumerate(rotated(table.chairs, by)) if chair.is_free]
    bots = [facts.Put(seat=seat, level=table.settings.stand_in) for seat in free]
    began = facts.Began(version=table.game.version, secret=fresh_secret(), scheme=SCHEME, rotated=by, source=own_games.rules_of(table.game.name))
    dealt, acts = chances(match)
    return Moves([began, *bots, *dealt], match, acts)


# ---- the match


def choose(table: Table, message: client_in.Choose, person: int) -> Facts:
    """Make a choice; refused as stale if the client has not seen the last change."""
    chair = own(table, message.seat, person)
    match = table.playing()
    if match.over:
        raise Refusal("not_playing", "refuse-over")
    if message.seat not in match.waiting:
        raise not_your_turn(table, match)
    if message.at < table.number(table.last_seen_by(message.seat), person):
        raise Refusal("stale", "refuse-stale")
    made = moves(table, message.seat, parse_choice(match.view(message.seat), message.choice), PERSON)
    if chair.away:
        made.insert(0, facts.Back(seat=message.seat))
    return made


def not_your_turn(table: Table, match: LiveMatch) -> Refusal:
    """A refusal that says whose turn it is. Where all choose together, it does not reveal who has still to choose."""
    if match.is_together:
        return Refusal("not_your_turn", "refuse-chosen")
    return Refusal("not_your_turn", Message("refuse-turn", {"who": match.state.turn}), game=table.game, names=table.names)


def moves(table: Table, seat: int, choice: int, by: str) -> Facts:
    """The facts of a legal choice and of the chance events that follow it. Where all choose together, the choice is sealed until the last seat has
    chosen; then all choices are applied in seat order."""
    match = table.playing().copy()
    if not match.is_together:
        acts = match.step(choice)
        chosen = facts.Happened(event=match.written[-1], seat=seat, by=by)
        dealt, later = chances(match)
        return Moves([chosen, *dealt], match, [acts, *later])
    written = write_choice(match.game, match.view(seat).state, choice)
    match.seal(seat, choice, by)
    if match.waiting:
        return [facts.Chosen(seat=seat, choice=written, by=by)]
    made, acts_of = opened(match)
    dealt, later = chances(match)
    return Moves([*made, *dealt], match, [*acts_of, *later])


def opened(match: LiveMatch) -> tuple[Facts, list[list[Act]]]:
    """The facts of the sealed choices, one after the other, and the acts that are complete with each."""
    made: Facts = []
    acts: list[list[Act]] = []
    while any(match.held.values()):
        seat = match.state.turn
        by, over = match.step_held()
        made.append(facts.Happened(event=match.written[-1], seat=seat, by=by))
        acts.append(over)
    match.forget_held()
    return made, acts


def chances(match: LiveMatch) -> tuple[Facts, list[list[Act]]]:
    """The facts of the chance events up to the next choice, and the acts that are complete with each."""
    made: Facts = []
    acts: list[list[Act]] = []
    while match.turn is None and not match.over:
        acts.append(match.step(match.chance()))
        made.append(facts.Happened(event=match.written[-1], seat=NOTHING, by=CHANCE))
    return made, acts


def parse_choice(seen: View[Any], text: str) -> int:
    """Parse a choice. The refusal of an illegal choice is made from the player's view, so that it reveals nothing hidden."""
    game, notation = seen.game, notation_of(seen.game, seen.state)
    meant = [choice for choice, written in enumerate(notation) if written and written == text]
    if not meant:
        raise Refusal("not_possible", Message("refuse-not-a-choice", {"text": shorten(text)}))
    choice = next((each for each in meant if seen.legal >> each & 1), NOTHING)
    if choice == NOTHING:
        about = {"choice": offer(game, seen.state, meant[0]), "reason": why_not(game, seen.state, meant[0])}
        raise Refusal("not_possible", Message("refuse-choice", about), game=game)
    return choice


def undo(table: Table, message: client_in.Undo, person: int) -> Facts:
    """Take the last choice back if it has revealed nothing and nobody has chosen since, or if there are no other people; otherwise ask the others,
    all of whom have to be there. A player may always take back her own sealed choice."""
    own(table, message.seat, person)
    match = table.playing()
    if match.over:
        raise Refusal("not_possible", "refuse-undo-over")
    if match.held.get(message.seat):
        return [facts.Withdrawn(seat=message.seat)]
    to, steps = steps_since_choice(match, message.seat)
    if to is None:
        raise Refusal("not_possible", "refuse-undo-nothing")
    if not others(table, message.seat) or may_undo(table.game, steps, match.state, message.seat):
        return [facts.Undone(seat=message.seat, to=to)]
    if table.asked is not None:
        raise Refusal("not_possible", Message("refuse-undo-asked", {"who": table.asked}), game=table.game, names=table.names)
    away = [at for at in sorted(others(table, message.seat)) if table.chairs[at].away]
    if away:  # otherwise everything that her bot does could be seen, and taken back
        raise Refusal("not_possible", Message("refuse-undo-away", {"who": away[0]}), game=table.game, names=table.names)
    return [facts.Asked(seat=message.seat)]


def steps_since_choice(match: LiveMatch, seat: int) -> tuple[int | None, list[Step]]:
    """The number of moves that remain if a seat takes its latest choice back (None: it has made none), and the steps since the beginning of the round
    of that choice."""
    steps: list[Step] = []
    for first in reversed(match.rounds):
        steps = list(match.steps(first))
        at = last_choice(match.game, steps, seat)
        if at is not None:
            return first + at, steps
    return None, steps


def answer(table: Table, message: client_in.Answer, person: int) -> Facts:
    """Agree or disagree that another player takes a choice back. The undo takes effect when all have agreed."""
    own(table, message.seat, person)
    if table.asked is None or message.seat not in others(table, table.asked):
        raise Refusal("not_possible", "refuse-not-asked")
    answered = facts.Answered(seat=message.seat, yes=message.yes)
    return [answered, *(agreed(table, table.agreed | {message.seat}) if message.yes else [])]


def agreed(table: Table, by: set[int]) -> Facts:
    """The fact of the pending undo, if all other players agree; else nothing."""
    if table.asked is None or others(table, table.asked) - by:
        return []
    to, _ = steps_since_choice(table.playing(), table.asked)
    assert to is not None
    return [facts.Undone(seat=table.asked, to=to)]


def others(table: Table, seat: int) -> set[int]:
    """The seats of the other people, also of those who are away."""
    mine = table.chairs[seat].person
    return {at for at, chair in enumerate(table.chairs) if chair.person not in (STRANGER, mine)}


def check_hint(table: Table, message: client_in.Hint, person: int) -> None:
    """Check that a hint is allowed."""
    not_sent_away(table, person)
    own(table, message.seat, person)
    if not table.settings.hints:
        raise Refusal("not_allowed", "refuse-no-hints")
    if message.seat not in table.playing().waiting:
        raise Refusal("not_your_turn", "refuse-hint-turn")


# ---- chat


def say(table: Table, message: client_in.Say, person: int) -> Facts:
    """Send a line of chat."""
    if own(table, message.seat, person).muted:
        raise Refusal("not_allowed", "refuse-muted")
    text = message.text.strip()
    if not text or not text.isprintable():
        raise Refusal("not_possible", "refuse-unprintable")
    return [facts.Said(seat=message.seat, text=text)]


def mute(table: Table, message: client_in.Mute, person: int) -> Facts:
    """Mute or unmute a player."""
    owns(table, person)
    chair = chair_at(table, message.seat)
    if chair.person == STRANGER:
        raise Refusal("not_possible", "refuse-nobody-there")
    return [] if chair.muted == message.muted else [facts.Muted(seat=message.seat, muted=message.muted)]


# ---- permissions


def not_sent_away(table: Table, person: int) -> None:
    """Refuse a person who was sent away."""
    if person != STRANGER and not table.people[person]:
        raise Refusal("no_token", "refuse-sent-away")


def own(table: Table, seat: int, person: int) -> Chair:
    """The chair of a seat; Refusal if it is not one of the person's own."""
    if seat not in table.seats_of(person):
        raise Refusal("not_your_seat", Message("refuse-not-yours", {"seat": seat}))
    return table.chairs[seat]


def owns(table: Table, person: int) -> None:
    """Refuse everyone but the owner."""
    if person != table.owner:
        raise Refusal("not_owner", "refuse-owner")


def check_game(table: Table) -> None:
    """Refuse if the game of the table is not installed here."""
    if missing := why_missing(table.game):
        raise Refusal("not_possible", missing)


def not_while_playing(table: Table) -> None:
    """Refuse during a match."""
    if table.status == PLAYING:
        raise Refusal("started", "refuse-begun")


def chair_at(table: Table, seat: int) -> Chair:
    """The chair of a seat; Refusal if there is no such seat."""
    if seat >= len(table.chairs):
        raise Refusal("not_possible", Message("refuse-no-seat", {"seat": seat, "last": len(table.chairs) - 1}))
    return table.chairs[seat]


ASK: dict[type, Callable[[Table, Any, int], Facts]] = {
    client_in.Leave: leave,
    client_in.Return: come_back,
    client_in.Kick: kick,
    client_in.Fill: fill,
    client_in.Change: change,
    client_in.Lock: lock,
    client_in.Add: add,
    client_in.Ready: ready,
    client_in.Start: start,
    client_in.Choose: choose,
    client_in.Undo: undo,
    client_in.Answer: answer,
    client_in.Say: say,
    client_in.Mute: mute,
}
"""The handler of each kind of message."""
