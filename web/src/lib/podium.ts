// The final ranking. The winners are known; their points show whether high or low scores are better.

import { hasTeams } from './match'
import type { Match } from './types'

export interface Standing {
  /** One player, or the players of a team. */
  seats: number[]
  score: number
  place: number
}

const mean = (numbers: number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length

/** Whether the match was won by teams; not if partners changed from deal to deal. */
export const wonByTeams = (match: Match): boolean =>
  hasTeams(match) && match.teams.every((team) => new Set(match.teams.flatMap((each, seat) => (each === team ? [match.winners.includes(seat)] : []))).size === 1)

/** Winners first, then by points; teams as one entry, with the points that they share, or else their sum. */
export function standings(match: Match): Standing[] {
  const seats = match.score.map((_, seat) => seat)
  const groups = wonByTeams(match) ? [...new Set(match.teams)].map((team) => seats.filter((seat) => match.teams[seat] === team)) : seats.map((seat) => [seat])
  const found = groups.map((seats) => {
    const scores = seats.map((seat) => match.score[seat])
    const score = new Set(scores).size === 1 ? scores[0] : scores.reduce((sum, each) => sum + each, 0)
    return { seats, score, won: seats.some((seat) => match.winners.includes(seat)) }
  })
  const [winners, others] = [found.filter((each) => each.won), found.filter((each) => !each.won)]
  const direction = winners.length && others.length && mean(winners.map((each) => each.score)) < mean(others.map((each) => each.score)) ? -1 : 1
  type One = (typeof found)[0]
  const better = (a: One, b: One): number => Number(b.won) - Number(a.won) || direction * (b.score - a.score)
  return [...found].sort(better).map((each) => ({ seats: each.seats, score: each.score, place: 1 + found.filter((other) => better(other, each) < 0).length }))
}
