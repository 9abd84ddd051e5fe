# Hearts.
title = Hearts
about = Take no hearts and not the queen of spades, or take all of them.

option-target = Play to
    .about = the match ends when somebody has this many points
option-pass_order = Passing
    .about = where three cards go before the play
option-pass_order-left_right_across_hold = left, right, across, hold
option-pass_order-left_right_across = left, right, across
option-pass_order-left = always left
option-pass_order-never = never
option-lead_any_club = Any club leads
    .about = whether the holder of the two of clubs may lead another club to the first trick
option-points_in_first_trick = Points in the first trick
    .about = whether hearts and the queen of spades may be played to the first trick by who cannot follow suit
option-breaking = Hearts are broken
    .about = what has to be played before hearts may be led
option-breaking-by_a_heart = by a heart
option-breaking-by_a_heart_or_the_queen = by a heart or the queen of spades
option-breaking-not_needed = from the beginning
option-hearts_instead_of_queen = Hearts instead of the queen
    .about = whether who has only hearts and the queen of spades may lead a heart before hearts are broken
option-moon_counts = Shooting the moon
    .about = what it counts to take all 26 points
option-moon_counts-others_add = the others add 26
option-moon_counts-shooter_subtracts = the shooter subtracts 26
option-moon_counts-shooter_chooses = the shooter chooses
option-jack_of_diamonds = Jack of diamonds
    .about = whether who takes the jack of diamonds has ten points less
option-no_tricks_bonus = No tricks
    .about = whether a player without a trick has five points less

ask-pass = Which cards do you pass? Choose three.
ask-play = Which card do you play?
ask-moon = You have shot the moon. What shall it count?
choice-pass = Pass { $card }
choice-play = Play { $card }
choice-add = The others add 26
choice-subtract = You subtract 26

event-deal = Round { $round }
event-pass = { $you ->
    [yes] { $who } pass { $cards }
   *[no] { $who } passes three cards
}
event-play = { $who } { VERB($you, "play", "plays") } { $card }
event-penalty = { $who } { VERB($you, "have", "has") } { $value ->
    [one] one point
   *[other] { $value } points
}
event-broken = Hearts are broken
event-moon = The moon is shot by { $whom }
event-add = { $who } { VERB($you, "let", "lets") } the others add 26
event-subtract = { $who } { VERB($you, "subtract", "subtracts") } 26
event-points = { $who } { VERB($you, "get", "gets") } { $value ->
    [one] one point
   *[other] { $value } points
}

field-away = Passing
field-passing = Laid aside
field-passed_to = Passed
field-penalty = Points taken
field-broken = Hearts broken
field-jack = Jack of diamonds
field-moon = Moon
field-points = Points
field-known_present = Known cards

table-round = Round { $round }, to { $target } points, dealer: { $who }
table-passes = { $where ->
    [left] Three cards are passed to the left
    [right] Three cards are passed to the right
    [across] Three cards are passed across
   *[hold] No cards are passed
}
table-aside = Laid aside: { $each }
table-passed = Passed and not played yet: { $each }
seat-passed = { $who } to { $whom } { $cards }
table-penalty = Points taken: { $each }
table-broken = Hearts are broken
table-not-broken = Hearts are not broken

sheet-title = Round
sheet-cell = { $points }

refuse-pass-not-held = You do not hold { $card }: pass one of { $cards }.
refuse-passed = You have laid { $card } aside already: pass one of { $cards }.
refuse-first-lead = The first trick begins with the two of clubs: play { $cards }.
refuse-first-trick = No points in the first trick: play one of { $cards }.
refuse-not-broken = Hearts are not broken yet: lead one of { $cards }.
refuse-moon = Say whether the others add 26 or you subtract 26.

reason-others-add = the others fall back by 26
reason-subtract = adding would end the match with another winner
reason-pass-queen = { $count ->
    [0] nothing guards her
    [one] one spade does not guard her
   *[other] { $count } spades do not guard her
}
reason-pass-high-spade = it would have to take the queen
reason-pass-heart = a high heart takes points
reason-pass-short = soon without { $suit }
reason-pass-high = it is likely to take tricks
reason-shoot = going for the moon
reason-lead-spade = the queen of spades is still out
reason-lead = { $count ->
    [0] nothing unseen is higher
    [one] one unseen card is higher
   *[other] { $count } unseen cards are higher
}
reason-stop-moon = nobody else has taken points, and { $whom } must not take all
reason-no-points-for = no more points for { $whom }
reason-take-safe = the trick has no points, and a high card is gone
reason-take = it cannot be avoided
reason-take-low = somebody else may still take the trick
reason-duck-highest = the highest card that loses
reason-duck = it loses
reason-discard-points = points for somebody else
reason-discard = a dangerous card is gone

metric-moons = rounds in which the moon is shot
metric-queen_by_leader = queens of spades that are taken by who led to the trick
metric-queen_passed = rounds with passing in which the queen of spades is passed
metric-broken_in = the trick in which hearts are broken
metric-without_points = players who take no points in a round
metric-most_points = the most points that a player takes in a round without a moon
bot-house = ducks, throws points on others, and watches for the moon
