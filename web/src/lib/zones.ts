// A table drawn from the declared layout of a game: which places are shown where, and which alternative a tap chooses.

import { plain } from './deck'
import type { Game } from './games'
import { argument, numberOf, numbersOf, placesOf } from './match'
import type { Alternative, Match, Place, ZoneInfo } from './types'
import { say } from './words'

/** A place on the table, with its zone. */
export interface Spot extends Place {
  zone: ZoneInfo
}

/** The names of the places that make up a player's hand. */
const hands = (game: Game): string[] => game.info.layout.zones.filter((zone) => zone.at === 'hand').map((zone) => zone.place)

const handsOf = (game: Game, match: Match, seat: number): Place[] => hands(game).flatMap((field) => placesOf(match, field, seat))
export const held = (game: Game, match: Match, seat: number): number => handsOf(game, match, seat).reduce((sum, place) => sum + place.size, 0)
/** The cards of a hand, as far as they are visible. */
export const cardsOf = (game: Game, match: Match, seat: number): string[] => handsOf(game, match, seat).flatMap((place) => place.cards ?? [])

/** The places of the zones at a position. A zone may also show a field that holds a card, or one card per seat. */
export function spots(game: Game, match: Match, at: string): Spot[] {
  return game.info.layout.zones.filter((zone) => zone.at === at).flatMap((zone) => shownBy(game, match, zone).map((place) => ({ ...place, zone })))
}

function shownBy(game: Game, match: Match, zone: ZoneInfo): Place[] {
  const found = placesOf(match, zone.place)
  if (found.length) return found
  const shown = (card: number, seat: number | null): Place => ({ place: zone.place, seat, size: card < 0 ? 0 : 1, cards: card < 0 ? [] : [game.deck.name(card)] })
  const value = match.numbers[zone.place]
  if (value === undefined) return []
  return typeof value === 'number' ? [shown(value, null)] : numbersOf(match, zone.place).map(shown)
}

export const isOfSeats = (spot: Spot): boolean => spot.seat !== null && spot.zone.per === 'seat'

/** Whether only the top card and the size of a place are shown. Several piles side by side are shown in full. */
export const isPile = (spot: Spot): boolean => spot.cards === null || (spot.zone.form === 'pile' && spot.zone.per !== 'piles')

/** The card that an alternative is about, if it is about one. */
export function cardOf(game: Game, offer: Alternative): string | undefined {
  const card = argument(offer, 'card')
  return card === undefined ? undefined : game.deck.name(card)
}

/** The alternative that a tap chooses, on a card of the place or on the place itself. */
export function tapped(game: Game, offers: Alternative[], spot: Spot, card = ''): Alternative | undefined {
  const { tap, place } = spot.zone
  return offers.find((offer) => {
    const { verb, args } = offer
    const about = Object.keys(args)
    if (tap && verb !== tap) return false
    if (about.length > 1) return false
    const pile = argument(offer, 'pile')
    if (card) return cardOf(game, offer) === card
    if (pile !== undefined) return spot.zone.per === 'piles' && spot.seat === pile - 1
    return tap === verb && (about.length === 0 || args.name === place)
  })
}

/** The alternative that a tap on a pile chooses: that of the place, or of its top card. */
export const tappedPile = (game: Game, offers: Alternative[], spot: Spot): Alternative | undefined =>
  tapped(game, offers, spot) ?? (spot.cards?.length ? tapped(game, offers, spot, spot.cards.at(-1)) : undefined)

/** The alternative about each seat, if there is exactly one. */
export function tappedSeats(offers: Alternative[], players: number): (Alternative | undefined)[] {
  return Array.from({ length: players }, (_, seat) => {
    const about = offers.filter(({ args }) => args.whom === seat)
    return about.length === 1 && Object.keys(about[0].args).length === 1 ? about[0] : undefined
  })
}

/** Whether an alternative is about a card of the hand. It is not if a zone declares its verb, or has all cards of the verb while the hand has not. */
function ofHand(game: Game, match: Match, hand: string[]): (offer: Alternative) => boolean {
  const lying = [...spots(game, match, 'centre'), ...spots(game, match, 'side')]
  const cardsOf = (verb: string): string[] => match.legal.filter((each) => each.verb === verb).flatMap((each) => cardOf(game, each) ?? [])
  const isElsewhere = (verb: string): boolean => {
    const cards = cardsOf(verb)
    if (game.info.layout.zones.some((zone) => zone.at !== 'hand' && zone.tap === verb)) return true
    return !cards.every((card) => hand.includes(card)) && lying.some((spot) => spot.cards && cards.every((card) => spot.cards!.includes(card)))
  }
  const elsewhere = new Set([...new Set(match.legal.map((each) => each.verb))].filter(isElsewhere))
  return (offer) => hand.includes(cardOf(game, offer) ?? '') && !elsewhere.has(offer.verb)
}

/** The alternatives by place: cards of the hand, the table, and buttons for those that no tap chooses. */
export function placed(game: Game, match: Match, cards: string[]): { hand: Alternative[]; table: Alternative[]; buttons: Alternative[] } {
  const isOfHand = ofHand(game, match, cards.map(plain))
  const hand = match.legal.filter(isOfHand)
  const table = match.legal.filter((offer) => !isOfHand(offer))
  const taken = new Set<Alternative | undefined>(tappedSeats(match.legal, match.players))
  for (const spot of [...spots(game, match, 'centre'), ...spots(game, match, 'side'), ...spots(game, match, 'seat')]) {
    if (isPile(spot)) taken.add(tappedPile(game, table, spot))
    else for (const card of ['', ...(spot.cards ?? [])]) taken.add(tapped(game, table, spot, card))
  }
  return { hand, table, buttons: table.filter((offer) => !taken.has(offer)) }
}

/** The text for the value of a field: words for cards, suits and so on; empty while it is unset. */
export function shownValue(game: Game, name: string, value: number, names: string[]): string {
  const holds = game.info.fields[name]?.holds ?? 'count'
  if (holds === 'flag') return value ? '✓' : ''
  if (value < 0 && game.info.fields[name]?.unset) return ''
  if (holds === 'count') return String(value).replace('-', '−')
  if (value < 0) return ''
  if (holds === 'card') return game.deck.written(game.deck.name(value))
  if (holds === 'seat') return names[value] ?? ''
  if (holds === 'suit' || holds === 'rank') return game.words.text(`${holds}-${value}`)
  return ''
}

/** The cards of a hand that its player has already chosen, where all choose together and the cards move later: those in her own card sets. */
export function asideOf(game: Game, match: Match, seat: number, hand: string[]): string[] {
  const sets = Object.entries(game.info.fields).filter(([, field]) => field.holds === 'card set' && field.per === 'seat')
  const chosen = sets.map(([name]) => numbersOf(match, name)[seat]).filter((each) => each > 0)
  return hand.filter((card) => card === plain(card) && chosen.some((set) => Math.floor(set / 2 ** game.deck.number(card)) % 2 === 1))
}

/** The table in words, for a game without texts of its own. */
export function textLines(game: Game, match: Match, me: number, names: string[]): string[] {
  const where: string[] = ['centre', 'side', 'seat', 'hand']
  const lying = where.flatMap((at) => spots(game, match, at)).map((spot) => {
    const whose = spot.seat === null ? '' : isOfSeats(spot) ? `${names[spot.seat]}, ` : ''
    const which = spot.seat !== null && !isOfSeats(spot) ? ` ${spot.seat + 1}` : ''
    const cards = spot.cards && (spot.zone.form !== 'pile' || spot.size < 8) ? spot.cards.map((card) => game.deck.spoken(card)).join(', ') : ''
    return `${whose}${game.label(spot.place)}${which}: ${cards || say('cards-held', { many: spot.size })}`
  })
  const { status, counters } = game.info.layout
  const told = status.map((name) => [game.label(name), shownValue(game, name, numberOf(match, name), names)]).filter(([, value]) => value)
  const seats = names.map((_, n) => (me + n) % names.length).map((seat) => {
    const own = counters.map((name) => [game.label(name), shownValue(game, name, numbersOf(match, name)[seat] ?? -1, names)]).filter(([, value]) => value)
    return [`${names[seat]}: ${say('points', { many: match.score[seat] })}`, ...own.map(([label, value]) => `${label} ${value}`)].join(', ')
  })
  return [...told.map(([label, value]) => `${label}: ${value}`), ...lying, ...seats]
}

/** Whether anything in a place can be tapped now. */
export const canBeTapped = (game: Game, offers: Alternative[], spot: Spot): boolean => !!tappedPile(game, offers, spot) || !!spot.cards?.some((card) => tapped(game, offers, spot, card))
