"""The rule books. ``GAMES`` is the only list of them."""

from typing import Any

from kortlek.rules.cascade import CASCADE
from kortlek.rules.game import Game
from kortlek.rules.plump import PLUMP
from kortlek.rules.rummy import RUMMY
from kortlek.rules.trick_paper_scissors import TRICK_PAPER_SCISSORS
from kortlek.rules.up_and_down import UP_AND_DOWN

GAMES: dict[str, Game[Any]] = {game.name: game for game in (PLUMP, UP_AND_DOWN, TRICK_PAPER_SCISSORS, RUMMY, CASCADE)}
"""Every game by name."""
