// Messages and events of the server in the reader's language. The names of arguments determine their types, by the same rules as in
// kortlek/words/words.py. Cards are kept separate within a text, so that they can be drawn or spoken.

import { getContext, setContext } from 'svelte'
import { Refused } from './api'
import { Deck, FRENCH_DECK } from './deck'
import type { Alternative, Event, Message } from './types'
import { language, say, tableWords, Words, type Values } from './words'

/** A text in which cards are marked by non-printable characters, which no name can contain. */
export type Marked = string
const OPEN = '\uE000'
const CLOSE = '\uE001'
const CARD = /\uE000([^\uE001]*)\uE001/

/** A text split into strings and cards. */
export const pieces = (text: Marked): { text: string; isCard: boolean }[] =>
  text
    .split(CARD)
    .map((piece, at) => ({ text: piece, isCard: at % 2 === 1 }))
    .filter((piece) => piece.text)

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null && 'id' in value && 'args' in value

/** Puts messages and events into words for one person at a table; ``viewer`` is her seat. */
export class Teller {
  constructor(
    private readonly words: Words,
    readonly deck: Deck,
    private readonly names: string[] = [],
    private readonly viewer = -1,
  ) {}

  knows(message: Message): boolean {
    return this.words.has(message.id)
  }

  say(message: Message): Marked {
    return this.words.text(message.id, this.values(message.args))
  }

  /** An event in words; empty if it has none. An event that continues a sentence does not name its player again. */
  private event(event: Event, goesOn = false): Marked {
    const id = `event-${event.kind}`
    if (!this.words.has(id)) return ''
    const values = this.values(event.seat < 0 ? event.args : { ...event.args, who: event.seat })
    return this.words.text(id, goesOn ? { ...values, who: '' } : values)
  }

  /** The lines of a log entry. A player's action and its consequences for her are one line. */
  lines(news: { events: Event[]; message?: Message | null }): Marked[] {
    const lines: Marked[] = []
    news.events.forEach((event, at, events) => {
      const isSame = at > 0 && event.seat >= 0 && event.seat === events[0].seat && event.seat === events[at - 1].seat
      const more = isSame && lines.length ? this.event(event, true) : ''
      if (/^[\p{L}\p{N}]/u.test(more)) lines[lines.length - 1] += `, ${more}`
      else lines.push(this.event(event))
    })
    if (news.message) lines.push(this.say(news.message))
    return lines.filter(Boolean)
  }

  /** The label of an alternative. */
  offer(offer: Alternative): Marked {
    return this.say({ id: `choice-${offer.verb}`, args: offer.args })
  }

  /** The question for a kind of choice. */
  ask(phase: string): string {
    return this.words.has(`ask-${phase}`) ? this.words.text(`ask-${phase}`) : ''
  }

  /** A text as plain text, where cards cannot be drawn. */
  read(text: Marked): string {
    return pieces(text)
      .map(({ text, isCard }) => (isCard ? this.deck.written(text) : text))
      .join('')
  }

  /** A text for speech, with a pause between cards. */
  aloud(text: Marked): string {
    return pieces(text)
      .map(({ text, isCard }) => (isCard ? this.deck.spoken(text) : text === ' ' ? ', ' : text))
      .join('')
  }

  private values(args: Record<string, unknown>): Values {
    const made: Values = {}
    for (const [name, value] of Object.entries(args)) {
      if (name === 'who' && typeof value === 'number') {
        Object.assign(made, { who: this.name(value, 'who'), you: this.isYou(value), whose: this.name(value, 'whose') })
      } else if (name === 'whom' && typeof value === 'number') {
        Object.assign(made, { whom: this.name(value, 'whom'), them: this.isYou(value) })
      } else if (name === 'seats') {
        const seats = value as number[]
        const named = seats.map((seat, at) => this.name(seat, at ? 'within' : 'who'))
        Object.assign(made, { seats: this.listed(named), many: seats.length, you: seats.length === 1 ? this.isYou(seats[0]) : 'no' })
      } else if (name === 'card' && typeof value === 'number') made.card = this.card(value)
      else if (name === 'cards') Object.assign(made, { cards: this.cards(value as number[]), count: (value as number[]).length })
      else if (name === 'suit' || name === 'rank' || name === 'place') made[name] = this.words.text(`${name}-${value}`)
      else if (name === 'name') Object.assign(made, { name: String(value), named: this.keyword(String(value)) })
      else made[name] = this.value(value)
    }
    return made
  }

  private value(value: unknown): string | number {
    if (isMessage(value)) return this.say(value)
    if (Array.isArray(value)) return value.map((each) => this.value(each)).join(', ')
    return typeof value === 'number' ? value : String(value)
  }

  private isYou = (seat: number): string => (seat === this.viewer ? 'yes' : 'no')

  /** A player's name as the viewer reads it: "you" for herself. */
  private name(seat: number, as: 'who' | 'whom' | 'whose' | 'within'): string {
    if (seat === this.viewer) return this.words.text(`you-${as}`)
    const name = this.names[seat] || this.words.text('seat', { number: seat + 1 })
    return as === 'whose' ? this.words.text('whose', { name }) : name
  }

  private listed(texts: string[]): string {
    return texts.length > 1 ? this.words.text('list', { first: texts.slice(0, -1).join(', '), last: texts.at(-1)! }) : (texts[0] ?? '')
  }

  private card(card: number): Marked {
    const name = this.deck.name(card)
    return name ? OPEN + name + CLOSE : this.words.text('no-card')
  }

  /** A list of cards; with commas if their names have several words. */
  private cards(cards: number[]): Marked {
    const isLong = cards.some((card) => this.deck.written(this.deck.name(card)).includes(' '))
    return cards.map((card) => this.card(card)).join(isLong ? ', ' : ' ')
  }

  private keyword(name: string): string {
    return this.words.has(`name-${name}`) ? this.words.text(`name-${name}`) : name.replaceAll('_', ' ')
  }
}

// ---- the current teller

const KEY = Symbol('teller')

/** Set the teller of the components below. */
export const tellWith = (teller: () => Teller): void => void setContext(KEY, teller)
export const telling = (): (() => Teller) => getContext(KEY) ?? plainly

/** The teller without a game: the words of the table. */
export const plainly = (): Teller => new Teller(new Words(language(), tableWords(language())), FRENCH_DECK)

/** The reason why a request failed. */
export function explained(error: unknown): string {
  if (!(error instanceof Refused)) return say('not-reached')
  return error.why && plainly().knows(error.why) ? plainly().read(plainly().say(error.why)) : error.message
}
