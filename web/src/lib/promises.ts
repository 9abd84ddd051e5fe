// Promises of the tables and this browser's answers to them, kept here so that the server cannot change them later. As soon as a new promise is
// seen, a random number is drawn for each seat of one's own, kept, and sent.

import { tell } from './api'
import type { Finding, Kept } from './fairness'
import type { Table } from './types'
import type { Wire } from './wire.svelte'

type Seen = Pick<Table, 'status' | 'seats' | 'match_number' | 'promise' | 'commitment'>
type ByMatch = Record<number, Kept>

const KEY = 'kortlek-promises'
const TABLES = 40
const MATCHES = 30
/** How long a start waits for the numbers of others who are connected, in milliseconds. */
const PATIENCE = 1500

let all: Record<string, ByMatch> = read()
addEventListener('storage', (event) => event.key === KEY && (all = read()))

function read(): Record<string, ByMatch> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}

function write(): void {
  for (const old of Object.keys(all).slice(0, -TABLES)) delete all[old]
  for (const matches of Object.values(all)) for (const old of Object.keys(matches).slice(0, -MATCHES)) delete matches[Number(old)]
  try {
    localStorage.setItem(KEY, JSON.stringify(all))
  } catch {
    // Storage may be unavailable in a private window; then they are kept until the page is left.
  }
}

export const keptOf = (code: string, match: number): Kept | undefined => all[code]?.[match]

/** Change what is kept of a match, and store it if it is different. */
function keep(code: string, match: number, promise: string, change: (kept: Kept) => void): Kept {
  const before = JSON.stringify(all[code]?.[match])
  const kept = ((all[code] ??= {})[match] ??= { promise, numbers: {} })
  if (promise !== kept.promise) kept.changed = promise
  change(kept)
  if (JSON.stringify(kept) !== before) {
    const { [code]: matches, ...others } = all
    all = { ...others, [code]: matches } // the tables used last are kept
    write()
  }
  return kept
}

const random = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Keep what a table says about this match and the next, and answer the promise of the next one. Resolves when the answers have arrived. */
export async function attend(code: string, table: Seen, yours: number[], token: string): Promise<void> {
  if (table.match_number) {
    const seen = keptOf(code, table.match_number)
    // Only a promise that was seen before the match is worth anything.
    if (seen) {
      keep(code, table.match_number, table.commitment, (kept) => {
        kept.seats ??= yours
        kept.bots ??= table.seats.flatMap((seat, at) => (seat.level ? [at] : []))
        if (table.status === 'over') kept.over = true
      })
    }
  }
  const next = keep(code, table.match_number + 1, table.promise, (kept) => {
    kept.numbers = Object.fromEntries(Object.entries(kept.numbers).filter(([seat]) => yours.includes(Number(seat))))
    for (const seat of yours) {
      const { luck } = table.seats[seat]
      if (luck && !Object.values(kept.numbers).includes(luck) && !kept.strange?.includes(luck)) kept.strange = [...(kept.strange ?? []), luck]
      if (!luck && table.status !== 'playing' && !kept.changed) kept.numbers[seat] ??= random()
    }
  })
  if (table.status === 'playing' || next.changed) return
  const unsent = yours.filter((seat) => !table.seats[seat].luck)
  await Promise.all(unsent.map((seat) => send(code, token, seat, next)))
}

const underWay = new Map<string, Promise<unknown>>()

/** Send the number of a seat, once at a time. If it does not arrive, the next change of the table is the occasion to try again. */
function send(code: string, token: string, seat: number, { promise, numbers }: Kept): Promise<unknown> {
  const id = `${promise}/${seat}`
  const sent = underWay.get(id) ?? tell(code, token, { do: 'add', seat, promise, luck: numbers[seat] }).catch(() => {}).finally(() => underWay.delete(id))
  underWay.set(id, sent)
  return sent
}

const beginning = new WeakSet<Wire>()

/** Begin a match, as soon as everyone who is connected has sent a number; without those who take too long. */
export async function begin(wire: Wire, rotate = 0): Promise<void> {
  if (beginning.has(wire)) return
  beginning.add(wire)
  const until = Date.now() + PATIENCE
  const isWaiting = (): boolean => !!wire.known?.table.seats.some((seat) => !seat.free && !seat.level && seat.here && !seat.luck)
  while (isWaiting() && Date.now() < until) await new Promise((done) => setTimeout(done, 40))
  beginning.delete(wire)
  wire.send({ do: 'start', rotate })
}

/** The matches before this one whose promise was answered here, and of which no end was seen. */
export function unended(code: string, match: number): Finding[] {
  const lost = Object.entries(all[code] ?? {}).filter(([number, kept]) => Number(number) < match && !kept.over && Object.keys(kept.numbers).length)
  return lost.map(([number]) => ({ kind: 'note', id: 'note-unended', values: { match: number } }))
}
