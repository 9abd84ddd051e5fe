"""Players that are programs. ``BOTS`` is the only list of them."""

from collections.abc import Callable

from kortlek.bots.bot import Bot, Chance
from kortlek.bots.search import Search

RANDOM, SEARCH = "random", "search"
BOTS: dict[str, Callable[[int], Bot]] = {RANDOM: Chance, SEARCH: Search}
"""Every level of bot by name; each makes a bot from a seed."""

__all__ = ["BOTS", "RANDOM", "SEARCH", "Bot"]
