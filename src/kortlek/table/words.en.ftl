### What a table says to people. $who is "You" or a name, $you says which; $whom and $whose are the other cases. $game, $options, $level, $choice
### and $reason are messages of a game's own words; $text is what somebody wrote.

## What happens at a table

table-opened = A table for { $players } to play { $game }
table-changed = { $players } players; { $options }
table-usual = { $players } players; usual options
table-option = { $option }: { $value }
table-sat = { $who } { VERB($you, "sit", "sits") } down
table-bot = { $who } ({ $level }) sits down
table-stood = Seat { $number } is free again
table-free = Seat { $number } is free
table-locked = The table is locked
table-unlocked = The table is open again
table-ready = { $who } { VERB($you, "are", "is") } ready
table-unready = { $who } { VERB($you, "are", "is") } not ready yet
table-began = The match begins
table-dropped = The match that could not go on was given up
table-away = A bot plays for { $whom } now
table-back = { $who } { VERB($you, "are", "is") } back
table-asks = { $who } { VERB($you, "ask", "asks") } to take a choice back
table-agrees = { $who } { VERB($you, "agree", "agrees") }
table-disagrees = { $who } { VERB($you, "do", "does") } not agree
table-lapsed = { $who } { VERB($you, "get", "gets") } no answer in time: the choice stands
table-undone = { $who } { VERB($you, "take", "takes") } a choice back
table-time-up = { $who } ran out of time, and a bot chose
table-closed = The table has been closed

table-other-rules = The last match at this table was played with other rules than are here (version { $begun }). Its record and its replay can be had, and a new match can be started.

## Why something is not done: sitting down

refuse-sent-away = You were sent away from this table.
refuse-closed = This table has been closed by whoever runs the server.
refuse-token = This token is not one of this table's.
refuse-no-table = There is no table with this code.
refuse-no-game = There is no game “{ $text }” here. The games are: { $games }.
refuse-version = This match was begun with version { $begun } of { $game }, but version { $played } is played here: it cannot go on. Start a new match with the same people.
refuse-changed = The rules of { $game } have changed since this match began: it cannot go on. Start a new match with the same people.
refuse-missing = The game “{ $text }” is not on this server any more: it can be played at this table when it is back.
refuse-bots-seats = There are more bots than seats for them: the table has { $players }.
refuse-level = { $game } has no bot “{ $text }”. Its bots are: { $levels }.
refuse-players = { $game } is for { $low } to { $high } players, not { $players }.
refuse-no-option = { $game } has no option “{ $text }”. Its options are: { $options }.
refuse-option = { $option } cannot be { $text }. Possible: { $allowed }.
refuse-begun-sit = The match has begun: you can sit down when it is over.
refuse-locked = The owner has locked the table.
refuse-name = A name is 1 to { $count } columns wide, with characters that can be printed and no space at either end.
refuse-name-you = Nobody can be called { $text }: the table calls everyone so herself. Choose another name.
refuse-name-taken = Somebody at this table is already called { $text }.
refuse-name-alike = { $text } looks like { $other }, who is at this table already. Choose another name.
refuse-seat-taken = Seat { $seat } is taken.
refuse-full = Every seat of this table is taken.
refuse-no-seat = There is no seat { $seat }: they are 0 to { $last }.
refuse-not-yours = Seat { $seat } is not yours.
refuse-owner = Only the owner of the table may do this.
refuse-nobody-to-send = There is nobody in that seat whom you could send away.
refuse-nobody-there = There is nobody in that seat.
refuse-begun = The match has begun: this has to wait until it is over.
refuse-other-promise = This number answers another promise than the one for the next match here: look again.
refuse-luck-added = You have already added a number for the next match, and it stays.
refuse-begun-change = Players and options cannot be changed any more: the match has begun.
refuse-seats-taken = Somebody sits in a seat that a table of { $players } does not have.

## Why something is not done: the match

refuse-not-begun = The match has not begun.
refuse-over = The match is over.
refuse-turn = It is not your turn but { $whose }.
refuse-chosen = You have chosen: wait until the others have, too.
refuse-stale = Something has happened that you had not seen yet: look again.
refuse-not-a-choice = “{ $text }” is not a choice here.
refuse-choice = “{ $choice }” is not allowed: { $reason }
refuse-undo-over = The match is over and its secret is told: nothing can be taken back.
refuse-undo-nothing = You have not chosen anything in this match yet.
refuse-undo-asked = { $who } has asked to take a choice back: that is answered first.
refuse-undo-away = { $who } is away and cannot be asked: try again when everyone is back.
refuse-not-asked = Nobody has asked you whether a choice may be taken back.
refuse-no-hints = There are no hints at this table.
refuse-hint-turn = Hints are for the player whose turn it is.
refuse-muted = The owner does not let you chat for now.
refuse-unprintable = Only text that can be printed can be said.

## Why something is not done: looking on and looking back

refuse-looking-on = Nobody may look on at this table.
refuse-delayed = This table is shown with a delay: look on by the socket.
refuse-record-private = This table is not public: only its players may have the record.
refuse-record-before = This match was over before you came: only those who were there may have the record.
refuse-record-later = The record can be had when the match is over.
refuse-record-players = Only those who had a seat in this match may have its record: it did not end.
refuse-record-dropped = This match did not end, and its rules may come back: its record can be had when it has been given up for a new match.
refuse-no-film = The moments of this match were not kept, and it was played with other rules than are here. Its record can be had.
refuse-film-open = This match was played with other rules than are here: it can only be looked at with all cards.
refuse-no-match = There has been no such match at this table.
refuse-too-many-films = Too many others are looking at matches just now: try again in a moment.
refuse-bots-many = { $bots } bots are too many for { $players } seats.

## Why something is not done: the server

refuse-not-understood = This is no message that a table understands: { $text }.
refuse-binary = This is no message that a table understands: it is binary, not text.
refuse-slow = The first message has to come within { $seconds } seconds.
refuse-protocol = This server speaks protocol { $ours }, not { $theirs }.
refuse-join-http = Join over HTTP first: that gives you a token.
refuse-socket-only = Hints are for the socket, and joining has an address of its own.
refuse-authorization = The Authorization header should be “Bearer” and a token.
refuse-host = The Host header should be the address of this server.
refuse-host-name = This server does not answer to the name { $text }. Whoever runs it can allow it with --public-host { $text }.
refuse-other-site = This request comes from a page of another site.
refuse-unreadable = This cannot be done: what was sent cannot be read.
refuse-unfinished = The request did not end.
refuse-request = This cannot be done: { $text }.
refuse-busy = Too many others are doing something at this table: try again.
refuse-messages = More than { $count } messages in { $seconds } seconds: wait a moment.
refuse-requests = More than { $count } requests in { $seconds } seconds from one address: wait a moment.
refuse-guesses = More than { $count } codes of tables that do not exist in { $seconds } seconds from one address: wait a moment.
refuse-opened = More than { $count } tables were opened from one address within an hour: try again later.
refuse-sockets = The server has as many connections as it can take: try again later.
refuse-spectators = { $count } others are watching this table already: try again later.
refuse-tables = The server has as many tables as it can take: try again later.
refuse-connections = More than { $count } connections from one address: close some.
refuse-unread = You did not read what you were sent: come again.
refuse-stopping = The server is about to stop: try again in a moment.
refuse-restarting = The server is being restarted: you can go on in a moment.
refuse-moved = This table is moving to another server process: you can go on in a moment.
refuse-not-kept = This could not be kept just now, so it did not happen: try again.
refuse-failed = Something went wrong here. Nothing that was acknowledged is lost: try again.
refuse-language = There are no words in this language here. The languages are: { $languages }.
refuse-because = { $text }
