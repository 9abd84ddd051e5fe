// What may be chosen in a match, and who plays together.

import type { Alternative, Match, Show } from './types'

/** The match of a table where one is played, or has been. */
export const matchOf = (show: Show): Match => show.match!

/** The first alternative with a verb, about these things. */
export const find = <T extends Alternative>(offers: T[], verb: string, args: Record<string, unknown> = {}): T | undefined =>
  offers.find((each) => each.verb === verb && Object.entries(args).every(([name, value]) => each.args[name] === value))

/** Whether several seats play together, against others. */
export const hasTeams = (match: Match): boolean => new Set(match.teams).size > 1 && new Set(match.teams).size < match.players
