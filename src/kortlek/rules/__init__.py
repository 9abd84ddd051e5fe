"""The rule books. ``GAMES`` is the only list of them."""

from typing import Any

from kortlek.rules.game import Game
from kortlek.rules.told.cascade import CASCADE
from kortlek.rules.told.plump import PLUMP
from kortlek.rules.told.rummy import RUMMY
from kortlek.rules.told.trick_paper_scissors import TRICK_PAPER_SCISSORS
from kortlek.rules.told.up_and_down import UP_AND_DOWN

GAMES: dict[str, Game[Any]] = {game.name: game for game in (PLUMP, UP_AND_DOWN, TRICK_PAPER_SCISSORS, RUMMY, CASCADE)}
"""Every game by name."""
