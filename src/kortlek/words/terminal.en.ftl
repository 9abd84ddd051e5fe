# What the terminal says besides the words of a game.
play-with = { $game } with { $players }. Type ? for help, q to stop.
play-resumed = { $game } with { $players }, gone on with from { $path }.
play-help =
    Answer with the number of a choice or in its own words; for a card its name is enough: 7♥, 7H or H7.
    ?  this help
    t  the table
    s  the score sheet
    l  the last trick, or what has happened since your last choice
    h  a hint: what an expert would do
    w  why: what each choice is likely to earn you over the others
    q  stop; the game is saved, and kortlek play --resume goes on with it
    kortlek rules { $game } shows the rules.
play-thinking = (The bots are thinking. The first time they need a while.)
play-saved = The game is saved in { $path }. Go on with it: { $command }
play-recorded = The record of the game is the last one in { $path }.
play-your-choice = Your choice:
play-nothing-yet = Nothing has happened yet.
play-no-choice = '{ $text }' is not a choice here. Allowed: { $choices }.
why-points = points
why-tried = tried in
why-deals = { $many ->
    [one] 1 deal
   *[other] { $many } deals
}
replay-heading = Game { $number }: { $game } with { $players }{ $options }{ $seed }; { $seen }
replay-seed = , seed { $seed }
replay-open = told open
replay-onlooker = as an onlooker saw it
replay-seat = as { $name } saw it
replay-written = It was played with version { $version } of { $game }, and version { $here } is here: this is what the record says, not checked.
replay-unfinished = The game is not finished
games-game = { $name }: { $title }, { $players }
games-variant = with { $players }: { $variant }
games-option = { $name }: { $about }; { $allowed }; usually { $usual }
games-bots = bots: { $levels }
