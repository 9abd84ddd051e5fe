"""How the house plays Cascade.

It collects cards early: as long as most of the triangle is empty, a card in hand is worth more than a card on the table, because a large hand lets
one play follow another in a single turn. So it often draws although it could play. It evaluates the position after each of its plays. Cards that
it will draw are unknown: it takes them for the average of those it has not seen yet. It prefers to hold many cards, above all cards that gain an
action in an open slot, and to leave the others few open slots with bonuses, the more so the more cards they hold. Towards the end of a game only
cards played count. The weights are learned from games against itself.

There are also the two bots of the original program, *easy* and *hard*, and a *deep* one that looks at each play together with everything it could
do next in the same turn, and so plays first what gains actions and cards.
"""

from kortlek.bots.knobs import Knobs
from kortlek.bots.policy import Policy
from kortlek.games.cascade.chains import far, near, worth
from kortlek.games.cascade.plays import easy, hard, reason

EASY = Policy("cascade/easy", 1, easy, reason)
HARD = Policy("cascade/hard", 1, hard, reason)
HOUSE = Policy("house", 2, near, reason)
DEEP = Policy("cascade/deep", 1, far, reason)

KNOBS = Knobs((HOUSE, EASY, HARD, DEEP), prior=DEEP, value=worth, loyalty=1.0, steps=(900, 18_000))
