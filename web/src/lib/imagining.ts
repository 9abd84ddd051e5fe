// Optimistic display: a card that was played is shown on the table before the server confirms it, as it was offered as legal. If the choice is
// refused, the last show is displayed again.

import type { Game } from './games'
import { matchOf } from './match'
import type { Place, Show } from './types'

export interface Chosen {
  id: string
  seat: number
  choice: string
  /** Its number in the log, once it is known. */
  done?: number
}

/** The expected table after a choice, in the simple case of a card that moves from the hand to the trick; otherwise the table as it is. */
export function imagined(show: Show, chosen: Chosen | null, game: Game | undefined): Show {
  const trick = game?.parts.trick
  const match = matchOf(show)
  const offer = chosen && chosen.seat === show.seat ? match?.legal.find((each) => each.choice === chosen.choice) : undefined
  if (!offer || !game || !trick || match.turn !== show.seat || match.phase !== (game.parts.play ?? 'play') || offer.args.card === undefined) return show
  const card = game.deck.name(offer.args.card)
  const isHeld = (place: Place): boolean => place.place === 'hand' && place.seat === show.seat && !!place.cards?.includes(card)
  if (!match.places.some(isHeld)) return show
  const lying = match.numbers[trick].map((each: number, seat: number) => (seat === show.seat ? offer.args.card : each))
  const places = match.places.map((place) => (isHeld(place) ? { ...place, size: place.size - 1, cards: place.cards!.filter((each) => each !== card) } : place))
  return { ...show, match: { ...match, places, numbers: { ...match.numbers, [trick]: lying }, turn: null, legal: [], refused: [], waiting: [] } }
}
