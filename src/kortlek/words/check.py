"""The try-out of an untested game: random matches in which its rules have to pass the conformance checks, and everything has to be shown in words.

``try_out`` is the short version, run before every command on a user's own game; ``kortlek check`` tests more (``kortlek.simulation.check``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kortlek.cards import bit
from kortlek.engine.conformance import LEGAL, START, Broken, Secrets, check_audience, check_declaration, check_end, check_state, check_step
from kortlek.engine.conformance import endless, located
from kortlek.engine.events import Step, events_of
from kortlek.engine.leaks import check_leaks
from kortlek.engine.loops import MOST_CHOICES
from kortlek.engine.match import Match
from kortlek.engine.messages import why_not
from kortlek.engine.plain import Event as Moved
from kortlek.engine.plain import notation_of, read, resolve_chance
from kortlek.engine.rng import Rng, pick, seeded, shuffle
from kortlek.engine.sheet import finished_round
from kortlek.engine.views import ONLOOKER, view
from kortlek.game import Game, Message, State
from kortlek.game.game import usual_players
from kortlek.game.registry import layout_of
from kortlek.words.faults import Listener, layout_faults, words_faults
from kortlek.words.sheet import score_sheet
from kortlek.words.table import text_table

SEED = 1
"""The seed of the random matches."""


def try_out(game: Game[Any]) -> None:
    """Play a match for the fewest, the usual and the most players. Raise Broken with one sentence, and with the line where possible, if a check
    fails; errors raised by the rules themselves are not caught."""
    faults = [*first_fault(game, lambda: check_declaration(game))] or [*layout_faults(game), *words_faults(game)]
    players = sorted({game.players[0], usual_players(game), game.players[-1]}) if not faults else []
    for many in players:
        faults = faults or try_match(game, many, 0)
    if faults:
        raise Broken(faults[0])


def first_fault(game: Game[Any], checks: Callable[[], None], of: str = "") -> Iterator[str]:
    """The fault that a check raises, if any, with its source line."""
    try:
        checks()
    except Broken as broken:
        yield f"{located(game, broken.about)}: {of}{broken}"


def try_match(game: Game[Any], players: int, number: int, thoroughly: bool = False) -> list[str]:
    """Play the random match with this number, with all checks; return its faults as sentences."""
    listener = Listener(game)
    faults = list(first_fault(game, lambda: play(game, players, number, listener, thoroughly), f"{game.title} with {players} players: "))
    return [*faults, *listener.faults]


class CheckedMatch(Match[Any]):
    """A match in which every state is checked before anything is derived from it."""

    def __init__(self, game: Game[Any], players: int) -> None:
        super().__init__(game, players)
        check_state(game, self.state, START)

    def _advance(self, move: Moved) -> Step:
        happened = super()._advance(move)
        check_step(self.game, happened)
        return happened


def random_move(match: Match[Any], rng: Rng) -> Moved:
    """A random legal choice, or the chance event that the match waits for."""
    if match.turn is not None:
        return pick(match.game.legal(match.state), rng)
    return resolve_chance(match.game, match.state, lambda things, n: shuffle(things, n, rng))


def play(game: Game[Any], players: int, number: int, listener: Listener, thoroughly: bool) -> None:
    """Play the match with this number. Every state is checked; some, fewer as the match goes on, are also checked for leaks and shown in words.
    ``thoroughly`` checks for leaks to all viewers, otherwise to the player in turn and one more."""
    rng, guesses = [seeded(SEED, number)], [seeded(SEED + 1, number)]
    match, secrets = CheckedMatch(game, players), Secrets(game)
    while not match.over:
        if len(match.moves) == MOST_CHOICES:
            raise endless(game, match.state, number)
        moves, before = len(match.moves), match.state
        acts = match.step(random_move(match, rng))
        closely = is_closely(moves) or (match.state.round != before.round and match.state.round < 4)
        if closely and before.phase >= 0:
            everyone = [*range(players), ONLOOKER]
            check_leaks(game, before, everyone if thoroughly else {before.turn, everyone[moves % len(everyone)]}, guesses)
            tell_state(game, before, listener)
        if closely:
            read(game, before, match.written[-1])
        for act in acts:
            check_audience(game, act)
            secrets.note(act)
            if closely:
                tell_act(game, act, listener)
    secrets.check()
    check_end(game, match.state)


def is_closely(number: int) -> bool:
    """Whether the n-th event is checked closely: the first thirty, then one in thirty, one in sixty, and so on."""
    return number < 30 or number % (30 * (number // 200 + 1)) == 0


def tell_state(game: Game[Any], s: State, listener: Listener) -> None:
    """Check that the table can be shown in words, and that a refused choice has a reason."""
    seen, names = view(game, s, s.turn), listener.names(s.players)
    notation = notation_of(game, s)
    forbidden = [choice for choice, text in enumerate(notation) if text and not seen.legal & bit(choice)]
    reason = why_not(game, s, forbidden[0]) if forbidden else Message("refuse", {"choices": []})
    if not isinstance(reason, Message):
        raise Broken(f"why_not says {reason!r} of {notation[forbidden[0]]!r}: it should be a Message.", LEGAL)
    last = layout_of(game).last
    for words in listener.languages:
        text_table(seen, words, names)
        words.ask(s.phase)
        for choice, text in enumerate(notation):
            if text and seen.legal & bit(choice):
                words.choice(seen.state, choice)
        words.say(reason, names, s.turn)
        if last and (message := last(seen.state)):
            words.say(message, names, s.turn)


def tell_act(game: Game[Any], act: list[Step], listener: Listener) -> None:
    """Check that the events of an act can be shown in words, and the score sheet."""
    after, names = act[-1].after, listener.names(act[-1].after.players)
    row = finished_round(game, act[0].before, after)
    for words in listener.languages:
        for viewer in (0, ONLOOKER):
            words.log(events_of(game, act, viewer), names, viewer)
        score_sheet(words, names, [row] if row else [], after.score)
