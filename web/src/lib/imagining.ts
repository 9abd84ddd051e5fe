// A card that was played lies on the table at once, before the server has said so: it told us that the card may be played. If it does not come
// about after all, what was shown is what is.

import type { Game } from './games'
import { matchOf } from './match'
import type { Place, Show } from './types'

export interface Chosen {
  id: string
  seat: number
  choice: string
  /** Where it is in the log, when that is known. */
  done?: number
}

/** The table as it will be when a choice has been made, as far as that is plain to see: a card of the hand lies in the trick. */
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
