// What the server says, in the reader's language: to be read, with cards as people write them, or to be spoken.

import { face, spoken } from './cards'
import { Hearing, pieces } from './hearing'
import { table } from './listening.svelte'
import { standing } from './rummy'
import { heardWords, language, say } from './words'

const SUITS: Record<string, string> = { S: '♠', H: '♥', D: '♦', C: '♣' }
const hearings: Record<string, Hearing> = {}

function hearing(): Hearing {
  const tongue = language() in heardWords ? language() : 'en'
  return (hearings[tongue] ??= tongue === 'en' ? new Hearing(heardWords.en) : new Hearing(heardWords.en, tongue, heardWords[tongue]))
}

/** A sentence in pieces, cards apart. What is not understood stays as it came. */
export const inPieces = (sentence: string): { text: string; isCard: boolean }[] => pieces(hearing().hear(sentence, table) ?? sentence)

/** A sentence to be read. */
export const heard = (sentence: string): string => inPieces(sentence).map(({ text, isCard }) => (isCard ? written(text) : text)).join('')

/** A sentence to be spoken, with a pause between cards. */
export const aloud = (sentence: string): string => inPieces(sentence).map(({ text, isCard }) => (isCard ? named(text) : text === ' ' ? ', ' : text)).join('')

/** What somebody says to the table: only who it was may be said otherwise. */
export const quoted = (line: string, byMe: boolean): string => (byMe && line.startsWith('You: ') ? heard('You') + line.slice(3) : line)

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The name of a card of a sentence. */
export function named(text: string): string {
  const { card, as } = standing(text)
  return as ? say('joker-as', { joker: spoken(card, table.deck), card: spoken(as) }) : spoken(card, table.deck)
}

function written(text: string): string {
  const on = face(standing(text).card, table.deck)
  // The last sign asks for letters and not for pictures.
  return on.kind === 'french' ? `${SUITS[on.suit]}\uFE0E${on.rank}` : named(text)
}
