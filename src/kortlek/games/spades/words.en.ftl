# Spades.
title = Spades
about = Promise with your partner how many tricks you will take, and take them, but not many more.

option-target = Play to
    .about = the match ends when a team has this many points
option-losing_score = Lost at
    .about = the match also ends when a team has fallen to this score
option-nil_points = Nil
    .about = what a nil earns, or costs if it fails
option-failed_nil = Tricks of a failed nil
    .about = what becomes of the tricks of a player who has bid nil
option-failed_nil-makes_bags = are bags
option-failed_nil-helps_partner = help the partner's bid
option-blind_nil = Blind nil
    .about = whether a team that is a hundred points behind may bid nil before the deal, for twice as many points
option-bags_for_penalty = Bags for a penalty
    .about = how many bags cost a penalty
option-bag_penalty = Penalty for bags
    .about = what so many bags cost
option-least_together = Least bid of a team
    .about = how many tricks partners have to bid together, unless one of them bids nil
option-breaking = Spades are broken
    .about = what has to be played before spades may be led
option-breaking-by_a_spade = by a spade
option-breaking-not_needed = from the beginning
option-first_dealer = First dealer
    .about = who deals the first round

ask-blind = Do you bid nil without looking at your cards?
ask-bid = How many tricks do you bid?
ask-play = Which card do you play?
choice-look = Look at the cards
choice-blind_nil = Blind nil
choice-bid = { $count ->
    [0] Bid nil
   *[other] Bid { $count }
}
choice-play = Play { $card }

event-deal = Round { $round }
event-look = { $who } { VERB($you, "want", "wants") } to see the cards first
event-blind_nil = { $who } { VERB($you, "bid", "bids") } nil without looking
event-bid = { $who } { VERB($you, "bid", "bids") } { $count ->
    [0] nil
   *[other] { $count }
}
event-play = { $who } { VERB($you, "play", "plays") } { $card }
event-broken = Spades are broken
event-points = { $who } { VERB($you, "get", "gets") } { $value ->
    [one] one point
   *[other] { $value } points
}

field-blind = Blind nil
field-bid = Bid
field-broken = Spades broken
field-bags = Bags
field-points = Points

table-round = Round { $round }, to { $target } points, dealer: { $who }
table-round-lots = Round { $round }, to { $target } points, dealer: drawn by lot
table-team = { $seats }: bid { $bid }, taken { $taken }, bags { $bags }
table-bags = { $seats }: bags { $bags }
table-nils = Nil so far: { $each }
table-broken = Spades are broken
table-not-broken = Spades are not broken

sheet-title = Round
sheet-cell = { $points }

refuse-blind = You have bid nil without looking.
refuse-together = With { $whom }, who has bid { $count }, you bid at least { $least } and at most { $most } together, or nil.
refuse-not-broken = Spades are not broken yet: lead one of { $cards }.

reason-look = the cards may be good
reason-blind = far behind, it is worth the risk
reason-nil = no card has to take a trick
reason-nil-dares = it dares a nil
reason-bid = { $count ->
    [one] the hand can expect about one trick
   *[other] the hand can expect about { $count } tricks
}
reason-own-nil = it has bid nil
reason-cover-nil = it covers the partner's nil
reason-cover-nil-small = the partner's nil is safe in this trick
reason-no-bags = the bid is made, and bags cost
reason-partner-wins = the partner takes the trick
reason-loses = it cannot win, or would win too dearly
reason-cheapest = the cheapest card that wins
reason-wins = it wins the trick
reason-top = nothing unseen is higher
reason-tries = { $count ->
    [0] the others need tricks
    [one] the team needs one more trick
   *[other] the team needs { $count } more tricks
}

metric-bids_made = bids of a team that are made
metric-tricks_bid = tricks that all four bid together in a round
metric-tricks_left = rounds in which fewer tricks are bid than there are
metric-nils = bids that are nil
metric-nils_made = nils that are made
metric-bags = tricks too many of a team that makes its bid
metric-bag_penalties = rounds that bring a team a penalty for bags
metric-points = points of a team in a round
bot-house = bids what it can expect, plays for the bid of the team, and avoids bags
