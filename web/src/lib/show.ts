// The table as one seat sees it: what the components are given, composed from what the server has sent.

import type { Explanation, Match, Sheet, Table, View } from './types'

/** The table and the views by seat (-1: a spectator) after entry ``seq`` of the log. */
export interface Known {
  seq: number
  at: number
  table: Table
  views: Record<number, View>
}

/** A match and its explanation, once that has been received. */
export interface ShownMatch extends Match {
  explained: Explanation | null
}

/** The table as one seat sees it. ``yours`` are the seats of this client, ``owner`` tells whether the table is hers. */
export interface Show extends Omit<Table, 'owner'> {
  seat: number
  seq: number
  at: number
  yours: number[]
  owner: boolean
  match: ShownMatch | null
  sheet: Sheet | null
}

/** The seats of a client, which sees the table from these viewpoints. */
export const seatsOf = (views: View[]): number[] => views.map((view) => view.seat).filter((seat) => seat >= 0)

/** The table as a seat of this person sees it. */
export function showOf({ seq, at, table, views }: Known, seat: number, person: number, explained: Explanation | null): Show {
  const { match = null, sheet = null } = views[seat]
  const yours = seatsOf(Object.values(views))
  return { ...table, seat, seq, at, yours, owner: person >= 0 && person === table.owner, match: match && { ...match, explained }, sheet }
}
