// Rummy as its table is drawn: what the server says of the melds, and every choice in words.

import { spoken } from './cards'
import { say } from './words'

export interface Meld {
  cards: string[]
  worth: number
  steps?: string[]
}

/** ``match.drawn`` of Rummy: see ``drawn`` in kortlek/rules/told/rummy.py. */
export interface Drawn {
  melds: Meld[]
  making: Meld | null
  needed: number
  shows: string[][]
  held: Meld[]
  fits: Record<string, number[]>
}

type Match = Record<string, any>

export const drawn = (match: Match): Drawn => match.drawn as Drawn
export const worth = (melds: Meld[]): number => melds.reduce((sum, meld) => sum + meld.worth, 0)
export const discards = (match: Match): string[] => match.places.find((place: any) => place.place === 'discards').cards

/** A card of a meld: JB(C5) is the black joker as the five of clubs. */
export function standing(text: string): { card: string; as: string } {
  const [card, as = ''] = text.replace(')', '').split('(')
  return { card, as }
}

export const spokenMeld = (meld: Meld): string =>
  meld.cards
    .map(standing)
    .map(({ card, as }) => (as ? say('joker-as', { joker: spoken(card), card: spoken(as) }) : spoken(card)))
    .join(', ')

/** A choice as a button says it. */
export function worded(choice: string, match: Match): string {
  const [verb, what = ''] = choice.split(' ')
  switch (verb) {
    case 'draw':
      return what === 'stock' ? say('draw-stock') : say('take-discard', { card: spoken(discards(match).at(-1)!) })
    case 'discard':
      return say('discard-card', { card: spoken(what) })
    case 'set':
      return say('set-of', { ranks: say(`ranks-${what}`) })
    case 'run':
      return say('run-of', { suit: say(`suit-${what}`) })
    case 'card':
      return spoken(what)
    case 'meld':
      return say('meld-number', { number: what })
    default:
      return say(`rummy-${verb}`)
  }
}

/** What is expected of the player in turn, who may have chosen a card of her hand. */
export function expected(match: Match, chosen: string): string {
  const { making, needed, fits } = drawn(match)
  const may = (choice: string): boolean => match.choices.includes(choice)
  const mayDiscard = match.choices.some((choice: string) => choice.startsWith('discard '))
  switch (match.phase) {
    case 'draw':
      if (!may('draw discard')) return say('ask-draw')
      return say(may('draw stock') ? 'ask-draw-or-take' : 'ask-take', { card: spoken(discards(match).at(-1)!) })
    case 'turn':
      if (!mayDiscard) return say('ask-lay-more', { laid: match.numbers.laying, needed })
      if (chosen && fits[chosen]) return say(may(`discard ${chosen}`) ? 'ask-add-or-discard-it' : 'ask-add-it')
      if (chosen) return say('ask-discard-it', { card: spoken(chosen) })
      if (may('lay')) return say(Object.keys(fits).length ? 'ask-lay-add-or-discard' : 'ask-lay-or-discard')
      return say(Object.keys(fits).length ? 'ask-add-or-discard' : 'ask-discard')
    case 'card':
      return say(!making ? 'ask-which-to-add' : may('done') ? 'ask-next-or-done' : 'ask-next-card')
    default:
      return say(`ask-${match.phase}`)
  }
}

/** The one choice that the prompt offers as its button, and what is on it. */
export function offered(match: Match, chosen: string): { choice: string; label: string } | null {
  const may = (choice: string): boolean => match.choices.includes(choice)
  if (may('draw stock')) return { choice: 'draw stock', label: say('draw') }
  if (may('draw discard')) return { choice: 'draw discard', label: say('take') }
  if (may('done')) return { choice: 'done', label: say('rummy-done') }
  if (chosen && may(`discard ${chosen}`)) return { choice: `discard ${chosen}`, label: say('discard') }
  return null
}
