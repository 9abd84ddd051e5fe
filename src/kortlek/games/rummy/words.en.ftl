# Rummy.
title = Rummy
about = Lay sets and runs from two packs with jokers, and be first to go out.

option-threshold = Threshold
    .about = what the first melds of a player must be worth more than
option-threshold_suffices = The threshold suffices
    .about = whether exactly the threshold is enough
option-games = Games
    .about = how many games are played
option-earliest_laying_round = First round for melds
    .about = the first round in which melds may be laid
option-round_limit = Most rounds
    .about = after how many rounds a game is drawn

card-JR = red joker
card-JB = black joker
rank-0 = twos
rank-1 = threes
rank-2 = fours
rank-3 = fives
rank-4 = sixes
rank-5 = sevens
rank-6 = eights
rank-7 = nines
rank-8 = tens
rank-9 = jacks
rank-10 = queens
rank-11 = kings
rank-12 = aces

ask-draw = Where do you draw?
ask-turn = What do you do?
ask-kind = What kind of meld?
ask-card = Which card?
ask-meld = To which meld?
ask-way = At which end, or for the joker?
choice-draw = { $name ->
    [stock] Draw from the stock
   *[discard] Take the top discard
}
choice-discard = Discard { $card }
choice-lay = Lay a meld
choice-add = Add a card to a meld
choice-set = A set of { $rank }
choice-run = A run of { $suit }
choice-card = { $card }
choice-done = The meld is finished
choice-meld = Meld { $pile }
choice-low = At the low end
choice-high = At the high end
choice-swap = For the joker

event-deal = Game { $round }
event-draw = { $name ->
    [stock] { $who } { VERB($you, "draw", "draws") } from the stock
   *[discard] { $who } { VERB($you, "take", "takes") } the top discard
}
event-discard = { $who } { VERB($you, "discard", "discards") } { $card }
event-lay = { $who } { VERB($you, "lay", "lays") } { $cards }
event-add = { $name ->
    [low] { $who } { VERB($you, "add", "adds") } { $card } to the low end of meld { $pile }
    [high] { $who } { VERB($you, "add", "adds") } { $card } to the high end of meld { $pile }
    [swap] { $who } { VERB($you, "swap", "swaps") } { $card } for the joker of meld { $pile }
   *[other] { $who } { VERB($you, "add", "adds") } { $card } to meld { $pile }
}
event-laid = { $who } { VERB($you, "have", "has") } laid
event-points = { $value ->
    [0] { $who } { VERB($you, "go", "goes") } out
    [one] { $who } { VERB($you, "get", "gets") } one point
   *[other] { $who } { VERB($you, "get", "gets") } { $value } points
}

place-stock = Stock
    .sizes = Cards in the stock
place-discards = Discards
    .sizes = Discards
place-melded = Melds
    .sizes = Cards in melds
field-first = Began
field-lap = Round
field-laid = Has laid
field-points = Points

table-round = Game { $game } of { $games }, round { $round }
table-stock = Stock: { $count }
table-no-discards = Discards: none
table-discards = Discards: { $count }, top { $card }{ $below }
table-below = { $count ->
    [0] { "" }
   *[other] , below { $cards }
}
table-laid = Laid melds: { $each }
table-laid-none = Laid melds: nobody yet
table-known = Known to hold: { $each }
table-meld = Meld { $number }: { $each }
table-laying = Being laid: { $each }
table-joker = { $card } ({ $as })
table-worth = Worth so far: { $worth } of { $needed }

sheet-title = Game
sheet-cell = { $points ->
    [0] –
   *[other] { $points }
}

refuse-stock = The stock is empty.
refuse-discards = Only a player who has laid melds in an earlier turn may take the top discard.
refuse-more = Your melds are worth { $worth } so far and need { $needed }: lay another one.
refuse-not-held = You do not hold { $card }.
refuse-just-taken = You have just taken { $card }: it may not be discarded in the same turn.
refuse-add = Only a player who has laid melds may add single cards.
refuse-early = Melds may not be laid before round { $round }.
refuse-first = First melds must be worth at least { $needed } together and leave a card to discard.
refuse-no-meld = It fits no meld that the rules allow: a meld must be complete and a card must be left to discard.

reason-never-held-back = a finished meld is never held back
reason-enough = the melds are enough for a first laying
reason-a-card-fits = a card fits a meld on the table
reason-most-valuable = part of the most valuable combination
reason-frees-joker = it frees a joker
reason-fits-meld = it fits a meld on the table
reason-there-frees-joker = there it frees a joker
reason-first-meld = the first meld that takes it
reason-either-end = one end is as good as the other
reason-stock-empty = the stock is empty
reason-dearer-melds = { $card } makes dearer melds
reason-card-fits-meld = { $card } fits a meld on the table
reason-closed = the discards are closed before the first laying
reason-no-use = { $card } is of no use
reason-no-discard = there is no discard
reason-goes-out = the last card: this goes out
reason-only-jokers = only jokers remain
reason-others-worth-more = all other cards are worth more here
reason-one-must-go = one card must go, and { $card } counts { $worth }
reason-all-of-use = every card is of use, and without this one the melds are worth most
reason-dearest = the dearest card that is not worth keeping
reason-could-be-laid = { $card } could be laid
reason-top-not-laid = the top discard could not be laid
reason-next-draw = without it the next draw promises most
reason-missed-least = of all cards the hand will miss it least
reason-all-laid = everything can be laid now
reason-points-count = points in the hand count
reason-gone = it is gone and opens no better place for others
reason-there-it-fits = there it fits

metric-drawn = games that nobody won
metric-stuck = games that ended because nobody could go on
metric-laps = rounds of a game
metric-recycled = times in a game that the discards became the stock
metric-melds = melds laid in a game
metric-swapped = jokers swapped in a game
metric-added = single cards added in a game
metric-laid = players who laid melds before the game was over
metric-first_laid = the round in which a player first lays
metric-took_discard = draws at which the top discard was taken, of players who may take it
level-rummy-original = rummy/original
level-rummy-sharp = rummy/sharp
bot-house = plays as the original program does: lays whatever it can, keeps pairs, remembers nothing
bot-rummy-original = plays as the original program does: lays whatever it can, keeps pairs, remembers nothing
bot-rummy-sharp = counts cards, holds melds back until it can go out, opens no places for others
