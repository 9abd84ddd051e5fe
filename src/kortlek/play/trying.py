"""A game tried out: a match at random for each number of players, in which it has to keep what every game promises.

For a game that nobody has tested yet. Whatever it breaks is said in one sentence, before it can do harm: compiled, the same mistake could write
where it should not, or never end."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

from kortlek.cards import bit
from kortlek.play import information, telling
from kortlek.play.plain import Refused, begin, copy_of, draw_chance, gathered, happen, read, thing_names, write
from kortlek.play.redealing import redeal
from kortlek.play.seeded import pick, seeded, shuffle
from kortlek.rules.game import DEAL, LOTS, OVER, SEATS, Game, Match, fields_of

LONGEST = 20_000
"""So many choices a match at random may take, and no more: then nobody can tell whether it ever ends."""
MOST_ROUNDS = 4096
CLOSELY = 5
"""Every so many events it is looked more closely."""


def try_out(game: Game[Any]) -> None:
    """Refused with a sentence if the game does not keep what every game promises; errors of its own rules are not caught."""
    declared(game)
    for players in game.players:
        try:
            try_match(game, players)
        except Refused as broken:
            raise Refused(f"{game.title} with {players} players: {broken}") from broken


def declared(game: Game[Any]) -> None:
    """What a game says of itself has to be possible."""
    if not (isinstance(game.name, str) and game.name.isascii() and game.name.isidentifier() and game.name == game.name.lower()):
        raise Refused(f"A game cannot be called {game.name!r}: its name has small letters, digits and underscores, such as my_game.")
    if not (isinstance(game.players, range) and game.players and 1 <= game.players[0] <= game.players[-1] <= SEATS):
        raise Refused(f"{game.title} cannot be for {game.players!r} players: give a range within 1 to {SEATS}, such as range(2, 5) for 2 to 4.")
    if any(isinstance(value, dataclasses.Field) for value in vars(game.state).values()):
        raise Refused(f"The class {game.state.__name__} needs the decorator @state of kortlek.rules.game above it.")
    if not (isinstance(game.version, int) and game.version > 0):
        raise Refused(f"{game.title} cannot have the version {game.version!r}: it is a whole number from 1 up.")


def try_match(game: Game[Any], players: int) -> None:
    """A match at random."""
    rng = [seeded(1, players)]
    s = begin(game, players)
    names = tuple(f"Player {seat + 1}" for seat in range(players))
    for step in range(LONGEST):
        waits_for_something(game, s)
        if s.phase == OVER:
            return ends_well(game, s)
        before = copy_of(s)
        event: Any = pick(game.legal(s), rng) if s.phase >= 0 else draw_chance(game, s, lambda things, n: shuffle(things, n, rng))
        happen(game, s, event)
        if step % CLOSELY == 0 or s.round != before.round:
            closely(game, before, names)
            for viewer in (0, information.ONLOOKER):
                telling.news(game, before, event, s, viewer)
            telling.finished_round(game, before, s)
            read(game, before, write(game, before, event))
        if not before.round <= s.round <= MOST_ROUNDS:
            raise Refused(f"s.round went from {before.round} to {s.round}: it counts the finished rounds, at most {MOST_ROUNDS}.")
    raise Refused(f"After {LONGEST} events of random play the match is not over: does apply ever set s.phase = OVER?")


def waits_for_something(game: Game[Any], s: Match) -> None:
    """A match waits for a choice that somebody can make, for chance, or for nothing more; its fields hold whole numbers; and every card has its
    place."""
    if s.phase not in (OVER, DEAL, LOTS, *range(len(game.choices))):
        raise Refused(f"s.phase is {s.phase!r}: it is an index into choices, or DEAL, LOTS or OVER.")
    only_whole_numbers(s)
    if s.phase in (DEAL, LOTS):
        things = gathered(game, s)
        if not things or not all(thing in range(len(thing_names(game, s.phase, s.players))) for thing in things):
            raise Refused(f"gather gives {things!r} to be shuffled: they should be {'seats' if s.phase == LOTS else 'cards of the pack'}.")
    if s.phase >= 0:
        if s.turn not in range(s.players):
            raise Refused(f"s.turn is {s.turn}, but the seats are 0 to {s.players - 1}.")
        before, legal = copy_of(s), game.legal(s)
        if s != before:
            raise Refused("legal changes the state: it may only read it.")
        kind = game.choices[s.phase]
        if not isinstance(legal, int) or not 0 < legal < bit(len(kind.notation)):
            said = "is empty" if legal == 0 else f"is {legal!r}"
            raise Refused(f"legal {said} when seat {s.turn} has to choose what to {kind.name}: it is the set of the choices she has, at least one.")
        every_card_has_its_place(game, s)


def only_whole_numbers(s: Match) -> None:
    """Fields hold whole numbers, as they were declared."""
    for name, field in fields_of(type(s)).items():
        value = getattr(s, name)
        several = [value] if not field.shape else value if len(field.shape) == 1 else [each for row in value for each in row]
        for each in several:
            if not isinstance(each, int) or not -(1 << 63) <= each < 1 << 63:
                raise Refused(f"s.{name} holds {each!r}: fields hold whole numbers of 64 bits.")


def every_card_has_its_place(game: Game[Any], s: Match) -> None:
    """Every card lies in exactly one place."""
    packs: dict[int, Counter[int]] = {}
    for place, field in information.places(s):
        assert field.lies is not None
        packs.setdefault(place.seat if game.pack.one_each else 0, Counter()).update(information.cards_in(s, place, field.lies))
    for cards in packs.values():
        for card, name in enumerate(game.pack.names):
            if cards[card] != game.pack.copies:
                often = {0: "nowhere", 1: "in one place", 2: "in two places"}.get(cards[card], f"in {cards[card]} places")
                once = "each of its two copies" if game.pack.copies == 2 else "every card"
                raise Refused(f"{name} lies {often}: {once} is always in exactly one place, seen or not.")
        if strange := [card for card in cards if card not in range(len(game.pack.names))]:
            raise Refused(f"There is no card {strange[0]} in the pack, but it lies somewhere.")


def closely(game: Game[Any], s: Match, names: tuple[str, ...]) -> None:
    """A guess at the hidden cards looks the same, the table can be told, and what is not allowed has a reason."""
    if s.phase < 0:
        return
    seen = information.view(game, s, s.turn)
    guess = redeal(seen, [seeded(2, 0)])
    if information.view(game, guess, s.turn) != seen:
        raise Refused(f"What seat {s.turn} sees tells more than its fields say: legal depends on cards that she does not see.")
    telling.table(seen, names)
    forbidden = [choice for choice in range(len(game.choices[s.phase].notation)) if not seen.legal & bit(choice)]
    for choice in forbidden[:1]:
        reason = game.why_not(s, choice)
        if not isinstance(reason, str) or not reason:
            raise Refused(f"why_not says {reason!r} of {game.choices[s.phase].notation[choice]!r}: it should be a sentence.")


def ends_well(game: Game[Any], s: Match) -> None:
    """Somebody has won, or nobody; and the rounds were counted."""
    winners = game.winners(s)
    if not isinstance(winners, int) or not 0 <= winners < bit(s.players):
        raise Refused(f"winners is {winners!r}: it is the set of the seats that share the win.")
    if s.round == 0:
        raise Refused("The match ends in its round 0: count s.round up when a round is over, the last one too.")
