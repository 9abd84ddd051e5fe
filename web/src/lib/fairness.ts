// The deals of a table, verified from what this browser kept (docs/records.md: seeds of a table, and how to verify a deal). No request is made here.

import { hmac, joined, sha256 } from './sha256'
import type { Values } from './words'

/** What this browser kept of a match: the promise that it saw first, the numbers that it sent (by the seat of that moment), and what it saw later. */
export interface Kept {
  promise: string
  numbers: Record<number, string>
  /** Another promise that was shown for the same match. */
  changed?: string
  /** Numbers that were shown for this person's seats, but that this browser did not send. */
  strange?: string[]
  /** This person's seats, and those of bots, when this browser first saw the match. */
  seats?: number[]
  bots?: number[]
  over?: boolean
}

/** What was found: that something is right, that it cannot be told, or that it is wrong. The id is one of the page's words. */
export interface Finding {
  kind: 'yes' | 'note' | 'no'
  id: string
  values?: Values
}

/** A match as this browser knows it, beside the record: where it was played, what the pack is, and how it ended. */
export interface Known {
  code: string
  match: number
  pack: string[]
  score: number[]
  kept: Kept | undefined
}

interface Seed {
  code: string
  match: string
  secret: Uint8Array
  numbers: string[]
}

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)
const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const unhex = (digits: string): Uint8Array => Uint8Array.from(digits.match(/../g) ?? [], (byte) => parseInt(byte, 16))

/** A whole number as big-endian bytes. */
function whole(number: number, bytes: 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes))
  view.setUint32(bytes - 4, number)
  return new Uint8Array(view.buffer)
}

/** Each part after its length. */
const listed = (...parts: Uint8Array[]): Uint8Array => joined(...parts.flatMap((part) => [whole(part.length, 4), part]))

export const promiseOf = (code: string, match: string, secret: Uint8Array): string => hex(sha256(listed(ascii('kortlek fair 2 promise'), ascii(code), ascii(match), secret)))

const keyOf = ({ code, match, secret, numbers }: Seed): Uint8Array => hmac(secret, listed(ascii('kortlek fair 2 key'), ascii(code), ascii(match), ...numbers.map(ascii)))

function* wordsOf(key: Uint8Array): Generator<number> {
  for (let k = 0; ; k++) {
    const block = new DataView(hmac(key, whole(k, 8)).buffer)
    for (let at = 0; at < block.byteLength; at += 4) yield block.getUint32(at)
  }
}

/** The items in the order in which the key of an event shuffles them. */
function shuffled<T>(sorted: T[], key: Uint8Array): T[] {
  const items = [...sorted]
  const words = wordsOf(key)
  for (let i = 0; i < items.length - 1; i++) {
    const n = items.length - i
    let product: number
    do product = words.next().value! * n
    while (product % 2 ** 32 < 2 ** 32 % n)
    const other = i + Math.floor(product / 2 ** 32)
    ;[items[i], items[other]] = [items[other], items[i]]
  }
  return items
}

function seedIn(text: unknown): Seed | null {
  const found = /^fair 2 (\S+) ([1-9]\d*) ([0-9a-f]{64}) (\[(?:"[0-9a-f]{0,64}"(?:,(?="))?)*\])$/.exec(String(text))
  return found && { code: found[1], match: found[2], secret: unhex(found[3]), numbers: JSON.parse(found[4]) }
}

/** Everything that can be said about the record of a finished match. */
export function findings(line: string, known: Known): Finding[] {
  const record = JSON.parse(line)
  const seed = seedIn(record.seed)
  if (!seed) return [/^fair 1 /.test(String(record.seed)) ? { kind: 'note', id: 'note-first-scheme' } : { kind: 'no', id: 'no-seed' }]
  return [...aboutPromise(seed, known), ...aboutNumbers(seed, known), ...aboutDeals(record.events, seed, known.pack), ...aboutEnd(record, known)]
}

function aboutPromise(seed: Seed, { code, match, kept }: Known): Finding[] {
  if (seed.code !== code || seed.match !== String(match)) return [{ kind: 'no', id: 'no-match', values: { table: seed.code, match: seed.match } }]
  if (!kept) return [{ kind: 'note', id: 'note-unseen' }]
  const isKept = promiseOf(seed.code, seed.match, seed.secret) === kept.promise
  return [
    isKept ? { kind: 'yes', id: 'yes-promise', values: { table: code, match } } : { kind: 'no', id: 'no-promise' },
    ...(kept.changed ? [{ kind: 'no', id: 'no-changed' } as const] : []),
  ]
}

function aboutNumbers({ numbers }: Seed, { kept }: Known): Finding[] {
  const own = Object.values(kept?.numbers ?? {})
  const ofBots = (kept?.bots ?? []).filter((seat) => numbers[seat])
  return [
    ...(kept?.seats ?? []).map((seat): Finding => {
      const used = numbers[seat]
      if (used && own.includes(used)) return { kind: 'yes', id: 'yes-number', values: { seat: seat + 1 } }
      if (used && kept!.strange?.includes(used)) return { kind: 'note', id: 'note-strange', values: { seat: seat + 1 } }
      if (!used && !own.length) return { kind: 'note', id: 'note-no-number', values: { seat: seat + 1 } }
      return { kind: 'no', id: used ? 'no-other-number' : 'no-number', values: { seat: seat + 1 } }
    }),
    ...ofBots.map((seat): Finding => ({ kind: 'no', id: 'no-bot', values: { seat: seat + 1 } })),
  ]
}

function aboutDeals(events: string[], seed: Seed, pack: string[]): Finding[] {
  const key = keyOf(seed)
  const place = new Map(pack.map((card, at) => [card, at]))
  const chances = events.map((event) => event.split(' ')).filter(([what]) => what === 'lots' || what === 'deal')
  for (const [number, [what, ...items]] of chances.entries()) {
    const order = (item: string): number => (what === 'lots' ? Number(item) : (place.get(item) ?? NaN))
    const due = shuffled(items.map(order).sort((a, b) => a - b), hmac(key, whole(number, 8)))
    // A card that is not in the pack is NaN, which is equal to nothing.
    if (!items.every((item, at) => order(item) === due[at])) return [{ kind: 'no', id: 'no-deal', values: { number: number + 1 } }]
  }
  const first = chances.find(([what]) => what === 'deal')?.slice(1) ?? []
  const copies = pack.map((card) => first.filter((each) => each === card).length)
  const isWhole = copies.every((many) => many === copies[0])
  return [{ kind: 'yes', id: 'yes-deals', values: { many: chances.length } }, ...(isWhole ? [] : [{ kind: 'note', id: 'note-pack' } as const])]
}

function aboutEnd(record: { result: { scores: number[] } | null }, { score }: Known): Finding[] {
  return String(record.result?.scores) === String(score) ? [] : [{ kind: 'no', id: 'no-end' }]
}
