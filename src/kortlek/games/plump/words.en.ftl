# Plump. A trick is called a tick.
-trick = tick
-tricks = ticks

title = Plump
about = Promise how many ticks you will take, then take exactly that many.

option-first_lead = First lead
    .about = who leads the first tick of a round
option-first_lead-first_bidder = the first bidder
option-first_lead-highest_bidder = the highest bidder
option-first_dealer = First dealer
    .about = who deals the first round

ask-bid = How many ticks will you take?
ask-play = Which card do you play?
choice-bid = Bid { $count }
choice-play = Play { $card }

event-deal = Round { $round }
event-bid = { $who } { VERB($you, "bid", "bids") } { $count }
event-play = { $who } { VERB($you, "play", "plays") } { $card }
event-turned = { $who } had { $card }
event-points = { $value ->
    [0] { $who } { VERB($you, "are", "is") } plumped 🌑
   *[other] { $who } { VERB($you, "score", "scores") } { $value }
}

place-trick = Tick
    .sizes = Cards in the tick
place-forehead = Foreheads
    .yours = Your forehead
    .of = { $whose } forehead
field-opener = First leader
field-bid = Bid
field-turned = Card turned up
field-points = Points

table-round = Round { $round } of { $rounds }, ticks: { $ticks }, dealer: { $who }
table-round-lots = Round { $round } of { $rounds }, ticks: { $ticks }, dealer: drawn by lot
table-foreheads = Foreheads: { $each }
table-trick = Tick: { $each }
table-no-trick = Tick: nothing yet

sheet-title = Ticks
sheet-cell = { $points ->
    [0] 🌑
   *[other] { $points }
}

reason-forehead = the unseen card wins with { $percent } %
bot-house = counts cards, bids what it can expect, and plays for exactly that
