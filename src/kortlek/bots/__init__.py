"""Players that are programs. ``BOTS`` is the only list of them."""

from kortlek.bots.bot import BOTS, RANDOM, Bot

__all__ = ["BOTS", "RANDOM", "Bot"]
