# TrickPaperScissors.
title = TrickPaperScissors
about = The lead decides the trump by rock, paper, scissors.
variant-3 = a house variant: twelve cards each

option-discard_face_up = Show the cards set aside
    .about = whether the three cards set aside are shown
option-stars = Stars
    .about = how many stars the cards from 1 to 13 have
option-deals = Deals
    .about = how many deals a match has
option-first_dealer = First dealer
    .about = who deals first

suit-0 = rock
suit-1 = paper
suit-2 = scissors
card = { $suit ->
    [R] rock
    [P] paper
   *[S] scissors
} { $rank }

ask-play = Which card do you play?
ask-value = What shall the value of the trump suit be?
choice-play = Play { $card }
choice-value = Value { $count }

event-play = { $who } { VERB($you, "play", "plays") } { $card }
event-value = { $who } { VERB($you, "set", "sets") } the value of the trump suit to { $count }
event-rock = { $who } { VERB($you, "have", "has") } { $value } in rock
event-paper = { $who } { VERB($you, "have", "has") } { $value } in paper
event-scissors = { $who } { VERB($you, "have", "has") } { $value } in scissors
event-result = { $who } { VERB($you, "score", "scores") } { $value }

place-discard = Set aside
    .sizes = Cards set aside
field-value = Values
field-rock = Rock
field-paper = Paper
field-scissors = Scissors
field-result = Points

table-round = Deal { $round } of { $rounds }, dealer: { $who }
table-round-lots = Deal { $round } of { $rounds }, dealer: drawn by lot
table-values = Values: rock { $rock }, paper { $paper }, scissors { $scissors }
table-points = Points in rock, paper and scissors: { $each }
seat-points = { $who } { $rock } { $paper } { $scissors }
table-trick-led = Trick: { $each }; { $suit } led, { $trump }
table-trump = { $suit } is trump

sheet-title = Deal
sheet-cell = { $result }

refuse-value = The value of { $suit } is { $value } and moves at most one step on the ladder -1, 1, 2.

reason-counts-more = { $mine } in { $suit } against at most { $theirs } of a rival, so it shall count more
reason-counts-less = { $mine } in { $suit } against at most { $theirs } of a rival, so it shall count less
reason-stays = { $mine } in { $suit } against at most { $theirs } of a rival, so it stays
reason-others-may-win = { $suit } counts { $value }, so others may win it
reason-only-trump = only a trump can beat { $card }
reason-low-lead = a low lead in { $suit } risks little
reason-high-lead = a high lead in { $suit } may win
reason-for-others = { $suit } counts { $value }, so the trick is for others
reason-not-worth = the trick is not worth a card that wins
reason-missed-least = cannot win, and { $card } is missed least
reason-trump-wins = a trump wins here and may move the value of { $suit }
reason-may-hold = { $card } beats the table and may hold
reason-last-cheapest = last to play: the cheapest card that wins
reason-last-wins = last to play: wins

metric-trump_wins = tricks that a trump won
metric-value_changes = chances to set a value at which it was changed
metric-below_zero = suits that count against their owner in the end
metric-points_leader = points in a deal of the first leader
metric-points_dealer = points in a deal of the dealer
bot-house = weighs what the trick brings against what the card could do later; counts cards and voids
