# Vad terminalen säger, utöver ett spels egna ord.
play-with = { $game } med { $players }. Skriv ? för hjälp, q för att sluta.
play-resumed = { $game } med { $players }, fortsätter från { $path }.
play-help =
    Svara med numret på ett val eller med dess egna ord; för ett kort räcker namnet: 7♥, 7H eller H7.
    ?  den här hjälpen
    t  bordet
    s  protokollet
    l  förra sticket, eller vad som hänt sedan ditt förra val
    h  ett tips: vad en expert skulle göra
    w  varför: vad varje val väntas ge dig mer än de andra
    q  sluta; matchen sparas, och kortlek play --resume fortsätter den
    kortlek rules { $game } visar reglerna.
play-thinking = (Bottarna tänker. Första gången tar det en stund.)
play-saved = Matchen är sparad i { $path }. Fortsätt den: { $command }
play-recorded = Protokollet över matchen är det sista i { $path }.
play-your-choice = Ditt val:
play-nothing-yet = Inget har hänt än.
play-no-choice = ”{ $text }” går inte att välja här. Tillåtet är: { $choices }.
why-points = poäng
why-tried = prövat i
why-deals = { $many ->
    [one] 1 giv
   *[other] { $many } givar
}
replay-heading = Match { $number }: { $game } med { $players }{ $options }{ $seed }; { $seen }
replay-seed = , frö { $seed }
replay-open = med öppna kort
replay-onlooker = som en åskådare såg det
replay-seat = som { $name } såg det
replay-written = Den spelades med version { $version } av { $game }, och här finns version { $here }: detta är vad protokollet säger, utan kontroll.
replay-unfinished = Matchen är inte slut
games-game = { $name }: { $title }, { $players }
games-variant = med { $players }: { $variant }
games-option = { $name }: { $about }; { $allowed }; vanligen { $usual }
games-bots = bottar: { $levels }
