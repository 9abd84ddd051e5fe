"""The timers of a table: bots that stand in for absent players or choose when a turn times out, the delay before a bot's choice, and undo requests
that were not answered in time.

Presence is not in the log: ``here`` and ``gone`` update it, and ``tick`` checks the timers. All moments are those of the clock of timers
(``timing``)."""

from __future__ import annotations

from dataclasses import dataclass

from kortlek.cards import NOTHING
from kortlek.table import facts, handlers
from kortlek.table.facts import AnyFact, BOT
from kortlek.table.facts import CLOCK as BY_CLOCK
from kortlek.table.timing import CLOCK
from kortlek.table.table import PLAYING, STRANGER, Chair, Table

NEVER = 1 << 60
UNDO_SECONDS = 60
"""After how many seconds a request to take a choice back lapses. Bots wait for it."""


@dataclass(frozen=True)
class Due:
    """A choice that a bot has to make, and its time, which does not depend on the cards."""

    seat: int
    level: str
    by: str
    at: int
    seq: int


def here(table: Table, person: int) -> list[facts.Back]:
    """Mark a person as connected, and return the facts that give her seats back to her."""
    table.present.add(person)
    table.left.pop(person, None)
    return [facts.Back(seat=seat) for seat in table.seats_of(person) if table.chairs[seat].away and not table.closed]


def gone(table: Table, person: int, now: int) -> None:
    """Mark a person as disconnected: her last connection has ended."""
    table.present.discard(person)
    table.left[person] = now


def tick(table: Table, now: int) -> list[AnyFact]:
    """The facts that are due now: bots replace players who were disconnected longer than the grace time; if there are none, a pending undo takes
    effect when nobody is left who still has to agree, or lapses."""
    away = [facts.Away(seat=seat) for seat, chair in enumerate(table.chairs) if now >= patience(table, chair)]
    lapsed = [facts.Lapsed(seat=table.asked)] if table.asked is not None and now >= lapses(table) else []
    return [*away] or handlers.agreed(table, table.agreed) or [*lapsed]


def wakes(table: Table) -> int:
    """The next time at which ``tick`` returns facts; ``NEVER`` if no timer is running."""
    return 0 if handlers.agreed(table, table.agreed) else min([lapses(table), *(patience(table, chair) for chair in table.chairs)])


def lapses(table: Table) -> int:
    """When the pending request to take a choice back lapses; ``NEVER`` if there is none."""
    return NEVER if table.asked is None else table.asked_since + 1000 * UNDO_SECONDS


def patience(table: Table, chair: Chair) -> int:
    """When a bot takes over from a disconnected player; ``NEVER`` if none will, as while nobody at the table is connected."""
    if table.match is None or table.status != PLAYING or table.closed or chair.person == STRANGER or chair.away:
        return NEVER
    if not table.present & set(table.seated()):
        return NEVER
    return table.left[chair.person] + 1000 * table.settings.grace if chair.person in table.left else NEVER


def waits_until(table: Table, chair: Chair) -> int | None:
    """``patience`` as it is shown to clients: None instead of ``NEVER``."""
    moment = patience(table, chair)
    return shown(moment if moment < NEVER else None)


def shown(moment: int | None) -> int | None:
    """A moment in milliseconds since 1970, as it is shown to clients."""
    return None if moment is None else CLOCK.shown(moment)


def due(table: Table) -> Due | None:
    """The next choice that a bot has to make unless a player chooses first. Where all choose together, bots choose before any turn times out."""
    match, settings = table.match, table.settings
    if match is None or match.turn is None or table.closed or (table.asked is not None and not settings.clock):
        return None  # an undo request pauses the bots, unless the table has a clock
    waiting = match.waiting
    for seat in waiting:
        chair = table.chairs[seat]
        if chair.level or chair.away:
            wait = settings.pace * (600 + match.seed_for(NOTHING) % 801) // 1000
            return Due(seat, chair.level or settings.stand_in, BOT, table.turn_since + wait, table.last_event)
    ends = turn_ends(table)
    return Due(waiting[0], settings.stand_in, BY_CLOCK, ends, table.last_event) if ends and waiting else None


def goes_on(table: Table, is_watched: bool) -> bool:
    """Whether bots and turn clocks go on. At a table that nobody watches they pause, unless people play by a clock and may come back any time."""
    return is_watched or (bool(table.settings.clock) and any(chair.person != STRANGER and not chair.away for chair in table.chairs))


def turn_ends(table: Table) -> int | None:
    """When the current turn times out; None if there is no limit, or if a bot has to choose. It does not depend on who has already chosen."""
    match, clock = table.match, table.settings.clock
    if match is None or match.turn is None or table.closed or not clock:
        return None
    chair = table.chairs[match.turn]
    if not match.is_together and (chair.level or chair.away):
        return None
    return table.turn_since + 1000 * clock


def round_up_to_pace(moment: int, pace: int, now: int) -> int:
    """When a bot's choice is made: at its time or, if it needed longer, rounded up to a later multiple of its pace, so that the delay reveals
    little about how long it searched."""
    late = now - moment
    return moment if late <= 0 or not pace else moment + -(-late // pace) * pace
