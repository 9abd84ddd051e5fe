# Cascade.
title = Cascade
about = Fill a triangle of cards; what fits well lets you play on.

option-hand_sizes = First hands
    .about = how many cards each starts with, in turn order
option-games = Games
    .about = how many games a match has

ask-act = Which card do you play, or do you draw?
ask-column = Into which column?
choice-play = Play { $card }
choice-draw = Draw
choice-column = Column { $count }

event-deal = Game { $round }
event-play = { $who } { VERB($you, "play", "plays") } { $card } into column { $count }
event-draw = { $who } { VERB($you, "draw", "draws") }
event-passed = { $who } { VERB($you, "have", "has") } to pass
event-points = { $who } { VERB($you, "score", "scores") } { $value }

place-deck = Pack
    .sizes = Cards in the pack
place-laid = Cards laid
    .sizes = Cards laid
field-first = Began
field-actions = Actions left
field-played = Cards played
field-points = Points

table-round = Game { $round } of { $rounds }, started by: { $who }
table-triangle = { $drawing }
table-slots = Open columns: { $slots }
table-slot = { $column } below { $cards }
table-played = Cards played: { $each }
table-packs = Cards in the pack: { $each }
table-actions = Actions left: { $who } { $count }

sheet-title = Game
sheet-cell = { $points } ({ $played } played)

refuse-not-there = { $card } does not fit there: the slot must be open and the card not between the two above it.
refuse-nowhere = { $card } does not fit anywhere: it would be between the two cards above.
refuse-not-held = You do not hold { $card }.
refuse-empty = Your pack is empty.

earns = { $gains }: { $reasons }
gain-actions = { $count ->
    [one] +1 action
   *[other] +{ $count } actions
}
gain-cards = { $count ->
    [one] +1 card
   *[other] +{ $count } cards
}
for-row = three in a row
for-value = { $times ->
    [2] same value twice
   *[other] same value
}
for-suit = { $times ->
    [2] same suit twice
   *[other] same suit
}

reason-no-card-fits = no card fits
reason-later = no card gains an action now, one more may do so later
reason-one-more = one more card to choose from
reason-fits = fits below { $cards }, and gains nothing
reason-gains = gains { $gains } below { $cards }
reason-actions = { $count ->
    [one] one action
   *[other] { $count } actions
}
reason-cards = { $count ->
    [one] one card
   *[other] { $count } cards
}

metric-stuck = games that end before the triangle is full
metric-passes = passes in a game
metric-bonus_actions = actions that a play earns
metric-bonus_cards = cards that a play earns
metric-chain = cards played in a turn
metric-actions_drawing = actions spent on drawing a card
metric-played_first = cards that the starting player plays in a game
metric-played_last = cards that the last player in turn plays in a game
level-cascade-easy = cascade/easy
level-cascade-hard = cascade/hard
level-cascade-deep = cascade/deep
bot-house = gathers cards early, leaves the others few bonuses
bot-cascade-easy = the original program's easy bot: plays anything, more often what gains actions and cards
bot-cascade-hard = the original program's hard bot: plays what gains most at once, draws only when nothing fits
bot-cascade-deep = as the house, but looks at each play together with the next
