// Cards as the server names them: HQ is the queen of hearts, R7 the seven of rock, JB a black joker.

import { memory } from './memory.svelte'
import { say } from './words'

export interface Face {
  suit: string
  rank: string
  kind: 'french' | 'joker' | 'tps'
}

const TPS: Record<string, string> = { R: 'rock', P: 'paper', S: 'scissors' }

/** What is on a card. A pack of rock, paper and scissors is told from its layout. */
export function face(card: string, layout = ''): Face {
  if (layout === 'stars') return { suit: TPS[card[0]], rank: card.slice(1), kind: 'tps' }
  if (card === 'JB' || card === 'JR') return { suit: card, rank: '', kind: 'joker' }
  return { suit: card[0], rank: card[1] === 'T' ? '10' : card.slice(1), kind: 'french' }
}

export function spoken(card: string, layout = ''): string {
  const on = face(card, layout)
  if (on.kind === 'joker') return say(card === 'JR' ? 'joker-red' : 'joker-black')
  const rank = on.kind === 'french' ? say(`rank-${on.rank}`) : on.rank
  return say('card-name', { rank, suit: say(`suit-${on.suit}`) })
}

/** The cards of a hand, told apart: of two equal ones the second has a mark. ``plain`` is the card without it. */
export const apart = (cards: string[]): string[] => cards.map((card, at) => (cards.indexOf(card) < at ? `${card}'` : card))
export const plain = (card: string): string => card.replace("'", '')

/** The pictures that are here already, by deck and card: addresses within the page. */
const here = new Map<string, string>()

export function picture(card: string): string {
  const name = `${memory.deck}/${card}`
  return here.get(name) ?? `/faces/${name}.svg`
}

const SUITS = 'SHDC'
const RANKS = '23456789TJQKA'

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

export function sorted(cards: string[], how: string, layout = ''): string[] {
  if (how === 'hand') return cards
  const rank = (card: string): number => (layout === 'stars' ? Number(card.slice(1)) : RANKS.indexOf(card[1]))
  const suit = (card: string): number => (layout === 'stars' ? 'RPS'.indexOf(card[0]) : SUITS.indexOf(card[0]))
  return [...cards].sort((a, b) => (how === 'rank' ? rank(b) - rank(a) || suit(a) - suit(b) : suit(a) - suit(b) || rank(b) - rank(a)))
}
