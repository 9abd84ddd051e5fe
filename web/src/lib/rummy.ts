// Helpers of the Rummy table: the server's data on the melds, and the prompt for the player in turn.

import type { Deck } from './deck'
import { find, numberOf, placesOf } from './match'
import type { ShownMatch } from './show'
import { say } from './words'

export interface Meld {
  cards: string[]
  /** For each card: what a joker stands for, if that is one card only; otherwise empty. */
  as: string[]
  worth: number
  steps?: string[]
}

/** The data of Rummy's layout: see ``drawn`` in kortlek/games/rummy/layout.py. ``held`` and ``fits``, about the viewer's own cards, come with the
 * explanation of the match and are empty until then. */
export interface Drawn {
  melds: Meld[]
  making: Meld | null
  needed: number
  shows: string[][]
  held: Meld[]
  fits: Record<string, number[]>
}

export const drawn = (match: ShownMatch): Drawn => ({ ...match.drawn, ...match.explained?.drawn }) as Drawn
export const worth = (melds: Meld[]): number => melds.reduce((sum, meld) => sum + meld.worth, 0)
export const discards = (match: ShownMatch): string[] => placesOf(match, 'discards')[0].cards!

export const spokenMeld = (meld: Meld, deck: Deck): string =>
  meld.cards.map((card, n) => (meld.as[n] ? say('joker-as', { joker: deck.spoken(card), card: deck.spoken(meld.as[n]) }) : deck.spoken(card))).join(', ')

/** The prompt for the player in turn, who may have selected a card of her hand. */
export function expected(match: ShownMatch, chosen: string, deck: Deck): string {
  const { making, needed, fits } = drawn(match)
  const may = (verb: string, args = {}): boolean => !!find(match.legal, verb, args)
  const [card, top] = [deck.spoken(chosen || deck.name(0)), discards(match).at(-1)]
  switch (match.phase) {
    case 'draw':
      if (!may('draw', { name: 'discard' })) return say('ask-draw')
      return say(may('draw', { name: 'stock' }) ? 'ask-draw-or-take' : 'ask-take', { card: deck.spoken(top!) })
    case 'turn':
      if (!may('discard')) return say('ask-lay-more', { laid: numberOf(match, 'laying'), needed })
      if (chosen && fits[chosen]) return say(may('discard', { card: deck.number(chosen) }) ? 'ask-add-or-discard-it' : 'ask-add-it')
      if (chosen) return say('ask-discard-it', { card })
      if (may('lay')) return say(may('add') ? 'ask-lay-add-or-discard' : 'ask-lay-or-discard')
      return say(may('add') ? 'ask-add-or-discard' : 'ask-discard')
    case 'card':
      return say(!making ? 'ask-which-to-add' : may('done') ? 'ask-next-or-done' : 'ask-next-card')
    default:
      return say(`ask-${match.phase}`)
  }
}

/** The choice of the prompt's button, and its label. */
export function offered(match: ShownMatch, chosen: string, deck: Deck): { choice: string; label: string } | null {
  const buttons: [string, Record<string, unknown>, string][] = [
    ['draw', { name: 'stock' }, say('draw')],
    ['draw', { name: 'discard' }, say('take')],
    ['done', {}, say('rummy-done')],
    ['discard', { card: deck.number(chosen) }, say('discard')],
  ]
  for (const [verb, args, label] of buttons) {
    const offer = find(match.legal, verb, args)
    if (offer) return { choice: offer.choice, label }
  }
  return null
}
