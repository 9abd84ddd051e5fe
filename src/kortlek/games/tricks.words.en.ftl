# What trick-taking games share. A game that calls a trick or a bid something else says so: -trick, -tricks, -bid.
-trick = trick
-tricks = tricks
-bid = bid

place-trick = Trick
    .sizes = Cards in the { -trick }
place-gone = Cards played
    .sizes = Cards played
place-rest = Cards not dealt
    .sizes = Cards not dealt
field-dealer = Dealer
field-leader = Leader
field-hand_size = Cards each
field-trump = Trump
field-led = Suit led
field-best = Best card
field-winning = Winning
field-taken = Taken

event-taken = { $who } { VERB($you, "take", "takes") } the { -trick }

table-bids = Bids: { $each }; { $sum } of { $all }
table-no-bids = Bids: none yet
table-taken = Taken: { $each }
table-trick = Trick: { $each }
table-no-trick = Trick: nothing yet
table-last = Last { -trick }: { $each }; taken by { $whom }

refuse-follow = You must follow suit: play one of { $cards }.
refuse-not-held = You do not hold { $card }: play one of { $cards }.
refuse-adds-up = The { -bid }s may not add up to { $all }, the number of { -tricks }, so you cannot { -bid } { $number }.
refuse-too-many = { $all ->
    [one] There is only one { -trick } in this round.
   *[other] There are only { $all } { -tricks } in this round.
}

reason-only-bid = the only { -bid } that is allowed
reason-only-card = the only card that may be played
reason-sure = { $number } sure to win
reason-expects = the hand can expect about { NUMBER($number, minimumFractionDigits: 1, maximumFractionDigits: 1) }
reason-hopes = the hand can expect about { NUMBER($number, minimumFractionDigits: 1, maximumFractionDigits: 1) }, and the rest is hope
reason-aim = { $aim }: { $what }
reason-lost = the { -bid } is lost
reason-needs-none = needs none
reason-needs-all = needs all { $left }
reason-needs-some = needs { $number } of { $left }
reason-highest-loser = the highest card that loses
reason-cannot-win = { $card } cannot win
reason-cheapest-winner = the cheapest card that wins
reason-wins = wins, and is gone
reason-highest = nothing unseen is higher
reason-higher = { $number ->
    [one] one unseen card is higher
   *[other] { $number } unseen cards are higher
}

metric-forced_follow = plays to a { -trick } for which the suit led left fewer cards than were held
metric-one_card_left = plays for which only one card was allowed though more were held
metric-hook = last { -bid }s for which a number was barred
metric-kept = { -bid }s that were kept
metric-kept_last = { -bid }s of the last player that were kept
metric-points_first = points in a round of the first to { -bid }
metric-points_last = points in a round of the last to { -bid }
metric-points_all = points of a player in a round
metric-kept_1 = { -bid }s that were kept with one card
metric-kept_2 = { -bid }s that were kept with 2 cards
metric-kept_3 = { -bid }s that were kept with 3 cards
metric-kept_4 = { -bid }s that were kept with 4 cards
metric-kept_5 = { -bid }s that were kept with 5 cards
metric-kept_6 = { -bid }s that were kept with 6 cards
metric-kept_7 = { -bid }s that were kept with 7 cards
metric-kept_8 = { -bid }s that were kept with 8 cards
metric-kept_9 = { -bid }s that were kept with 9 cards
metric-kept_10 = { -bid }s that were kept with 10 cards
