# Vad stickspel har gemensamt.
place-trick = Stick
    .sizes = Kort i sticket
place-gone = Spelade kort
    .sizes = Spelade kort
place-rest = Kort som inte delats ut
    .sizes = Kort som inte delats ut
field-dealer = Ger
field-leader = Spelar ut
field-hand_size = Kort var
field-trump = Trumf
field-led = Utspelad färg
field-best = Bästa kort
field-winning = Vinner
field-taken = Tagna stick

event-taken = { $who } tar sticket

table-bids = Bud: { $each }; { $sum } av { $all }
table-no-bids = Bud: inga än
table-taken = Tagna stick: { $each }
table-trick = Sticket: { $each }
table-no-trick = Sticket: inget än
table-last = Förra sticket: { $each }; taget av { $whom }

refuse-follow = Du måste bekänna färg: spela något av { $cards }.
refuse-not-held = Du har inte { $card }: spela något av { $cards }.
refuse-adds-up = Buden får inte bli { $all } tillsammans, lika många som sticken, så du kan inte bjuda { $number }.
refuse-too-many = Det finns bara { $all } stick i den här given.

reason-only-bid = det enda bud som är tillåtet
reason-only-card = det enda kort som får spelas
reason-sure = { $number } säkra stick
reason-expects = handen kan vänta sig ungefär { NUMBER($number, minimumFractionDigits: 1, maximumFractionDigits: 1) }
reason-hopes = handen kan vänta sig ungefär { NUMBER($number, minimumFractionDigits: 1, maximumFractionDigits: 1) }, resten är hopp
reason-aim = { $aim }: { $what }
reason-lost = budet är förlorat
reason-needs-none = behöver inget stick
reason-needs-all = behöver alla { $left }
reason-needs-some = behöver { $number } av { $left }
reason-highest-loser = det högsta kort som förlorar
reason-cannot-win = { $card } kan inte vinna
reason-cheapest-winner = det billigaste kort som vinner
reason-wins = vinner, och är borta
reason-highest = inget osett kort är högre
reason-higher = { $number ->
    [one] ett osett kort är högre
   *[other] { $number } osedda kort är högre
}

metric-forced_follow = spelade kort där den utspelade färgen lämnade färre kort än handen hade
metric-one_card_left = spelade kort där bara ett kort var tillåtet fast handen hade fler
metric-hook = sista bud där ett tal var spärrat
metric-kept = bud som hölls
metric-kept_last = den sista budgivarens bud som hölls
metric-points_first = poäng i en giv för den som bjuder först
metric-points_last = poäng i en giv för den som bjuder sist
metric-points_all = poäng för en spelare i en giv
metric-kept_1 = bud som hölls med ett kort
metric-kept_2 = bud som hölls med 2 kort
metric-kept_3 = bud som hölls med 3 kort
metric-kept_4 = bud som hölls med 4 kort
metric-kept_5 = bud som hölls med 5 kort
metric-kept_6 = bud som hölls med 6 kort
metric-kept_7 = bud som hölls med 7 kort
metric-kept_8 = bud som hölls med 8 kort
metric-kept_9 = bud som hölls med 9 kort
metric-kept_10 = bud som hölls med 10 kort
