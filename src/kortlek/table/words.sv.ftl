### Det ett bord säger, på svenska: samma id och värden som i words.en.ftl.

## Vad som händer vid ett bord

table-opened = Ett bord för { $players } som spelar { $game }
table-changed = { $players } spelare; { $options }
table-usual = { $players } spelare; vanliga regler
table-option = { $option }: { $value }
table-sat = { $who } sätter { $you ->
    [yes] dig
   *[no] sig
}
table-bot = { $who } ({ $level }) sätter sig
table-stood = Plats { $number } är ledig igen
table-free = Plats { $number } är ledig
table-locked = Bordet är låst
table-unlocked = Bordet är öppet igen
table-ready = { $who } är redo
table-unready = { $who } är inte redo än
table-began = Matchen börjar
table-dropped = Matchen som inte kunde fortsätta gavs upp
table-away = En bot spelar för { $whom } nu
table-back = { $who } är tillbaka
table-asks = { $who } vill ta tillbaka ett val
table-agrees = { $who } går med på det
table-disagrees = { $who } går inte med på det
table-lapsed = { $who } får inget svar i tid: valet står fast
table-undone = { $who } tar tillbaka ett val
table-time-up = { $who } fick slut på tid, så en bot valde
table-closed = Bordet har stängts

table-other-rules = Den senaste matchen vid bordet spelades med andra regler än här (version { $begun }). Protokollet och reprisen finns kvar, och en ny match kan börja.

## Varför något inte görs: att sätta sig

refuse-sent-away = Du har visats bort från det här bordet.
refuse-closed = Det här bordet har stängts av den som driver servern.
refuse-token = Nyckeln hör inte till det här bordet.
refuse-no-table = Det finns inget bord med den koden.
refuse-no-game = Det finns inget spel ”{ $text }” här. Spelen är: { $games }.
refuse-version = Matchen började med version { $begun } av { $game }, men här spelas version { $played }: den kan inte fortsätta. Börja en ny match med samma spelare.
refuse-changed = Reglerna för { $game } har ändrats sedan matchen började: den kan inte fortsätta. Börja en ny match med samma spelare.
refuse-missing = Spelet ”{ $text }” finns inte längre på den här servern: det kan spelas vid bordet när det är tillbaka.
refuse-bots-seats = Det är fler bottar än platser för dem: bordet har { $players }.
refuse-level = { $game } har ingen bot ”{ $text }”. Bottarna är: { $levels }.
refuse-players = { $game } är för { $low } till { $high } spelare, inte { $players }.
refuse-no-option = { $game } har ingen variant ”{ $text }”. Varianterna är: { $options }.
refuse-option = { $option } kan inte vara { $text }. Möjligt: { $allowed }.
refuse-begun-sit = Matchen har börjat: du kan sätta dig när den är slut.
refuse-locked = Värden har låst bordet.
refuse-name = Ett namn är 1 till { $count } kolumner brett, med tecken som går att skriva ut och inget mellanslag först eller sist.
refuse-name-you = Ingen kan heta { $text }: så kallar bordet var och en själv. Välj ett annat namn.
refuse-name-taken = Någon vid bordet heter redan { $text }.
refuse-name-alike = { $text } ser ut som { $other }, som redan är vid bordet. Välj ett annat namn.
refuse-seat-taken = Plats { $seat } är upptagen.
refuse-full = Alla platser vid bordet är upptagna.
refuse-no-seat = Det finns ingen plats { $seat }: de är 0 till { $last }.
refuse-not-yours = Plats { $seat } är inte din.
refuse-owner = Bara bordets värd får göra det.
refuse-nobody-to-send = Det sitter ingen på den platsen som du kan visa bort.
refuse-nobody-there = Det sitter ingen på den platsen.
refuse-begun = Matchen har börjat: det här får vänta tills den är slut.
refuse-other-promise = Det här talet svarar på ett annat löfte än det för nästa match här: titta igen.
refuse-luck-added = Du har redan lagt till ett tal för nästa match, och det står fast.
refuse-begun-change = Spelare och varianter kan inte ändras längre: matchen har börjat.
refuse-seats-taken = Någon sitter på en plats som ett bord för { $players } inte har.

## Varför något inte görs: matchen

refuse-not-begun = Matchen har inte börjat.
refuse-over = Matchen är slut.
refuse-turn = Det är inte din tur. Turen har { $who }.
refuse-chosen = Du har valt: vänta tills de andra också har valt.
refuse-stale = Något har hänt som du inte hade sett än: titta igen.
refuse-not-a-choice = ”{ $text }” går inte att välja här.
refuse-choice = ”{ $choice }” är inte tillåtet: { $reason }
refuse-undo-over = Matchen är slut och hemligheten är avslöjad: inget kan tas tillbaka.
refuse-undo-nothing = Du har inte valt något i det här matchen än.
refuse-undo-asked = { $who } vill ta tillbaka ett val: det ska besvaras först.
refuse-undo-away = { $who } är borta och kan inte tillfrågas: försök igen när alla är tillbaka.
refuse-not-asked = Ingen har frågat dig om ett val får tas tillbaka.
refuse-no-hints = Det finns inga tips vid det här bordet.
refuse-hint-turn = Tips är för den som är i tur.
refuse-muted = Värden låter dig inte prata just nu.
refuse-unprintable = Bara text som går att skriva ut kan sägas.

## Varför något inte görs: att titta på och titta tillbaka

refuse-looking-on = Ingen får titta på vid det här bordet.
refuse-delayed = Bordet visas med fördröjning: titta på genom socketen.
refuse-record-private = Bordet är inte offentligt: bara dess spelare får ha protokollet.
refuse-record-before = Matchen var slut innan du kom: bara de som var med får protokollet.
refuse-record-later = Protokollet finns när matchen är slut.
refuse-record-players = Bara de som hade en plats i matchen får dess protokoll: den tog inte slut.
refuse-record-dropped = Matchen tog inte slut, och dess regler kan komma tillbaka: protokollet finns att få när den har getts upp för en ny match.
refuse-no-film = Matchens förlopp sparades inte, och den spelades med andra regler än här. Protokollet finns att få.
refuse-film-open = Matchen spelades med andra regler än här: den kan bara ses med alla kort.
refuse-no-match = Det har inte varit någon sådan match vid bordet.
refuse-too-many-films = För många andra tittar på matcher just nu: försök igen om ett ögonblick.
refuse-bots-many = { $bots } bottar är för många för { $players } platser.

## Varför något inte görs: servern

refuse-not-understood = Det här är inget meddelande som ett bord förstår: { $text }.
refuse-binary = Det här är inget meddelande som ett bord förstår: det är binärt, inte text.
refuse-slow = Det första meddelandet måste komma inom { $seconds } sekunder.
refuse-protocol = Servern talar protokoll { $ours }, inte { $theirs }.
refuse-join-http = Gå med över HTTP först: det ger dig en nyckel.
refuse-socket-only = Tips går genom socketen, och att gå med har en egen adress.
refuse-authorization = Huvudet Authorization ska vara ”Bearer” och en nyckel.
refuse-host = Huvudet Host ska vara serverns adress.
refuse-host-name = Servern svarar inte på namnet { $text }. Den som driver den kan tillåta det med --public-host { $text }.
refuse-other-site = Det här kommer från en annan webbplats sida.
refuse-unreadable = Det går inte: det som skickades kan inte läsas.
refuse-unfinished = Begäran tog aldrig slut.
refuse-request = Det går inte: { $text }.
refuse-busy = För många andra gör något vid bordet: försök igen.
refuse-messages = Mer än { $count } meddelanden på { $seconds } sekunder: vänta ett ögonblick.
refuse-requests = Fler än { $count } förfrågningar på { $seconds } sekunder från en adress: vänta en stund.
refuse-guesses = Fler än { $count } koder till bord som inte finns på { $seconds } sekunder från en adress: vänta en stund.
refuse-opened = Fler än { $count } bord har öppnats från en adress inom en timme: försök igen senare.
refuse-sockets = Servern har så många anslutningar den klarar: försök igen senare.
refuse-spectators = { $count } andra tittar redan på bordet: försök igen senare.
refuse-tables = Servern har så många bord den klarar: försök igen senare.
refuse-connections = Mer än { $count } anslutningar från en adress: stäng några.
refuse-unread = Du läste inte det du fick. Kom tillbaka.
refuse-stopping = Servern ska strax stanna: försök igen om ett ögonblick.
refuse-restarting = Servern startas om: du kan fortsätta om ett ögonblick.
refuse-moved = Bordet flyttar till en annan serverprocess: du kan fortsätta om ett ögonblick.
refuse-not-kept = Det kunde inte sparas just nu, så det hände inte: försök igen.
refuse-failed = Något gick fel här. Inget som bekräftats är förlorat: försök igen.
refuse-language = Det finns inga ord på det språket här. Språken är: { $languages }.
refuse-because = { $text }
