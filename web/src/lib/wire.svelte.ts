// The WebSocket connection to a table. It reconnects automatically, receives exactly what it missed, and resends unanswered requests; the
// server applies each message once.

import type { Chosen } from './imagining'
import { PROTOCOL, type AnyRequest, type AnySent, type Hinted, type Message, type News, type Show } from './types'

type Asked = AnyRequest extends infer M ? (M extends AnyRequest ? Omit<M, 'id'> : never) : never

/** The number of latest news that are kept (the whole match is in its replay); chat is kept longer. */
const KEPT = 200
const latest = (news: News[]): News[] => news.filter((each, at) => at >= news.length - (each.kind === 'said' ? 5 : 1) * KEPT)

export class Wire {
  // Raw state: received objects are replaced as a whole, and never mutated.
  shows: Record<number, Show> = $state.raw({})
  news: News[] = $state.raw([])
  connected = $state(false)
  lost = $state(false)
  refusal: Message | null = $state.raw(null)
  ended: Message | null = $state.raw(null)
  hint: Hinted | null = $state(null)
  /** The last choice of this client, until the server has shown or refused it. */
  chosen: Chosen | null = $state.raw(null)
  private socket: WebSocket | null = null
  private unanswered = new Map<string, AnyRequest>()
  private seen: number | null = null
  private tries = 0
  private timer = 0
  private closed = false

  constructor(
    readonly code: string,
    readonly token: string,
  ) {
    this.connect()
    addEventListener('online', this.now)
  }

  /** Reconnect at once. */
  now = (): void => {
    if (!this.connected && !this.closed) {
      clearTimeout(this.timer)
      this.tries = 0
      this.connect()
    }
  }

  private connect(): void {
    this.socket?.close()
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/tables/${this.code}/socket`)
    this.socket = socket
    socket.onopen = () => {
      socket.send(JSON.stringify({ do: 'hello', protocol: PROTOCOL, token: this.token, since: this.seen ?? 0 }))
      for (const message of this.unanswered.values()) socket.send(JSON.stringify(message))
    }
    socket.onmessage = (event) => this.hear(JSON.parse(event.data))
    socket.onclose = () => {
      if (this.socket !== socket) return
      this.connected = false
      if (this.closed || this.ended) return
      this.tries += 1
      if (this.tries > 1) this.lost = true
      this.timer = window.setTimeout(() => this.connect(), Math.min(3000, 150 * 2 ** this.tries))
    }
  }

  private hear(message: AnySent): void {
    switch (message.type) {
      case 'welcome':
        this.connected = true
        this.lost = false
        this.tries = 0
        break
      case 'news':
        if (this.seen === null || message.seq > this.seen || message.seat !== this.news.at(-1)?.seat) this.news = [...latest(this.news), message]
        this.seen = Math.max(this.seen ?? 0, message.seq)
        break
      case 'show':
        if (!message.yours.length) this.shows = { [-1]: message }
        else this.shows = Object.fromEntries([...Object.entries(this.shows).filter(([seat]) => message.yours.includes(Number(seat))), [message.seat, message]])
        this.seen = Math.max(this.seen ?? 0, message.seq)
        if (this.hint && this.hint.seq < message.seq) this.hint = null
        this.settle()
        break
      case 'done':
        this.unanswered.delete(message.id)
        if (this.chosen?.id === message.id) this.chosen = { ...this.chosen, done: message.seq }
        this.settle()
        break
      case 'denied':
        this.unanswered.delete(message.id)
        if (this.chosen?.id === message.id) this.chosen = null
        if (message.code !== 'stale') this.refusal = message.message
        break
      case 'hinted':
        this.unanswered.delete(message.id)
        this.hint = message
        break
      case 'bye':
        if (message.retry < 0) this.ended = message.message
        break
    }
  }

  /** Clear the pending choice once a show includes it. */
  private settle(): void {
    if (this.chosen?.done !== undefined && (this.shows[this.chosen.seat]?.seq ?? 0) >= this.chosen.done) this.chosen = null
  }

  send(message: Asked): void {
    const sent = { ...message, id: crypto.getRandomValues(new Uint32Array(2)).join('-') } as AnyRequest
    this.refusal = null
    this.unanswered.set(sent.id!, sent)
    if (sent.do === 'choose') this.chosen = { id: sent.id!, seat: sent.seat, choice: sent.choice }
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(sent))
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    removeEventListener('online', this.now)
    this.socket?.close()
  }
}
