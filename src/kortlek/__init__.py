"""Kortlek: write a card game's rules once; play it with friends and bots, simulate it, study it.

>>> from kortlek import GAMES
>>> sorted(GAMES)
['cascade', 'plump', 'rummy', 'trick_paper_scissors', 'up_and_down']
"""

from kortlek.rules import GAMES

__version__ = "0.1.0"
__all__ = ["GAMES", "__version__"]
