# Plump.
title = Plump
about = Lova hur många stick du tar, och ta sedan precis så många.

option-first_lead = Första utspel
    .about = vem som spelar ut till det första sticket i en giv
option-first_lead-first_bidder = den som bjöd först
option-first_lead-highest_bidder = den som bjöd högst
option-first_dealer = Första giv
    .about = vem som ger den första given

ask-bid = Hur många stick tar du?
ask-play = Vilket kort spelar du?
choice-bid = Bjud { $count }
choice-play = Spela { $card }

event-deal = Giv { $round }
event-bid = { $who } bjuder { $count }
event-play = { $who } spelar { $card }
event-turned = { $who } hade { $card }
event-points = { $value ->
    [0] { $who } plumpar 🌑
   *[other] { $who } får { $value } poäng
}

place-trick = Stick
    .sizes = Kort i sticket
place-forehead = I pannan
    .yours = I din panna
    .of = I { $whose } panna
field-opener = Första utspel
field-bid = Bud
field-turned = Vänt kort
field-points = Poäng

table-round = Giv { $round } av { $rounds }, stick: { $ticks }, ger: { $who }
table-round-lots = Giv { $round } av { $rounds }, stick: { $ticks }, det lottas vem som ger
table-foreheads = I pannan: { $each }
table-trick = Sticket: { $each }
table-no-trick = Sticket: inget än

sheet-title = Stick
sheet-cell = { $points ->
    [0] 🌑
   *[other] { $points }
}

reason-forehead = det osedda kortet vinner med { $percent } %
bot-house = räknar kort, bjuder vad den kan vänta sig, och spelar för precis det
