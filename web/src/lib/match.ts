// Queries on a match: its alternatives, its places and numbers, and its teams.

import type { Show, ShownMatch } from './show'
import type { Alternative, Argument, Match, Place } from './types'

/** The match of a table at which a match has begun. */
export const matchOf = (show: Show): ShownMatch => show.match!

/** The first alternative with this verb and these arguments. */
export const find = <T extends Alternative>(offers: T[], verb: string, args: Record<string, unknown> = {}): T | undefined =>
  offers.find((each) => each.verb === verb && Object.entries(args).every(([name, value]) => each.args[name] === value))

/** An argument that is a number, such as a card, a seat or a count. */
export function argument(about: { args: Record<string, Argument> }, name: string): number | undefined {
  const value = about.args[name]
  return typeof value === 'number' ? value : undefined
}

/** The places of a field; with a seat, only those of this seat, team or pile. */
export const placesOf = (match: Match, field: string, seat?: number): Place[] =>
  Object.values(match.places).filter((place) => place.place === field && (seat === undefined || place.seat === seat))

/** The value of a field with one number; -1 if the game has no such field. */
export function numberOf(match: Match, field: string): number {
  const value = match.numbers[field]
  return typeof value === 'number' ? value : -1
}

/** The values of a field with a number for each seat, suit or spot; empty if the game has no such field. */
export function numbersOf(match: Match, field: string): number[] {
  const value = match.numbers[field]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'number') : []
}

/** Whether the seats play in teams. */
export const hasTeams = (match: Match): boolean => new Set(match.teams).size > 1 && new Set(match.teams).size < match.players
