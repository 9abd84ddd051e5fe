# TrickPaperScissors.
title = TrickPaperScissors
about = Utspelet avgör trumfen, som i sten, sax, påse.
variant-3 = en husvariant: tolv kort var

option-discard_face_up = Visa undanlagda
    .about = om de tre korten som läggs åt sidan visas
option-stars = Stjärnor
    .about = hur många stjärnor korten från 1 till 13 har
option-deals = Givar
    .about = hur många givar en match har
option-first_dealer = Första giv
    .about = vem som ger först

suit-0 = sten
suit-1 = påse
suit-2 = sax
card = { $suit ->
    [R] sten
    [P] påse
   *[S] sax
} { $rank }

ask-play = Vilket kort spelar du?
ask-value = Vilket värde ska trumffärgen ha?
choice-play = Spela { $card }
choice-value = Värde { $count }

event-play = { $who } spelar { $card }
event-value = { $who } sätter trumffärgens värde till { $count }
event-rock = { $who } har { $value } i sten
event-paper = { $who } har { $value } i påse
event-scissors = { $who } har { $value } i sax
event-result = { $who } får { $value } poäng

place-discard = Lagda åt sidan
    .sizes = Kort lagda åt sidan
field-value = Värden
field-rock = Sten
field-paper = Påse
field-scissors = Sax
field-result = Poäng

table-round = Giv { $round } av { $rounds }, ger: { $who }
table-round-lots = Giv { $round } av { $rounds }, det lottas vem som ger
table-values = Värden: sten { $rock }, påse { $paper }, sax { $scissors }
table-points = Poäng i sten, påse och sax: { $each }
seat-points = { $who } { $rock } { $paper } { $scissors }
table-trick-led = Sticket: { $each }; { $suit } är utspelat, { $trump }
table-trump = { $suit } är trumf

sheet-title = Giv
sheet-cell = { $result }

refuse-value = Värdet på { $suit } är { $value } och flyttas högst ett steg på stegen −1, 1, 2.

reason-counts-more = { $mine } i { $suit } mot högst { $theirs } hos en motspelare, så den ska räknas mer
reason-counts-less = { $mine } i { $suit } mot högst { $theirs } hos en motspelare, så den ska räknas mindre
reason-stays = { $mine } i { $suit } mot högst { $theirs } hos en motspelare, så den blir kvar
reason-others-may-win = { $suit } räknas { $value }, så andra får gärna vinna
reason-only-trump = bara en trumf slår { $card }
reason-low-lead = ett lågt utspel i { $suit } riskerar lite
reason-high-lead = ett högt utspel i { $suit } kan vinna
reason-for-others = { $suit } räknas { $value }, så sticket är för andra
reason-not-worth = sticket är inte värt ett vinnande kort
reason-missed-least = kan inte vinna, och { $card } saknas minst
reason-trump-wins = en trumf vinner här och kan flytta värdet på { $suit }
reason-may-hold = { $card } slår bordet och kan hålla
reason-last-cheapest = sist att spela: det billigaste kort som vinner
reason-last-wins = sist att spela: vinner

metric-trump_wins = stick som en trumf vann
metric-value_changes = tillfällen att sätta ett värde då det ändrades
metric-below_zero = färger som till slut räknas mot sin ägare
metric-points_leader = poäng i en giv för den som spelar ut först
metric-points_dealer = poäng i en giv för den som ger
bot-house = väger vad sticket ger mot vad kortet kunde göra senare; räknar kort och renonser
