# Spader.
title = Spader
about = Lova med din partner hur många stick ni tar, och ta dem, men inte många fler.

option-target = Spela till
    .about = matchen slutar när ett lag har så här många poäng
option-losing_score = Förlorat vid
    .about = matchen slutar också när ett lag har sjunkit till den här poängen
option-nil_points = Noll
    .about = vad ett nollbud ger, eller kostar om det spricker
option-failed_nil = Stick i ett sprucket nollbud
    .about = vad som händer med sticken för den som har bjudit noll
option-failed_nil-makes_bags = är överstick
option-failed_nil-helps_partner = hjälper partnerns bud
option-blind_nil = Blint nollbud
    .about = om ett lag som ligger hundra poäng efter får bjuda noll före given, för dubbelt så många poäng
option-bags_for_penalty = Överstick för avdrag
    .about = hur många överstick som kostar ett avdrag
option-bag_penalty = Avdrag för överstick
    .about = vad så många överstick kostar
option-least_together = Lagets minsta bud
    .about = hur många stick partnerna måste bjuda tillsammans, om ingen av dem bjuder noll
option-breaking = Spader är bruten
    .about = vad som måste ha spelats innan någon får spela ut spader
option-breaking-by_a_spade = med en spader
option-breaking-not_needed = från början
option-first_dealer = Första giv
    .about = vem som ger den första given

ask-blind = Bjuder du noll utan att se dina kort?
ask-bid = Hur många stick bjuder du?
ask-play = Vilket kort spelar du?
choice-look = Se på korten
choice-blind_nil = Blint nollbud
choice-bid = { $count ->
    [0] Bjud noll
   *[other] Bjud { $count }
}
choice-play = Spela { $card }

event-deal = Giv { $round }
event-look = { $who } vill se korten först
event-blind_nil = { $who } bjuder noll utan att se korten
event-bid = { $who } bjuder { $count ->
    [0] noll
   *[other] { $count }
}
event-play = { $who } spelar { $card }
event-broken = Spader är bruten
event-points = { $who } får { $value ->
    [one] en poäng
   *[other] { $value } poäng
}

field-blind = Blint nollbud
field-bid = Bud
field-broken = Spader bruten
field-bags = Överstick
field-points = Poäng

table-round = Giv { $round }, till { $target } poäng, ger: { $who }
table-round-lots = Giv { $round }, till { $target } poäng, det lottas vem som ger
table-team = { $seats }: bud { $bid }, tagna { $taken }, överstick { $bags }
table-bags = { $seats }: överstick { $bags }
table-nils = Noll hittills: { $each }
table-broken = Spader är bruten
table-not-broken = Spader är inte bruten

sheet-title = Giv
sheet-cell = { $points }

refuse-blind = Du har bjudit noll utan att se korten.
refuse-together = Med { $whom }, som har bjudit { $count }, bjuder ni tillsammans minst { $least } och högst { $most }, eller noll.
refuse-not-broken = Spader är inte bruten än: spela ut något av { $cards }.

reason-look = korten kan vara bra
reason-blind = långt efter är det värt risken
reason-nil = inget kort måste ta ett stick
reason-nil-dares = vågar ett nollbud
reason-bid = handen kan vänta sig ungefär { $count } stick
reason-own-nil = har bjudit noll
reason-cover-nil = skyddar partnerns nollbud
reason-cover-nil-small = partnerns nollbud är säkert i det här sticket
reason-no-bags = budet är hemma, och överstick kostar
reason-partner-wins = partnern tar sticket
reason-loses = kan inte vinna, eller skulle vinna för dyrt
reason-cheapest = det billigaste kort som vinner
reason-wins = det tar sticket
reason-top = inget osett kort är högre
reason-tries = { $count ->
    [0] de andra behöver stick
    [one] laget behöver ett stick till
   *[other] laget behöver { $count } stick till
}

metric-bids_made = lagens bud som hölls
metric-tricks_bid = stick som alla fyra bjuder tillsammans i en giv
metric-tricks_left = givar där färre stick är bjudna än det finns
metric-nils = bud som är noll
metric-nils_made = nollbud som hölls
metric-bags = överstick för ett lag som håller sitt bud
metric-bag_penalties = givar som ger ett lag ett avdrag för överstick
metric-points = poäng för ett lag i en giv
bot-house = bjuder vad den kan vänta sig, spelar för lagets bud och undviker överstick
