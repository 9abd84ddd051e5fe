// Queries on a match: its alternatives and its teams.

import type { Alternative, Match, Show } from './types'

/** The match of a table at which a match has begun. */
export const matchOf = (show: Show): Match => show.match!

/** The first alternative with this verb and these arguments. */
export const find = <T extends Alternative>(offers: T[], verb: string, args: Record<string, unknown> = {}): T | undefined =>
  offers.find((each) => each.verb === verb && Object.entries(args).every(([name, value]) => each.args[name] === value))

/** Whether the seats play in teams. */
export const hasTeams = (match: Match): boolean => new Set(match.teams).size > 1 && new Set(match.teams).size < match.players
