# Vad alla spel har gemensamt. $who är "Du" eller ett namn.
you-who = Du
you-whom = dig
you-whose = Din
you-within = du
whose = { $name }s
seat = Plats { $number }
list = { $first } och { $last }
no-card = inget kort
one-card = { $card }

suit--1 = ingen färg
suit-0 = klöver
suit-1 = ruter
suit-2 = hjärter
suit-3 = spader
rank-0 = två
rank-1 = tre
rank-2 = fyra
rank-3 = fem
rank-4 = sex
rank-5 = sju
rank-6 = åtta
rank-7 = nio
rank-8 = tio
rank-9 = knekt
rank-10 = dam
rank-11 = kung
rank-12 = ess

place-hand = Hand
    .yours = Din hand
    .of = { $whose } hand
    .sizes = Kort på hand

## Vad som händer

event-lots = Det lottas
event-deal = Giv { $round }
event-face_up = { $place }: { $cards }
event-begins = { $who } börjar
event-shuffle = De spelade korten blandas om
event-gets = { $who } får { $cards }
event-gets_unseen = { $who } får { $count ->
    [one] ett kort
   *[other] { $count } kort
}
event-shows = { $who } visar { $cards }
event-match_over = { $many ->
    [0] Ingen vinner
    [one] { $seats } vinner
   *[other] { $seats } delar segern
}

## Bordet och protokollet

table-title = { $game }, giv { $round }
table-line = { $what }: { $value }
table-score = Poäng: { $each }
table-options = Varianter: { $options }
table-hidden = bara de andra ser det
cards-hidden = { $count ->
    [one] ett kort
   *[other] { $count } kort
}
seat-count = { $who } { $count }
seat-cards = { $who } { $cards }
seat-card = { $who } { $card }
seat-only = { $who }
seats-only = { $seats }
seats-count = { $seats } { $count }
sheet-total = Summa

## Val, och varför ett inte är tillåtet

refuse = Det är inte tillåtet. Tillåtet är: { $choices }.

## Tips

why = { $choice }: { $reason }{ $margin }.
why-only = ; det finns inget annat att göra
why-better = ; { NUMBER($points, minimumFractionDigits: 1, maximumFractionDigits: 1) } poäng bättre än det näst bästa
why-close = ; inget annat är klart bättre
why-equal = ; allt annat är lika bra
reason-allowed = det är tillåtet

## Varianter och deras värden

value-yes = ja
value-no = nej
value-random = lottas
value-last_seat = sista platsen
allowed-number = ett heltal från { $low } till { $high }
allowed-numbers = { $many } heltal från { $low } till { $high }, med komma emellan (eller spann som 1-2:3)
allowed-or = { $first } eller { $last }
allowed-with = { $allowed } (med { $players } spelare)
usual-with = { $value } med { $players } spelare
players = { $low } spelare
players-range = { $low } till { $high } spelare

## Bottarnas nivåer

level-random = slump
    .about = vad som helst som är tillåtet, allt lika troligt
level-easy = lätt
    .about = spelar som huset, men vart femte val är vad som helst som är tillåtet
level-medium = medel
    .about = spelar som huset, men vart tjugonde val är vad som helst som är tillåtet
level-house = huset
    .about = spelar efter tumregler
level-club = klubben
    .about = prövar sina val i några dussin gissningar om de dolda korten
level-expert = expert
    .about = prövar sina val i något tusental gissningar om de dolda korten
level-tree = träd
    .about = låter ett träd av val växa över gissningar om de dolda korten
