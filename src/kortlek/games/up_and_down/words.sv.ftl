# Up and Down. Mesan är trumffärgen, pintan den utspelade färgen.
title = Up and Down
about = Bjud hur många stick du tar; ett mesakort gör trumfen.

option-largest_round = Största giv
    .about = hur många kort den största given har
option-first_bettor = Bjuder först
    .about = vem som bjuder först i den första given

ask-bet = Hur många stick tar du?
ask-play = Vilket kort spelar du?
choice-bet = Bjud { $count }
choice-play = Spela { $card }

event-deal = Giv { $round }
event-bet = { $who } bjuder { $count }
event-play = { $who } spelar { $card }
event-taken = { $who } tar sticket
event-points = { $who } får { $value } poäng

place-trick = På bordet
    .sizes = Kort på bordet
place-mesa = Mesa
    .sizes = Mesa
field-first = Bjuder först
field-trump = Mesa
field-led = Pinta
field-bet = Bud
field-taken = Tagna stick
field-points = Poäng

table-round = Giv { $round } av { $rounds }, stick: { $hands }, bjuder först: { $who }
table-bids = Bud: { $each }; { $sum } av { $all }
table-no-bids = Bud: inga än
table-taken = Tagna stick: { $each }
table-trick = På bordet: { $each }
table-no-trick = På bordet: inget än
table-last = Förra sticket: { $each }; taget av { $whom }

sheet-title = Stick
sheet-cell = { $points } ({ $taken } av { $bet })

metric-trump_wins = stick i en annan färg som mesan vann
bot-house = räknar kort och mesor, bjuder vad den kan vänta sig, och spelar för precis det
