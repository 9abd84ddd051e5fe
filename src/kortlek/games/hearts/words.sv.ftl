# Hjärter.
title = Hjärter
about = Ta inga hjärter och inte spader dam, eller ta allihop.

option-target = Spela till
    .about = matchen slutar när någon har så här många poäng
option-pass_order = Skicka kort
    .about = vart tre kort skickas innan spelet börjar
option-pass_order-left_right_across_hold = vänster, höger, mittemot, behåll
option-pass_order-left_right_across = vänster, höger, mittemot
option-pass_order-left = alltid vänster
option-pass_order-never = aldrig
option-lead_any_club = Vilken klöver som helst
    .about = om den som har klöver två får spela ut en annan klöver till det första sticket
option-points_in_first_trick = Poäng i första sticket
    .about = om den som inte kan bekänna får lägga hjärter och spader dam i det första sticket
option-breaking = Hjärter är bruten
    .about = vad som måste ha spelats innan någon får spela ut hjärter
option-breaking-by_a_heart = med en hjärter
option-breaking-by_a_heart_or_the_queen = med en hjärter eller spader dam
option-breaking-not_needed = från början
option-hearts_instead_of_queen = Hjärter i stället för damen
    .about = om den som bara har hjärter och spader dam får spela ut hjärter innan hjärter är bruten
option-moon_counts = Skjuta månen
    .about = vad det räknas att ta alla 26 poängen
option-moon_counts-others_add = de andra får 26
option-moon_counts-shooter_subtracts = den som skjuter drar av 26
option-moon_counts-shooter_chooses = den som skjuter väljer
option-jack_of_diamonds = Ruter knekt
    .about = om den som tar ruter knekt får tio poäng mindre
option-no_tricks_bonus = Inga stick
    .about = om en spelare utan stick får fem poäng mindre

ask-pass = Vilka kort skickar du? Välj tre.
ask-play = Vilket kort spelar du?
ask-moon = Du har skjutit månen. Vad ska det räknas?
choice-pass = Skicka { $card }
choice-play = Spela { $card }
choice-add = De andra får 26
choice-subtract = Du drar av 26

event-deal = Giv { $round }
event-pass = { $you ->
    [yes] { $who } skickar { $cards }
   *[no] { $who } skickar tre kort
}
event-play = { $who } spelar { $card }
event-penalty = { $who } har { $value ->
    [one] en poäng
   *[other] { $value } poäng
}
event-broken = Hjärter är bruten
event-moon = Månen skjuts av { $whom }
event-add = { $who } låter de andra få 26
event-subtract = { $who } drar av 26
event-points = { $who } får { $value ->
    [one] en poäng
   *[other] { $value } poäng
}

field-away = Skicka kort
field-passing = Undanlagda
field-passed_to = Skickade
field-penalty = Tagna poäng
field-broken = Hjärter bruten
field-jack = Ruter knekt
field-moon = Månen
field-points = Poäng
field-known_present = Kända kort

table-round = Giv { $round }, till { $target } poäng, ger: { $who }
table-passes = { $where ->
    [left] Tre kort skickas åt vänster
    [right] Tre kort skickas åt höger
    [across] Tre kort skickas mittemot
   *[hold] Inga kort skickas
}
table-aside = Undanlagda: { $each }
table-passed = Skickade och inte spelade än: { $each }
seat-passed = { $who } till { $whom } { $cards }
table-penalty = Tagna poäng: { $each }
table-broken = Hjärter är bruten
table-not-broken = Hjärter är inte bruten

sheet-title = Giv
sheet-cell = { $points }

refuse-pass-not-held = Du har inte { $card }: skicka något av { $cards }.
refuse-passed = Du har redan lagt undan { $card }: skicka något av { $cards }.
refuse-first-lead = Det första sticket börjar med klöver två: spela { $cards }.
refuse-first-trick = Inga poäng i det första sticket: spela något av { $cards }.
refuse-not-broken = Hjärter är inte bruten än: spela ut något av { $cards }.
refuse-moon = Säg om de andra får 26 eller om du drar av 26.

reason-others-add = de andra halkar efter med 26
reason-subtract = annars slutar matchen med en annan vinnare
reason-pass-queen = { $count ->
    [0] inget skyddar henne
    [one] en spader skyddar henne inte
   *[other] { $count } spader skyddar henne inte
}
reason-pass-high-spade = det skulle behöva ta damen
reason-pass-heart = en hög hjärter tar poäng
reason-pass-short = snart utan { $suit }
reason-pass-high = det tar troligen stick
reason-shoot = siktar på månen
reason-lead-spade = spader dam är inte spelad än
reason-lead = { $count ->
    [0] inget osett kort är högre
    [one] ett osett kort är högre
   *[other] { $count } osedda kort är högre
}
reason-stop-moon = ingen annan har tagit poäng, och { $whom } får inte ta allt
reason-no-points-for = inga fler poäng till { $whom }
reason-take-safe = sticket har inga poäng, och ett högt kort är borta
reason-take = det går inte att undvika
reason-take-low = någon annan kan ännu ta sticket
reason-duck-highest = det högsta kort som förlorar
reason-duck = det förlorar
reason-discard-points = poäng till någon annan
reason-discard = ett farligt kort är borta

metric-moons = givar där månen skjuts
metric-queen_by_leader = spader damer som tas av den som spelade ut till sticket
metric-queen_passed = givar med skickade kort där spader dam skickas
metric-broken_in = det stick där hjärter bryts
metric-without_points = spelare som inte tar några poäng i en giv
metric-most_points = de flesta poäng som en spelare tar i en giv utan måne
bot-house = kryper under, ger poängen till andra och ser upp för månen
