// Optimistic display: a card that was played is shown on the table before the server confirms it, as it was offered as legal. If the choice is
// refused, the last show is displayed again.

import type { Game } from './games'
import { argument, numbersOf, placesOf } from './match'
import type { Show } from './show'

export interface Chosen {
  id: string
  seat: number
  choice: string
  /** Its number in the log, once it is known. */
  done?: number
}

/** The expected table after a choice, in the simple case of a card that moves from the hand to the trick; otherwise the table as it is. */
export function imagined(show: Show, chosen: Chosen | null, game: Game | undefined): Show {
  const { match } = show
  const trick = game?.parts.trick
  const offer = chosen && chosen.seat === show.seat ? match?.legal.find((each) => each.choice === chosen.choice) : undefined
  const number = offer && argument(offer, 'card')
  if (!match || !game || !trick || number === undefined || match.turn !== show.seat || match.phase !== (game.parts.play ?? 'play')) return show
  const card = game.deck.name(number)
  const [hand] = placesOf(match, 'hand', show.seat)
  if (!hand?.cards?.includes(card)) return show
  const places = { ...match.places, [`hand/${show.seat}`]: { ...hand, size: hand.size - 1, cards: hand.cards.filter((each) => each !== card) } }
  const lying = numbersOf(match, trick).map((each, seat) => (seat === show.seat ? number : each))
  return { ...show, match: { ...match, places, numbers: { ...match.numbers, [trick]: lying }, turn: null, legal: [], waiting: [], explained: null } }
}
