// Written by web/protocol_types.py from the server's own types; not by hand.

/** Open a table. The sender owns it and gets its first token; with a name she also sits down in the first seat. */
export interface Open {
  game: string
  players?: number | null
  options?: Record<string, OptionValue>
  name?: string
  levels?: string[]
  public?: boolean
  spectators?: 'off' | 'public' | 'delayed'
  delay?: number
  clock?: number
  grace?: number
  pace?: number
  hints?: boolean
  stand_in?: string
}

/** The first message on a socket: the client's token, and the last log entry that it has seen: if that is recent, the steps after it are sent again; otherwise, and without it, a snapshot. */
export interface Hello {
  do: 'hello'
  protocol: number
  token?: string
  since?: number | null
}

/** Sit down in this seat, or in the first free one. */
export interface Join {
  do: 'join'
  name: string
  seat?: number | null
  id?: string
}

/** Leave a seat. During a match a bot plays on, and the player may come back. */
export interface Leave {
  do: 'leave'
  seat: number
  id?: string
}

/** Take one's seat back from the bot that stands in. */
export interface Return {
  do: 'return'
  seat: number
  id?: string
}

/** Send a player away (the owner). */
export interface Kick {
  do: 'kick'
  seat: number
  id?: string
}

/** Put a bot into a seat; without a level, free the seat (the owner, before the match). */
export interface Fill {
  do: 'fill'
  seat: number
  level?: string
  id?: string
}

/** Change the number of players or the options (the owner, before the match). */
export interface Change {
  do: 'change'
  players?: number | null
  options?: Record<string, OptionValue>
  id?: string
}

/** Lock or unlock the table for newcomers (the owner). */
export interface Lock {
  do: 'lock'
  locked?: boolean
  id?: string
}

/** Answer the promise of the next match with one's luck: a random number, drawn after the promise was seen. Only the first answer counts. */
export interface Add {
  do: 'add'
  seat: number
  promise: string
  luck: string
  id?: string
}

/** Set whether one is ready for the match. */
export interface Ready {
  do: 'ready'
  seat: number
  ready?: boolean
  id?: string
}

/** Start the match (the owner), or after it the next one (anybody with a seat); everyone moves on by ``rotate`` seats. Bots take free seats. */
export interface Start {
  do: 'start'
  rotate?: number
  id?: string
}

/** Make a choice, in notation. ``at`` is the number of the last log entry that the client has seen. */
export interface Choose {
  do: 'choose'
  seat: number
  choice: string
  at: number
  id?: string
}

/** Send a line of chat. */
export interface Say {
  do: 'say'
  seat: number
  text: string
  id?: string
}

/** Mute or unmute a player (the owner). */
export interface Mute {
  do: 'mute'
  seat: number
  muted?: boolean
  id?: string
}

/** Take the last choice back, or ask the other players if they have to agree. */
export interface Undo {
  do: 'undo'
  seat: number
  id?: string
}

/** Agree or disagree that another player takes a choice back. */
export interface Answer {
  do: 'answer'
  seat: number
  yes: boolean
  id?: string
}

/** Ask for an evaluation of the legal choices by an expert bot. Only the sender gets the answer, and it is not logged. */
export interface Hint {
  do: 'hint'
  seat: number
  id?: string
}

/** Ask why choices are refused, what choices earn, and for the text table. Only the sender gets the answer, and it is not logged. */
export interface Explain {
  do: 'explain'
  seat: number
  id?: string
}

/** Ask for the events of the match so far, and the latest chat. Only the sender gets the answer. */
export interface History {
  do: 'history'
  id?: string
}

/** Ask for a snapshot, for example because a step does not follow the last one. */
export interface Sync {
  do: 'sync'
  id?: string
}

/** Ask for a sign of life. */
export interface Ping {
  do: 'ping'
  id?: string
}

/** Something for people to read: a message of the words files, and its arguments. A message may be an argument of another. */
export interface Message {
  id: string
  args: Record<string, Argument>
}

/** Something that happened in a match: its kind, whose it is (-1: nobody's), and what it was about. */
export interface Event {
  kind: string
  seat: number
  args: Record<string, Argument>
}

/** What may be chosen: its notation, its verb, and what it is about. */
export interface Alternative {
  choice: string
  verb: string
  args: Record<string, Argument>
}

/** What may not be chosen, and why. */
export interface Refused {
  choice: string
  verb: string
  args: Record<string, Argument>
  why: Message
}

/** What a choice earns at once. */
export interface Earned {
  choice: string
  message: Message
}

/** A number that the viewer does not see: its field, whose it is, and whether it is set (1 or 0; a set of bits if it has several). */
export interface Hidden {
  place: string
  seat: number | null
  size: number
}

/** Where cards lie: a field and whose it is, how many lie there and, if the viewer sees them, which; of a pile, from the bottom. */
export interface Place {
  place: string
  seat: number | null
  size: number
  cards: string[] | null
}

/** A match as one seat sees it. ``waiting`` are those who may choose; where all choose together, everyone but a viewer who has chosen: nobody learns who else has. ``hidden`` and ``places`` are named by field and seat, team or pile: ``hand/2``. */
export interface Match {
  game: string
  round: number
  phase: string
  turn: number | null
  kind: number
  next: number
  waiting: number[]
  together: boolean
  players: number
  out: number[]
  partners: number[]
  teams: number[]
  score: number[]
  options: Record<string, OptionValue>
  numbers: Record<string, FieldValue>
  hidden: Record<string, Hidden>
  places: Record<string, Place>
  headline: Message | null
  last: Message | null
  drawn: Record<string, any>
  legal: Alternative[]
  winners: number[]
}

/** What takes longer to compute about a view: the text table, why choices are refused, what choices earn at once, and data of the game's component about the viewer's own cards. */
export interface Explanation {
  table: Message[]
  refused: Refused[]
  earns: Earned[]
  drawn: Record<string, any>
}

/** A finished round: what names it, and the values of each seat. */
export interface SheetRow {
  row: number
  cells: Record<string, number>[]
}

/** The score sheet: the seats of each column (one, or the partners of a team), the finished rounds, and the points of each seat. */
export interface Sheet {
  columns: number[][]
  rows: SheetRow[]
  total: number[]
}

/** A place that has changed: how many cards lie there and, if the viewer sees them, which. */
export interface PlacePatch {
  size?: number
  cards?: string[]
}

/** Whether a hidden number is set now. */
export interface HiddenPatch {
  size: number
}

/** What has changed of a match as one seat sees it: members of ``MatchJson``. */
export interface MatchPatch {
  round?: number
  phase?: string
  turn?: number | null
  kind?: number
  next?: number
  waiting?: number[]
  out?: number[]
  score?: number[]
  numbers?: Record<string, number | (number | number[])[] | Record<string, number | number[]>>
  hidden?: Record<string, HiddenPatch>
  places?: Record<string, PlacePatch>
  headline?: Message | null
  last?: Message | null
  drawn?: Record<string, any>
  legal?: Alternative[]
  winners?: number[]
}

/** A seat as everyone sees it: the number of its person (-1: nobody's), or a bot's level; connected (``here``), away (a bot plays), muted, ready for a match. At ``until`` a bot takes over from a disconnected player. */
export interface Seat {
  person: number
  name: string
  level: string
  free: boolean
  here: boolean
  away: boolean
  muted: boolean
  ready: boolean
  until: number | null
  luck: string
}

/** A table as everyone sees it. ``owner`` is the number of a person. ``notice`` tells everyone why no match can be played. ``names`` are the players of the match, also of a finished one whose players may have left their seats since. ``promise`` commits the server to the secret of the next match, ``commitment`` to that of this match, which is in the record when the match is over; ``match_number`` counts the matches of the table up to this one (0: none yet). */
export interface Table {
  code: string
  game: string
  title: string
  status: string
  notice: Message | null
  public: boolean
  spectators: string
  clock: number
  grace: number
  hints: boolean
  stand_in: string
  locked: boolean
  options: Record<string, OptionValue>
  seats: Seat[]
  names: string[]
  owner: number
  asked: number | null
  agreed: number[]
  match_number: number
  promise: string
  commitment: string
  turn_ends: number | null
}

/** One log entry: the events of the match that are complete with it, a message about other changes, and the text of a line of chat. ``by`` is the seat that it is about. */
export interface News {
  kind?: string
  by?: number
  events?: Event[]
  message?: Message | null
  text?: string
}

/** The match and the score sheet as one seat (-1: a spectator) sees them. */
export interface View {
  seat: number
  news?: News[]
  match?: Match | null
  sheet?: Sheet | null
}

/** What one seat (-1: a spectator) learns from a step: the news, what has changed of the match, and the score sheet if it has changed. */
export interface ViewPatch {
  seat: number
  news?: News[]
  match?: MatchPatch
  sheet?: Sheet | null
}

/** The evaluation of a choice by a bot: its expected points relative to the alternatives, and a reason for it. */
export interface Considered {
  choice: string
  verb: string
  args: Record<string, Argument>
  points: number
  reason: Message
}

/** What one seat (-1: a spectator) has learnt so far. */
export interface Past {
  seat: number
  news: News[]
}

/** The answer to a hello: the client's number as a person at this table (-1: a spectator). */
export interface Welcome {
  type: 'welcome'
  protocol: number
  code: string
  person: number
}

/** The whole table, once for each of the client's seats, or once for a spectator. It replaces everything that the client knew. ``done`` is the id of the client's message that it answers, if there is one. */
export interface Snapshot {
  type: 'snapshot'
  seq: number
  at: number
  table: Table
  views: View[]
  done?: string
}

/** What has changed since entry ``since``, up to entry ``seq``, which are durable in the log. ``table`` has the changed members of the table. */
export interface Step {
  type: 'step'
  since: number
  seq: number
  at: number
  table?: Partial<Table>
  views?: ViewPatch[]
  done?: string
}

/** A message was applied, and changed nothing that this client is sent; its facts are durable in the log, up to ``seq``. */
export interface Done {
  type: 'done'
  id: string
  seq: number
}

/** A message was refused: a code for programs, a message for people, and the same message in English. */
export interface Denied {
  type: 'denied'
  id: string
  code: string
  message: Message
  sentence: string
}

/** The answer to a hint: the choices, the best first. */
export interface Hinted {
  type: 'hinted'
  id: string
  seat: number
  seq: number
  choices: Considered[]
}

/** The answer to ``explain``: the text table, why choices are refused, what choices earn at once, and data of the game's component about the seat's own cards. */
export interface Explained {
  type: 'explained'
  id: string
  seat: number
  seq: number
  table: Message[]
  refused: Refused[]
  earns: Earned[]
  drawn: Record<string, any>
}

/** The answer to ``history``. */
export interface Recalled {
  type: 'recalled'
  id: string
  seq: number
  views: Past[]
}

/** The answer to a ping. */
export interface Pong {
  type: 'pong'
  id: string
}

/** The last message before the server closes the socket. The client may reconnect after ``retry`` milliseconds (-1: it should not). */
export interface Bye {
  type: 'bye'
  code: string
  message: Message
  sentence: string
  retry: number
}

/** A new table: its code and the token of its owner, which is sent only once. */
export interface Opened {
  code: string
  token: string
}

/** The answer to a join: the person's seats, her token (empty if she had one), and the number of the last log entry. */
export interface Seated {
  token: string
  seats: number[]
  seq: number
}

/** A seat of a table in the lobby. */
export interface PlayerLine {
  name: string
  level: string
}

/** A table in the lobby. */
export interface LobbyLine {
  code: string
  game: string
  title: string
  status: string
  locked: boolean
  seats: PlayerLine[]
}

/** A refusal: a code for programs, a message for people, and the same message in English. */
export interface Wrong {
  code: string
  message: Message
  sentence: string
}

/** One moment of a match: who chose (-1: chance) and what, the events, the match and the score sheet as in a snapshot, what takes longer to compute about it, and the bot's evaluations. */
export interface Frame {
  by: number
  choice: string
  events: Event[]
  match: Match
  explained: Explanation
  sheet: Sheet
  thoughts: Considered[]
}

/** Some moments of a finished match, or of a match between bots, from the viewpoint of one seat (-1: a spectator; -2: all cards are visible). */
export interface Film {
  game: string
  title: string
  match: number
  seat: number
  names: string[]
  levels: string[]
  options: Record<string, OptionValue>
  known: number
  over: boolean
  rounds: number[]
  first: number
  frames: Frame[]
}

/** The text on a card that is drawn as text. */
export interface FaceInfo {
  title: string
  text: string
  colour: string
}

/** An option: the names of its values and, by number of players, its default value, the range of its numbers, and how many numbers it has. */
export interface OptionInfo {
  kind: 'number' | 'numbers' | 'choice' | 'flag' | 'seat'
  names: string[]
  default: Record<string, OptionValue>
  low: Record<string, number>
  high: Record<string, number>
  length: Record<string, number>
}

/** A zone of the table: the field it shows, its form and position, what a tap chooses, and who owns the field. */
export interface ZoneInfo {
  place: string
  form: string
  at: string
  tap: string
  per: 'table' | 'seat' | 'team' | 'piles'
}

/** The layout of a game. */
export interface LayoutInfo {
  component: string
  parts: Record<string, string>
  zones: ZoneInfo[]
  counters: string[]
  status: string[]
}

/** A numeric field of the state: what it holds, who owns it, and whether it starts as -1 (unset). */
export interface FieldInfo {
  holds: 'count' | 'flag' | 'seat' | 'card' | 'suit' | 'rank' | 'card set' | 'seat set'
  per: 'table' | 'seat' | 'team' | 'piles'
  unset: boolean
}

/** A game. ``pack`` holds the names of the cards by number; ``fields`` describes the numeric fields of its state. */
export interface GameInfo {
  name: string
  title: string
  version: number
  players: number[]
  usual: number
  pack: string[]
  faces: FaceInfo[]
  options: Record<string, OptionInfo>
  layout: LayoutInfo
  fields: Record<string, FieldInfo>
  levels: string[]
}

export type Argument = number | string | Message | (number | Message)[]
export type OptionValue = number | string | number[]
export type FieldValue = number | (number | number[])[]
export type AnyRequest = Join | Leave | Return | Kick | Fill | Change | Lock | Add | Ready | Start | Choose | Say | Mute | Undo | Answer | Hint | Explain | History | Sync | Ping
export type AnySent = Welcome | Snapshot | Step | Done | Denied | Hinted | Explained | Recalled | Pong | Bye
export const PROTOCOL = 2
