"""How the house plays Cascade.

It gathers cards early: as long as most of the triangle is empty, a card in hand is worth more than a card on the table, because a large
hand lets one play follow another in a single turn. So it often draws although it could play, and plays first what gains actions and
cards. It looks at each of its plays and at everything that it could do next in the same turn. Cards that it will draw it does not know:
it takes them for the average of those it has not seen yet. When its turn ends it would like to hold many cards, above all such as gain
an action where a slot is open, and to leave the others few open slots with bonuses, the more so the more cards they hold. Towards the
end of a game only cards played count. What all this is worth it has learned from games against itself.

Beside it there are the two bots of the original program, *easy* and *hard*, and a quick one for playing on while stronger bots think.
"""

from kortlek.bots.house.cascade_chains import search
from kortlek.bots.house.cascade_plays import easy, hard, quick, reason
from kortlek.bots.policy import Policy

EASY = Policy("cascade/easy", 1, "the original program's easy bot: plays anything, more often what gains actions and cards", easy, reason)
HARD = Policy("cascade/hard", 1, "the original program's hard bot: plays what gains most at once, draws only when nothing fits", hard, reason)
PLAYOUT = Policy("cascade/quick", 1, "as the hard bot, but draws early rather than play a card that gains no action", quick, reason)
HOUSE = Policy("house", 1, "gathers cards early, looks two plays ahead, leaves the others few bonuses", search, reason)
