"""The metrics of Rummy."""

from kortlek.cards import total
from kortlek.game import SHUFFLE, state
from kortlek.game.metrics import Counters, Metrics, mean, note, share
from kortlek.games.rummy.rules import DISCARD, DRAW, MELD, TURN, WAY, Rummy


@state
class RummyMetrics(Counters):
    """The counters of Rummy."""

    drawn: list[int] = share()
    """Games that nobody won."""
    stuck: list[int] = share()
    """Games that ended because nobody could go on."""
    laps: list[int] = mean()
    """Rounds in a game."""
    recycled: list[int] = mean()
    """How often the discards became the stock in a game."""
    melds: list[int] = mean()
    swapped: list[int] = mean()
    added: list[int] = mean()
    """Melds, swapped jokers and single cards added in a game."""
    laid: list[int] = share()
    """Players who laid melds before the game was over."""
    first_laid: list[int] = mean()
    """The round in which a player first lays."""
    took_discard: list[int] = share()
    """Draws from the discards, of all draws by players who may take the top discard."""


def count(before: Rummy, after: Rummy, choice: int, m: RummyMetrics) -> None:
    """Count how games end and how long they last, reshuffles of the stock, melds and jokers, and when players first lay."""
    note(m.recycled, before.phase == SHUFFLE, 0)
    note(m.melds, after.melds > before.melds, 0)
    if before.phase in (MELD, WAY) and after.phase == TURN:
        swapped = total(after.melded) == total(before.melded)
        note(m.swapped, swapped, 0)
        note(m.added, not swapped, 0)
    if before.phase == DRAW and before.laid[before.turn]:
        note(m.took_discard, choice == DISCARD)
    if after.laid[before.turn] > before.laid[before.turn]:
        note(m.first_laid, before.lap)
    if after.round > before.round:
        game_over(before, after, m)


def game_over(before: Rummy, after: Rummy, m: RummyMetrics) -> None:
    """Count a finished game. It is drawn if nobody went out: after the last round, or because nobody could go on."""
    fewest = after.points[0]
    for seat in range(after.players):
        fewest = min(fewest, after.points[seat])
        note(m.laid, after.laid[seat])
    note(m.drawn, fewest > 0)
    note(m.stuck, fewest > 0 and before.lap < before.round_limit)
    note(m.laps, before.lap)
    for each in (m.recycled, m.melds, m.swapped, m.added):
        note(each, 0)


METRICS = Metrics(RummyMetrics, count)
