"""The bots of Rummy: the house (which plays as the original program does) and a sharp one."""

from kortlek.bots.knobs import Knobs
from kortlek.games.rummy.house import HOUSE, ORIGINAL
from kortlek.games.rummy.sharp import SHARP

KNOBS = Knobs((HOUSE, ORIGINAL, SHARP), prior=SHARP, loyalty=2.0, swing=100)
