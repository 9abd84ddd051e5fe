// How a hand lies: by suit, by rank, or by hand, which is remembered for each table.

import type { Deck } from './deck'
import { memory } from './memory.svelte'

export type Sort = 'suit' | 'rank' | 'hand'

const usual = (): Sort => (memory.sort === 'rank' ? 'rank' : 'suit')

export const sortOf = (code: string): Sort => (memory.tables[code]?.order ? 'hand' : usual())

/** The cards of a hand in order; those that came later lie last. */
export function arranged(hand: string[], code: string, deck: Deck): string[] {
  const order = memory.tables[code]?.order
  if (!order) return deck.sorted(hand, usual())
  return [...order.filter((card) => hand.includes(card)), ...hand.filter((card) => !order.includes(card))]
}

export function sortByHand(code: string, cards: string[]): void {
  if (memory.tables[code]) memory.tables[code].order = cards
}

/** From suit to rank to by hand, and again. */
export function sortOtherwise(code: string, cards: string[]): void {
  const now = sortOf(code)
  if (now === 'suit') memory.sort = 'rank'
  else if (now === 'rank' && memory.tables[code]) sortByHand(code, cards)
  else {
    memory.sort = 'suit'
    if (memory.tables[code]) delete memory.tables[code].order
  }
}
