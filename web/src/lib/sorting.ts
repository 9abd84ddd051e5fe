// The order of a hand: by suit, by rank, or manual, which is stored for each table.

import type { Deck } from './deck'
import { memory } from './memory.svelte'

export type Sort = 'suit' | 'rank' | 'hand'

const usual = (): Sort => (memory.sort === 'rank' ? 'rank' : 'suit')

export const sortOf = (code: string): Sort => (memory.tables[code]?.order ? 'hand' : usual())

/** The sorted cards of a hand; in manual order, new cards come last. */
export function arranged(hand: string[], code: string, deck: Deck): string[] {
  const order = memory.tables[code]?.order
  if (!order) return deck.sorted(hand, usual())
  return [...order.filter((card) => hand.includes(card)), ...hand.filter((card) => !order.includes(card))]
}

export function sortByHand(code: string, cards: string[]): void {
  if (memory.tables[code]) memory.tables[code].order = cards
}

/** Switch to the next sort order: suit, rank, manual, and around again. */
export function sortOtherwise(code: string, cards: string[]): void {
  const now = sortOf(code)
  if (now === 'suit') memory.sort = 'rank'
  else if (now === 'rank' && memory.tables[code]) sortByHand(code, cards)
  else {
    memory.sort = 'suit'
    if (memory.tables[code]) delete memory.tables[code].order
  }
}
