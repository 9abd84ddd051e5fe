"""The definition of a game: the fields of its state, its options, its kinds of choice, and a handful of rules.

A game's ``rules.py`` imports only from here and from ``kortlek.cards`` (and from ``kortlek.games.tricks`` and ``melds``).
"""

from kortlek.game.choices import CARD, SEAT, Alternative, Argument, Choice, Kind, Part, amount, held, one_of, one_of_numbers, one_of_piles, rank_named
from kortlek.game.choices import suit_named
from kortlek.game.fields import EVERYONE, MATCH, MULTISET, NOBODY, OTHERS, OWNER, PARTNERS, PILE, ROUND, SEATS, SET, WIDE, Audience, Declared, Field
from kortlek.game.fields import Holds, Owner, Reset, Storage, card, card_set, cards, count, fields_of, flag, known_to, multiset, pile, rank, seat
from kortlek.game.fields import seat_set, seats_of, state, suit, values, wide
from kortlek.game.game import Game, Rules, Sheet
from kortlek.game.layout import Layout, Message, Zone, each_seat
from kortlek.game.options import LAST_SEAT, RANDOM, Option, Value, choice_option, flag_option, int_option, ints_option, seat_option
from kortlek.game.packs import Face, Pack
from kortlek.game.base import DEAL, LOTS, OVER, SHUFFLE, State, active_seats, all_have_chosen, alone, choose_together, fewest_points, most_points
from kortlek.game.base import highest_score, next_active_seat, next_seat, partners_across

Names = tuple[str, ...]
"""The names of the players, by seat."""

__all__ = [
    "CARD",
    "DEAL",
    "EVERYONE",
    "LAST_SEAT",
    "LOTS",
    "MATCH",
    "MULTISET",
    "NOBODY",
    "OTHERS",
    "OVER",
    "OWNER",
    "PARTNERS",
    "PILE",
    "RANDOM",
    "ROUND",
    "SEAT",
    "SEATS",
    "SET",
    "SHUFFLE",
    "WIDE",
    "Alternative",
    "Argument",
    "Audience",
    "Choice",
    "Declared",
    "Face",
    "Field",
    "Game",
    "Holds",
    "Kind",
    "Layout",
    "Message",
    "Names",
    "Option",
    "Owner",
    "Pack",
    "Part",
    "Reset",
    "Rules",
    "Sheet",
    "State",
    "Storage",
    "Value",
    "Zone",
    "active_seats",
    "all_have_chosen",
    "alone",
    "amount",
    "card",
    "card_set",
    "cards",
    "choice_option",
    "choose_together",
    "count",
    "each_seat",
    "fewest_points",
    "fields_of",
    "flag",
    "flag_option",
    "held",
    "highest_score",
    "int_option",
    "ints_option",
    "known_to",
    "most_points",
    "multiset",
    "next_active_seat",
    "next_seat",
    "one_of",
    "one_of_numbers",
    "one_of_piles",
    "partners_across",
    "pile",
    "rank",
    "rank_named",
    "seat",
    "seat_option",
    "seat_set",
    "seats_of",
    "state",
    "suit",
    "suit_named",
    "values",
    "wide",
]
