"""Kortlek: write a card game's rules once; play it with friends and bots, simulate it, study it.

>>> import kortlek as kl
>>> match = kl.game("plump").start(players=4, seed=2026)
>>> match.legal[:3]
['bid 0', 'bid 1', 'bid 2']
"""

from kortlek.api import CardGame, Match, Record, Refused, View, bot, game, game_names, records, replay

__version__ = "0.2.0"
__all__ = ["CardGame", "Match", "Record", "Refused", "View", "__version__", "bot", "game", "game_names", "records", "replay"]
