"""What the time brings to a table: bots for those who are away too long or whose time is up, the moments at which bots choose, and an end
of asking those who have gone.

Who is connected is not in the log: ``here`` and ``gone`` say so to the table, and ``tick`` tells it the time."""

from __future__ import annotations

from dataclasses import dataclass

from kortlek.cards import NOTHING
from kortlek.table import facts, handlers
from kortlek.table.facts import BOT, CLOCK, AnyFact
from kortlek.table.table import PLAYING, STRANGER, Chair, Table

NEVER = 1 << 60


@dataclass(frozen=True)
class Due:
    """A choice that a bot has to make, and when. The moment does not depend on the cards."""

    seat: int
    level: str
    by: str
    at: int
    seq: int


def here(table: Table, person: int) -> list[facts.Back]:
    """Somebody is connected: she gets her seats back."""
    table.present.add(person)
    table.left.pop(person, None)
    return [facts.Back(seat=seat) for seat in table.seats_of(person) if table.chairs[seat].away]


def gone(table: Table, person: int, now: int) -> None:
    """Somebody's last connection has ended."""
    table.present.discard(person)
    table.left[person] = now


def tick(table: Table, now: int) -> list[AnyFact]:
    """Bots take over from those who have been away too long; and when nobody is left who has still to agree, a choice is taken back."""
    away = [facts.Away(seat=seat) for seat, chair in enumerate(table.chairs) if now >= patience(table, chair)]
    return [*away] or handlers.agreed(table, table.agreed)


def wakes(table: Table) -> int:
    """When ``tick`` will have something to say."""
    return 0 if handlers.agreed(table, table.agreed) else min((patience(table, chair) for chair in table.chairs), default=NEVER)


def patience(table: Table, chair: Chair) -> int:
    """Until when somebody is waited for: as long as nobody is there who would have to wait, for ever."""
    if table.status != PLAYING or chair.person == STRANGER or chair.away or not table.present & set(table.seated()):
        return NEVER
    return table.left[chair.person] + 1000 * table.settings.grace if chair.person in table.left else NEVER


def waits_until(table: Table, chair: Chair) -> int | None:
    """The same for those who look at the table: None if nobody is waited for."""
    moment = patience(table, chair)
    return moment if moment < NEVER else None


def due(table: Table) -> Due | None:
    """The choice that a bot will have to make next, if nobody comes first. Where all choose together, the bots choose before anybody's time is up."""
    match, settings = table.match, table.settings
    if match is None or match.turn is None or (table.asked is not None and not settings.clock):
        return None  # whoever is asked whether a choice may be taken back has time to answer
    waiting = match.waiting
    for seat in waiting:
        chair = table.chairs[seat]
        if chair.level or chair.away:
            wait = settings.pace * (600 + match.seed_for(NOTHING) % 801) // 1000
            return Due(seat, chair.level or settings.stand_in, BOT, table.turn_since + wait, table.last_event)
    ends = turn_ends(table)
    return Due(waiting[0], settings.stand_in, CLOCK, ends, table.last_event) if ends and waiting else None


def turn_ends(table: Table) -> int | None:
    """When the time of those is up who have to choose; None if there is no limit, or a bot chooses. It does not depend on who has chosen."""
    match, clock = table.match, table.settings.clock
    if match is None or match.turn is None or not clock:
        return None
    chair = table.chairs[match.turn]
    if not match.is_together and (chair.level or chair.away):
        return None
    return table.turn_since + 1000 * clock


def beat(moment: int, pace: int, now: int) -> int:
    """When a bot chooses: at its moment or, if it thought longer, at one of the moments that follow at its pace, so that how long it thought
    tells nothing more."""
    late = now - moment
    return moment if late <= 0 or not pace else moment + -(-late // pace) * pace
