# What all games share. $who is "You" or a name, $you says which; cards, suits and ranks come as words.
you-who = You
you-whom = you
you-whose = Your
you-within = you
whose = { $name }'s
seat = Seat { $number }
list = { $first } and { $last }
no-card = no card
one-card = { $card }

suit--1 = no suit
suit-0 = clubs
suit-1 = diamonds
suit-2 = hearts
suit-3 = spades
rank-0 = two
rank-1 = three
rank-2 = four
rank-3 = five
rank-4 = six
rank-5 = seven
rank-6 = eight
rank-7 = nine
rank-8 = ten
rank-9 = jack
rank-10 = queen
rank-11 = king
rank-12 = ace

place-hand = Hand
    .yours = Your hand
    .of = { $whose } hand
    .sizes = Cards in hand

## What happens

event-lots = Lots are drawn
event-deal = Deal { $round }
event-face_up = { $place }: { $cards }
event-begins = { $who } { VERB($you, "begin", "begins") }
event-shuffle = The cards played so far are shuffled again
event-gets = { $who } { VERB($you, "get", "gets") } { $cards }
event-gets_unseen = { $who } { VERB($you, "get", "gets") } { $count ->
    [one] a card
   *[other] { $count } cards
}
event-shows = { $who } { VERB($you, "show", "shows") } { $cards }
event-match_over = { $many ->
    [0] Nobody wins
    [one] { $seats } { VERB($you, "win", "wins") }
   *[other] { $seats } share the win
}

## The table and the score sheet

table-title = { $game }, deal { $round }
table-line = { $what }: { $value }
table-score = Score: { $each }
table-options = Options: { $options }
table-hidden = only the others see it
cards-hidden = { $count ->
    [one] one card
   *[other] { $count } cards
}
seat-count = { $who } { $count }
seat-cards = { $who } { $cards }
seat-card = { $who } { $card }
seat-only = { $who }
seats-only = { $seats }
seats-count = { $seats } { $count }
sheet-total = Total

## Choices, and why one is not allowed

refuse = That is not allowed. Allowed: { $choices }.

## Hints

why = { $choice }: { $reason }{ $margin }.
why-only = ; there is nothing else to do
why-better = ; { NUMBER($points, minimumFractionDigits: 1, maximumFractionDigits: 1) } points better than the next
why-close = ; nothing else is clearly better
why-equal = ; everything else is as good
reason-allowed = it is allowed

## Options and their values

value-yes = yes
value-no = no
value-random = drawn by lot
value-last_seat = the last seat
allowed-number = a whole number from { $low } to { $high }
allowed-numbers = { $many } whole numbers from { $low } to { $high }, separated by commas (or bands such as 1-2:3)
allowed-or = { $first } or { $last }
allowed-with = { $allowed } (with { $players } players)
usual-with = { $value } with { $players } players
players = { $low ->
    [one] 1 player
   *[other] { $low } players
}
players-range = { $low } to { $high } players

## Levels of bots

level-random = random
    .about = anything that is legal, all equally likely
level-easy = easy
    .about = plays like the house, but every fifth choice is anything that is allowed
level-medium = medium
    .about = plays like the house, but every twentieth choice is anything that is allowed
level-house = house
    .about = plays by rules of thumb
level-club = club
    .about = tries its choices in some dozens of guesses at the hidden cards
level-expert = expert
    .about = tries its choices in some thousand guesses at the hidden cards
level-tree = tree
    .about = grows a tree of choices over guesses at the hidden cards
