# Up and Down. A trick is called a hand, a bid a bet; the mesa is the trump suit, the pinta the suit that was led.
-trick = hand
-tricks = hands
-bid = bet

title = Up and Down
about = Bet how many hands you will win; a mesa card makes the trumps.

option-largest_round = Largest round
    .about = how many cards the largest round has
option-first_bettor = First to bet
    .about = who bets first in the first round

ask-bet = How many hands will you win?
ask-play = Which card do you play?
choice-bet = Bet { $count }
choice-play = Play { $card }

event-deal = Round { $round }
event-bet = { $who } { VERB($you, "bet", "bets") } { $count }
event-play = { $who } { VERB($you, "play", "plays") } { $card }
event-taken = { $who } { VERB($you, "win", "wins") } the hand
event-points = { $who } { VERB($you, "score", "scores") } { $value }

place-trick = On the table
    .sizes = Cards on the table
place-mesa = Mesa
    .sizes = Mesa
field-first = First to bet
field-trump = Mesa
field-led = Pinta
field-bet = Bet
field-taken = Won
field-points = Points

table-round = Round { $round } of { $rounds }, hands: { $hands }, first to bet: { $who }
table-bids = Bets: { $each }; { $sum } of { $all }
table-no-bids = Bets: none yet
table-taken = Won: { $each }
table-trick = On the table: { $each }
table-no-trick = On the table: nothing yet
table-last = Last hand: { $each }; won by { $whom }

sheet-title = Hands
sheet-cell = { $points } ({ $taken } of { $bet })

metric-trump_wins = hands of another suit that the mesa won
bot-house = counts cards and mesas, bets what it can expect, and plays for exactly that
