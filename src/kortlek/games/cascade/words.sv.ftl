# Cascade.
title = Cascade
about = Fyll en triangel av kort; det som passar bra låter dig spela vidare.

option-hand_sizes = Starthänder
    .about = hur många kort var och en börjar med, i turordning
option-games = Omgångar
    .about = hur många omgångar en match har

ask-act = Vilket kort spelar du, eller drar du?
ask-column = I vilken kolumn?
choice-play = Spela { $card }
choice-draw = Dra
choice-column = Kolumn { $count }

event-deal = Omgång { $round }
event-play = { $who } spelar { $card } i kolumn { $count }
event-draw = { $who } drar
event-passed = { $who } måste passa
event-points = { $who } får { $value } poäng

place-deck = Lek
    .sizes = Kort i leken
place-laid = Lagda kort
    .sizes = Lagda kort
field-first = Började
field-actions = Drag kvar
field-played = Spelade kort
field-points = Poäng

table-round = Omgång { $round } av { $rounds }, började: { $who }
table-triangle = { $drawing }
table-slots = Öppna kolumner: { $slots }
table-slot = { $column } under { $cards }
table-played = Spelade kort: { $each }
table-packs = Kort i leken: { $each }
table-actions = Drag kvar: { $who } { $count }

sheet-title = Omgång
sheet-cell = { $points } ({ $played } spelade)

refuse-not-there = { $card } passar inte där: platsen måste vara öppen och kortet får inte ligga mellan de två ovanför.
refuse-nowhere = { $card } passar ingenstans: det skulle ligga mellan de två korten ovanför.
refuse-not-held = Du har inte { $card }.
refuse-empty = Din lek är tom.

earns = { $gains }: { $reasons }
gain-actions = +{ $count } drag
gain-cards = +{ $count } kort
for-row = tre i rad
for-value = { $times ->
    [2] samma valör två gånger
   *[other] samma valör
}
for-suit = { $times ->
    [2] samma färg två gånger
   *[other] samma färg
}

reason-no-card-fits = inget kort passar
reason-later = inget kort ger ett drag nu, ett till kan göra det senare
reason-one-more = ett kort till att välja bland
reason-fits = passar under { $cards }, och ger inget
reason-gains = ger { $gains } under { $cards }
reason-actions = { $count ->
    [one] ett drag
   *[other] { $count } drag
}
reason-cards = { $count ->
    [one] ett kort
   *[other] { $count } kort
}

metric-stuck = omgångar som slutar innan triangeln är full
metric-passes = pass i en omgång
metric-bonus_actions = drag som ett spelat kort ger
metric-bonus_cards = kort som ett spelat kort ger
metric-chain = kort spelade i ett drag
metric-actions_drawing = drag som gick åt till att dra ett kort
metric-played_first = kort som den som börjar spelar i en omgång
metric-played_last = kort som den sista i turordningen spelar i en omgång
level-cascade-easy = cascade/lätt
level-cascade-hard = cascade/svår
level-cascade-deep = cascade/djup
bot-house = samlar kort tidigt, lämnar få bonusar åt de andra
bot-cascade-easy = originalprogrammets lätta bot: spelar vad som helst, oftare det som ger drag och kort
bot-cascade-hard = originalprogrammets svåra bot: spelar det som genast ger mest, drar bara när inget passar
bot-cascade-deep = som huset, men ser på varje kort tillsammans med nästa
