// The log of a table: what has happened, and the chat.

import type { Event, Message, News, Past } from './types'

/** An entry of the log, as it is shown. */
export interface Entry {
  key: number
  kind: string
  by: number
  events: Event[]
  message: Message | null
  text: string
}

/** An entry as one seat has learnt it, up to entry ``seq`` of the server's log. Only what is new is announced to screen readers. */
export interface Learnt extends Entry {
  seat: number
  seq: number
  isNew: boolean
}

/** The number of latest entries that are kept (the whole match is in its replay); chat is kept longer. */
const KEPT = 200
const latest = (log: Learnt[]): Learnt[] => log.filter((each, at) => at >= log.length - (each.kind === 'said' ? 5 : 1) * KEPT)

let keys = 0
const entries = (views: { seat: number; news?: News[] }[], seq: number, isNew: boolean): Learnt[] =>
  views.flatMap(({ seat, news = [] }) => news.map((each) => ({ kind: 'happened', by: -1, events: [], message: null, text: '', ...each, key: ++keys, seat, seq, isNew })))

/** The log after the news of a frame. */
export function withNews(log: Learnt[], views: { seat: number; news?: News[] }[], seq: number, isNew: boolean): Learnt[] {
  const added = entries(views, seq, isNew)
  return added.length ? latest([...log, ...added]) : log
}

/** The log with the past up to entry ``seq`` as the server recalls it, which replaces what is known of that time. */
export const withPast = (log: Learnt[], past: Past[], seq: number): Learnt[] => latest([...entries(past, seq, false), ...log.filter((each) => each.seq > seq)])
