// What a game is played with. HQ is the queen of hearts, JB a black joker, R7 the seven of rock; cards of somebody's own are drawn as text.

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

  /** ``drawn`` is the kind of face that the layout of a game names, if it does. */
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

  /** What a card of somebody's own is called, as in ``Words.card`` of kortlek/words/words.py. */
  private called(card: string): string {
    if (this.words?.has(`card-${card}`)) return this.words.text(`card-${card}`)
    if (this.words?.has('card')) return this.words.text('card', { suit: card[0], rank: card.slice(1) })
    return this.faces[this.number(card)]?.title || card.replaceAll('_', ' ')
  }

  /** A card as it is spoken: queen of hearts. */
  spoken(card: string): string {
    const on = this.face(card)
    if (on.kind === 'text') return on.title
    if (on.kind === 'joker') return say(card === 'JR' ? 'joker-red' : 'joker-black')
    const rank = on.kind === 'french' ? say(`rank-${on.rank}`) : on.rank
    return say('card-name', { rank, suit: say(`suit-${on.suit}`) })
  }

  /** A card as it is written where nothing can be drawn. The last sign of a suit asks for letters and not for pictures. */
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

/** Fifty-two cards, for where no game says otherwise. */
export const FRENCH_DECK = new Deck([...SUITS].flatMap((suit) => [...RANKS].map((rank) => suit + rank)))

/** The cards of a hand, told apart: of equal ones each after the first has a mark more. ``plain`` is the card without it. */
export const apart = (cards: string[]): string[] => cards.map((card, at) => card + "'".repeat(cards.slice(0, at).filter((other) => other === card).length))
export const plain = (card: string): string => card.replaceAll("'", '')

// ---- pictures

/** The pictures that are here already, by deck and card: addresses within the page. */
const here = new Map<string, string>()

export function picture(card: string): string {
  const name = `${memory.deck}/${card}`
  return here.get(name) ?? `/faces/${name}.svg`
}

/** Fetch the pictures of all cards when there is nothing else to do, so that none is blank when it comes, or when the line is cut: a whole deck
 * at once, which is far less work for everyone than card by card. Until it is here, and if it does not come, each is fetched when it is shown. */
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
