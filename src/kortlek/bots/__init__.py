"""Players that are programs."""

from kortlek.bots.bot import Bot
from kortlek.bots.levels import CLUB, EXPERT, HOUSE, LEVELS, RANDOM, USUAL, Level, level_called, levels_of

__all__ = ["CLUB", "EXPERT", "HOUSE", "LEVELS", "RANDOM", "USUAL", "Bot", "Level", "level_called", "levels_of"]
