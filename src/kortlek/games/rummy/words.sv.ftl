# Rummy.
title = Rummy
about = Lägg ut set och sviter från två lekar med jokrar, och bli först att gå ut.

option-threshold = Tröskel
    .about = vad en spelares första utlägg måste vara värda mer än
option-threshold_suffices = Tröskeln räcker
    .about = om det räcker med precis tröskeln
option-games = Omgångar
    .about = hur många omgångar som spelas
option-earliest_laying_round = Första varv för utlägg
    .about = det första varvet då man får lägga ut
option-round_limit = Högst antal varv
    .about = efter hur många varv en omgång är oavgjord

card-JR = röd joker
card-JB = svart joker
rank-0 = tvåor
rank-1 = treor
rank-2 = fyror
rank-3 = femmor
rank-4 = sexor
rank-5 = sjuor
rank-6 = åttor
rank-7 = nior
rank-8 = tior
rank-9 = knektar
rank-10 = damer
rank-11 = kungar
rank-12 = ess

ask-draw = Var drar du?
ask-turn = Vad gör du?
ask-kind = Vad för utlägg?
ask-card = Vilket kort?
ask-meld = Till vilket utlägg?
ask-way = I vilken ände, eller i stället för jokern?
choice-draw = { $name ->
    [stock] Dra från talongen
   *[discard] Ta det översta i slänghögen
}
choice-discard = Släng { $card }
choice-lay = Lägg ut
choice-add = Lägg till ett kort
choice-set = Ett set av { $rank }
choice-run = En svit i { $suit }
choice-card = { $card }
choice-done = Utlägget är färdigt
choice-meld = Utlägg { $pile }
choice-low = I nedre änden
choice-high = I övre änden
choice-swap = I stället för jokern

event-deal = Omgång { $round }
event-draw = { $name ->
    [stock] { $who } drar från talongen
   *[discard] { $who } tar det översta i slänghögen
}
event-discard = { $who } slänger { $card }
event-lay = { $who } lägger ut { $cards }
event-add = { $name ->
    [low] { $who } lägger { $card } i nedre änden av utlägg { $pile }
    [high] { $who } lägger { $card } i övre änden av utlägg { $pile }
    [swap] { $who } byter { $card } mot jokern i utlägg { $pile }
   *[other] { $who } lägger { $card } till utlägg { $pile }
}
event-laid = { $who } har lagt ut
event-points = { $value ->
    [0] { $who } går ut
    [one] { $who } får en poäng
   *[other] { $who } får { $value } poäng
}

place-stock = Talong
    .sizes = Kort i talongen
place-discards = Slänghög
    .sizes = Kort i slänghögen
place-melded = Utlägg
    .sizes = Kort i utlägg
field-first = Började
field-lap = Varv
field-laid = Har lagt ut
field-points = Poäng

table-round = Omgång { $game } av { $games }, varv { $round }
table-stock = Talong: { $count }
table-no-discards = Slänghög: tom
table-discards = Slänghög: { $count }, överst { $card }{ $below }
table-below = { $count ->
    [0] { "" }
   *[other] , därunder { $cards }
}
table-laid = Har lagt ut: { $each }
table-laid-none = Har lagt ut: ingen än
table-known = Har säkert: { $each }
table-meld = Utlägg { $number }: { $each }
table-laying = Läggs ut: { $each }
table-joker = { $card } ({ $as })
table-worth = Värt hittills: { $worth } av { $needed }

sheet-title = Omgång
sheet-cell = { $points ->
    [0] –
   *[other] { $points }
}

refuse-stock = Talongen är tom.
refuse-discards = Bara den som har lagt ut i ett tidigare drag får ta det översta i slänghögen.
refuse-more = Dina utlägg är värda { $worth } hittills och behöver { $needed }: lägg ut ett till.
refuse-not-held = Du har inte { $card }.
refuse-just-taken = Du har just tagit { $card }: det får inte slängas i samma drag.
refuse-add = Bara den som har lagt ut får lägga till enstaka kort.
refuse-early = Ingen får lägga ut före varv { $round }.
refuse-first = De första utläggen måste vara värda minst { $needed } tillsammans och lämna ett kort att slänga.
refuse-no-meld = Det passar inget utlägg som reglerna tillåter: ett utlägg måste bli färdigt, och ett kort måste bli kvar att slänga.

reason-never-held-back = ett färdigt utlägg hålls aldrig inne
reason-enough = utläggen räcker för första gången
reason-a-card-fits = ett kort passar ett utlägg på bordet
reason-most-valuable = del av den värdefullaste kombinationen
reason-frees-joker = det befriar en joker
reason-fits-meld = det passar ett utlägg på bordet
reason-there-frees-joker = där befriar det en joker
reason-first-meld = det första utlägg som tar det
reason-either-end = den ena änden är lika bra som den andra
reason-stock-empty = talongen är tom
reason-dearer-melds = { $card } ger dyrare utlägg
reason-card-fits-meld = { $card } passar ett utlägg på bordet
reason-closed = slänghögen är stängd före första utlägget
reason-no-use = { $card } är till ingen nytta
reason-no-discard = slänghögen är tom
reason-goes-out = det sista kortet: det går ut
reason-only-jokers = bara jokrar är kvar
reason-others-worth-more = alla andra kort är mer värda här
reason-one-must-go = ett kort måste bort, och { $card } räknas { $worth }
reason-all-of-use = varje kort är till nytta, och utan detta är utläggen mest värda
reason-dearest = det dyraste kort som inte är värt att behålla
reason-could-be-laid = { $card } kan läggas ut
reason-top-not-laid = det översta i slänghögen kan inte läggas ut
reason-next-draw = utan det lovar nästa kort mest
reason-missed-least = av alla kort saknar handen det minst
reason-all-laid = allt kan läggas ut nu
reason-points-count = poäng på handen räknas
reason-gone = det är borta och öppnar ingen bättre plats för andra
reason-there-it-fits = där passar det

metric-drawn = omgångar som ingen vann
metric-stuck = omgångar som slutade för att ingen kunde gå vidare
metric-laps = varv i en omgång
metric-recycled = gånger i en omgång som slänghögen blev talong
metric-melds = utlägg i en omgång
metric-swapped = bytta jokrar i en omgång
metric-added = enstaka kort som lades till i en omgång
metric-laid = spelare som lade ut innan omgången var slut
metric-first_laid = varvet då en spelare först lägger ut
metric-took_discard = drag då det översta i slänghögen togs, av dem som får ta det
level-rummy-original = rummy/original
level-rummy-sharp = rummy/skarp
bot-house = spelar som originalprogrammet: lägger ut allt den kan, sparar par, minns inget
bot-rummy-original = spelar som originalprogrammet: lägger ut allt den kan, sparar par, minns inget
bot-rummy-sharp = räknar kort, håller inne utlägg tills den kan gå ut, öppnar inga platser för andra
