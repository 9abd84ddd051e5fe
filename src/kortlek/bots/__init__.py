"""Computer players."""

from kortlek.bots.bot import Bot
from kortlek.bots.levels import BOT_NAMES, CLUB, EXPERT, HOUSE, LEVELS, RANDOM, USUAL, Level, level_called, levels_of

__all__ = ["BOT_NAMES", "CLUB", "EXPERT", "HOUSE", "LEVELS", "RANDOM", "USUAL", "Bot", "Level", "level_called", "levels_of"]
