// Written by web/protocol_types.py from the server's own types; not by hand.

/** A new table. Whoever opens it owns it, and gets its first token; with a name she also sits down in the first seat. */
export interface Open {
  game: string
  players?: number | null
  options?: Record<string, number | string | number[]>
  name?: string
  levels?: string[]
  luck?: string
  public?: boolean
  spectators?: 'off' | 'public' | 'delayed'
  delay?: number
  clock?: number
  grace?: number
  pace?: number
  hints?: boolean
  stand_in?: string
}

/** The first message on a socket: who one is, and the last thing one has seen of the table (nothing: none is wanted). */
export interface Hello {
  do: 'hello'
  protocol: number
  token?: string
  since?: number | null
}

/** Sit down: in this seat, or in the first free one. */
export interface Join {
  do: 'join'
  name: string
  seat?: number | null
  luck?: string
  id?: string
}

/** Leave a seat. During a match a bot plays on, and the player may come back. */
export interface Leave {
  do: 'leave'
  seat: number
  id?: string
}

/** Play for oneself again. */
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

/** Put a bot into a seat, or with no level free it (the owner, before the match). */
export interface Fill {
  do: 'fill'
  seat: number
  level?: string
  id?: string
}

/** Other players or options (the owner, before the match). */
export interface Change {
  do: 'change'
  players?: number | null
  options?: Record<string, number | string | number[]>
  id?: string
}

/** Let nobody else sit down, or let them again (the owner). */
export interface Lock {
  do: 'lock'
  locked?: boolean
  id?: string
}

/** A share of the luck, before the match. */
export interface Add {
  do: 'add'
  seat: number
  luck: string
  id?: string
}

/** Say that one is ready for the match, or not yet. */
export interface Ready {
  do: 'ready'
  seat: number
  ready?: boolean
  id?: string
}

/** Begin the match (the owner), or after it the next one (anybody with a seat); everyone moves on by ``rotate`` seats. Bots take free seats. */
export interface Start {
  do: 'start'
  rotate?: number
  id?: string
}

/** A choice in notation, made by somebody who has seen everything up to ``at``. */
export interface Choose {
  do: 'choose'
  seat: number
  choice: string
  at: number
  id?: string
}

/** Say something to the table. */
export interface Say {
  do: 'say'
  seat: number
  text: string
  id?: string
}

/** Let a player not chat, or let her again (the owner). */
export interface Mute {
  do: 'mute'
  seat: number
  muted?: boolean
  id?: string
}

/** Take the last choice back; if that is not for the player alone to say, ask the others. */
export interface Undo {
  do: 'undo'
  seat: number
  id?: string
}

/** Agree that somebody takes a choice back, or do not. */
export interface Answer {
  do: 'answer'
  seat: number
  yes: boolean
  id?: string
}

/** What would a good player do in my place? Answered to the one who asks, and kept nowhere. */
export interface Hint {
  do: 'hint'
  seat: number
  id?: string
}

/** Something for people to read: a message of the words files, and its arguments. A message may be an argument of another. */
export interface Message {
  id: string
  args: Record<string, any>
}

/** Something that happened in a match: its kind, whose it is (-1: nobody's), and what it was about. */
export interface Event {
  kind: string
  seat: number
  args: Record<string, any>
}

/** What may be chosen: its notation, its verb, and what it is about. */
export interface Alternative {
  choice: string
  verb: string
  args: Record<string, any>
}

/** What may not be chosen, and why. */
export interface Refused {
  choice: string
  verb: string
  args: Record<string, any>
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

/** A match as one seat sees it. ``waiting`` are those who may choose; where all choose together, everyone but a viewer who has chosen: nobody learns who else has. */
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
  options: Record<string, number | string | number[]>
  numbers: Record<string, any>
  hidden: Hidden[]
  places: Place[]
  table: Message[]
  last: Message | null
  drawn: Record<string, any>
  legal: Alternative[]
  refused: Refused[]
  earns: Earned[]
  winners: number[]
}

/** A finished round: what names it, and the values of each seat. */
export interface SheetRow {
  row: number
  cells: Record<string, number>[]
}

/** The score sheet, and the points of each seat. */
export interface Sheet {
  rows: SheetRow[]
  total: number[]
}

/** A seat as everyone sees it: of a person, a bot or free; connected, away (a bot plays), muted, ready for a match. A bot takes over from who has lost the connection at ``until``. */
export interface Chairs {
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

/** A choice as a good player sees it: what it is thought to earn, and what speaks for it. */
export interface Considered {
  choice: string
  verb: string
  args: Record<string, any>
  points: number
  reason: Message
}

/** The answer to a hello: who one is here (-1: somebody who looks on). */
export interface Welcome {
  type: 'welcome'
  protocol: number
  code: string
  person: number
}

/** One entry of the log, as one seat (-1: who looks on) is told of it: the events of the match that are over with it, a message about what else happened, and what somebody said. */
export interface News {
  type: 'news'
  seat: number
  seq: number
  at: number
  kind: string
  by: number
  events: Event[]
  message: Message | null
  text: string
}

/** The table as one seat sees it now; it replaces what was shown before. */
export interface Show {
  type: 'show'
  seat: number
  seq: number
  at: number
  code: string
  game: string
  title: string
  status: string
  public: boolean
  spectators: string
  clock: number
  grace: number
  hints: boolean
  stand_in: string
  locked: boolean
  options: Record<string, number | string | number[]>
  seats: Chairs[]
  names: string[]
  yours: number[]
  owner: boolean
  asked: number | null
  agreed: number[]
  promise: string
  commitment: string
  secret: string
  turn_ends: number | null
  match: Match | null
  sheet: Sheet | null
}

/** A message was applied, and is safely in the log up to ``seq``. */
export interface Done {
  type: 'done'
  id: string
  seq: number
}

/** A message was not applied, and why: a code for programs, a message for people, and the same in English. */
export interface Denied {
  type: 'denied'
  id: string
  code: string
  message: Message
  sentence: string
}

/** What a good player would do, the best first. */
export interface Hinted {
  type: 'hinted'
  id: string
  seat: number
  seq: number
  choices: Considered[]
}

/** The last message before the server closes the socket; ``retry`` milliseconds later one may come again (-1: do not). */
export interface Bye {
  type: 'bye'
  code: string
  message: Message
  sentence: string
  retry: number
}

/** One moment of a match: who chose (-1: chance) and what, what is told of it, the match then as in a show, and what the bot thought. */
export interface Frame {
  by: number
  choice: string
  events: Event[]
  match: Match
  sheet: Sheet
  thoughts: Considered[]
}

/** Some moments of a match that is over, or that bots play, with the eyes of one seat (-1: who looks on; -2: everybody's cards). */
export interface Film {
  game: string
  title: string
  match: number
  seat: number
  names: string[]
  levels: string[]
  options: Record<string, number | string | number[]>
  known: number
  over: boolean
  rounds: number[]
  first: number
  frames: Frame[]
}

/** A new table: its code, and the token of who opened it, which is told nobody else and never again. */
export interface Opened {
  code: string
  token: string
}

/** Somebody has sat down: her seats, her token (empty if she had one), and how far the table has come. */
export interface Seated {
  token: string
  seats: number[]
  seq: number
}

/** Why something was not done: a code for programs, a message for people, and the same in English. */
export interface Wrong {
  code: string
  message: Message
  sentence: string
}

/** What stands on a card that is drawn as text. */
export interface FaceInfo {
  title: string
  text: string
  colour: string
}

/** An option: the names of its values, and by number of players its usual value, the range of its numbers, and how many numbers it has. */
export interface OptionInfo {
  kind: 'number' | 'numbers' | 'choice' | 'flag' | 'seat'
  names: string[]
  default: Record<string, number | string | number[]>
  low: Record<string, number>
  high: Record<string, number>
  length: Record<string, number>
}

/** A place on the table: its field, how its cards lie, where, what a tap chooses, and whose it is. */
export interface ZoneInfo {
  place: string
  form: string
  at: string
  tap: string
  per: 'table' | 'seat' | 'team' | 'piles'
}

/** How a game is shown. */
export interface LayoutInfo {
  component: string
  parts: Record<string, string>
  zones: ZoneInfo[]
  counters: string[]
  status: string[]
}

/** What a number of the state holds, whose it is, and whether it is -1 before anything has happened. */
export interface FieldInfo {
  holds: 'count' | 'flag' | 'seat' | 'card' | 'suit' | 'rank' | 'card set' | 'seat set'
  per: 'table' | 'seat' | 'team' | 'piles'
  unset: boolean
}

/** A game for programs. ``pack`` are the names of the cards by number; ``fields`` describes its numbers. */
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

export type AnyRequest = Join | Leave | Return | Kick | Fill | Change | Lock | Add | Ready | Start | Choose | Say | Mute | Undo | Answer | Hint
export type AnySent = Welcome | News | Show | Done | Denied | Hinted | Bye
export const PROTOCOL = 1
export const QUICK_PHRASES = ["Hello!","Good luck!","Well played!","Thank you!","Sorry!","One moment, please.","Oops!","Good game!"]
