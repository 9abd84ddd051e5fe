// A card that was played lies on the table at once, before the server has said so: it told us that the card may be played. If it does not come
// about after all, what was shown is what is.

import type { GameInfo } from './api'
import type { Show } from './types'

export interface Chosen {
  id: string
  seat: number
  choice: string
  /** Where it is in the log, when that is known. */
  done?: number
}

/** The table as it will be when a choice has been made, as far as that is plain to see: a card of the hand lies in the trick. */
export function imagined(show: Show, chosen: Chosen | null, info: GameInfo | undefined): Show {
  const trick = info?.layout.trick
  const match = show.match
  if (!chosen || !trick || !match || chosen.seat !== show.seat || match.turn !== show.seat || !match.choices.includes(chosen.choice)) return show
  const card = chosen.choice.split(' ').at(-1)!
  const isHeld = (place: any): boolean => place.place === 'hand' && place.seat === show.seat && place.cards?.includes(card)
  if (!match.places.some(isHeld)) return show
  const lying = match.numbers[trick].map((each: number, seat: number) => (seat === show.seat ? info.pack.indexOf(card) : each))
  const places = match.places.map((place: any) => (isHeld(place) ? { ...place, size: place.size - 1, cards: place.cards.filter((each: string) => each !== card) } : place))
  return { ...show, match: { ...match, places, numbers: { ...match.numbers, [trick]: lying }, turn: null, choices: [], refused: {}, ask: '' } }
}
