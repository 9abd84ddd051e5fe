// The pack of a game. HQ is the queen of hearts, JB a black joker, R7 the seven of rock; cards of custom packs are drawn as text.

import type { FaceInfo } from './types'
import { memory } from './memory.svelte'
import { say, type Words } from './words'

export interface Face extends FaceInfo {
  kind: 'french' | 'joker' | 'stars' | 'text'
  suit: string
  rank: string
}

const STARS: Record<string, string> = { R: 'rock', P: 'paper', S: 'scissors' }
const SIGNS: Record<string, string> = { S: '♠', H: '♥', D: '♦', C: '♣' }
const SUITS = 'SHDC'
const RANKS = '23456789TJQKA'
const FRENCH = /^(?:[CDHS][2-9TJQKA]|J[BR])$/
const NOTHING_ON_IT: FaceInfo = { title: '', text: '', colour: '' }

export class Deck {
  private readonly kind: 'french' | 'stars' | 'text'
  private readonly at: Map<string, number>

  /** ``drawn`` is the kind of card face that the layout of a game names, if any. */
  constructor(
    readonly pack: string[],
    private readonly faces: FaceInfo[] = [],
    drawn = '',
    private readonly words: Words | null = null,
  ) {
    this.kind = drawn === 'stars' ? 'stars' : faces.length || !pack.every((card) => FRENCH.test(card)) ? 'text' : 'french'
    this.at = new Map(pack.map((card, at) => [card, at]))
  }

  /** A card by its number in the pack. */
  name = (card: number): string => this.pack[card] ?? ''
  number = (card: string): number => this.at.get(card) ?? -1

  face(card: string): Face {
    const blank = { ...NOTHING_ON_IT, suit: '', rank: '' }
    if (this.kind === 'text') return { ...blank, ...this.faces[this.number(card)], title: this.called(card), kind: 'text' }
    if (this.kind === 'stars') return { ...blank, suit: STARS[card[0]], rank: card.slice(1), kind: 'stars' }
    if (card === 'JB' || card === 'JR') return { ...blank, suit: card, kind: 'joker' }
    return { ...blank, suit: card[0], rank: card[1] === 'T' ? '10' : card.slice(1), kind: 'french' }
  }

  /** The name of a card of a custom pack, as in ``Words.card`` of kortlek/words/words.py. */
  private called(card: string): string {
    if (this.words?.has(`card-${card}`)) return this.words.text(`card-${card}`)
    if (this.words?.has('card')) return this.words.text('card', { suit: card[0], rank: card.slice(1) })
    return this.faces[this.number(card)]?.title || card.replaceAll('_', ' ')
  }

  /** The spoken name of a card: queen of hearts. */
  spoken(card: string): string {
    const on = this.face(card)
    if (on.kind === 'text') return on.title
    if (on.kind === 'joker') return say(card === 'JR' ? 'joker-red' : 'joker-black')
    const rank = on.kind === 'french' ? say(`rank-${on.rank}`) : on.rank
    return say('card-name', { rank, suit: say(`suit-${on.suit}`) })
  }

  /** A card as plain text. The variation selector after a suit requests a text glyph instead of an emoji. */
  written(card: string): string {
    const on = this.face(card)
    return on.kind === 'french' ? `${SIGNS[on.suit]}\uFE0E${on.rank}` : this.spoken(card)
  }

  sorted(cards: string[], how: string): string[] {
    if (how === 'hand') return cards
    const { number, kind } = this
    const rank = (card: string): number => (kind === 'stars' ? Number(card.slice(1)) : kind === 'french' ? RANKS.indexOf(card[1]) : -number(card))
    const suit = (card: string): number => (kind === 'stars' ? 'RPS'.indexOf(card[0]) : kind === 'french' ? SUITS.indexOf(card[0]) : 0)
    const plainly = (card: string): string => plain(card)
    return [...cards].sort((a, b) => {
      const [suits, ranks] = [suit(plainly(a)) - suit(plainly(b)), rank(plainly(b)) - rank(plainly(a))]
      return how === 'rank' ? ranks || suits : suits || ranks
    })
  }
}

/** The default pack of fifty-two cards. */
export const FRENCH_DECK = new Deck([...SUITS].flatMap((suit) => [...RANKS].map((rank) => suit + rank)))

/** The cards of a hand with unique keys: each duplicate gets one more mark. ``plain`` removes the marks. */
export const apart = (cards: string[]): string[] => cards.map((card, at) => card + "'".repeat(cards.slice(0, at).filter((other) => other === card).length))
export const plain = (card: string): string => card.replaceAll("'", '')

// ---- pictures

/** The object URLs of the pictures that have been fetched, by deck and card. */
const here = new Map<string, string>()

export function picture(card: string): string {
  const name = `${memory.deck}/${card}`
  return here.get(name) ?? `/faces/${name}.svg`
}

/** Fetch the pictures of a whole deck while the browser is idle, so that no card is blank when it is first shown or the connection is lost. One
 * request is far cheaper than one per card. Until it completes, or if it fails, each picture is fetched when it is shown. */
export function fetchPictures(): void {
  const deck = memory.deck
  if (here.has(`${deck}/SA`)) return
  const fetchThem = async (): Promise<void> => {
    const drawn: Record<string, string> = await (await fetch(`/faces/${deck}.json`, { priority: 'low' })).json()
    for (const card in drawn) here.set(`${deck}/${card}`, URL.createObjectURL(new Blob([drawn[card]], { type: 'image/svg+xml' })))
  }
  const start = (): void => void fetchThem().catch(() => undefined)
  if ('requestIdleCallback' in window) requestIdleCallback(start)
  else setTimeout(start, 500)
}
