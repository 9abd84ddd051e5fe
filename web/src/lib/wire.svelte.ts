// The WebSocket connection to a table. It reconnects automatically, receives exactly what it missed, and resends unanswered requests; the
// server applies each message once.

import type { Chosen } from './imagining'
import { withNews, withPast, type Learnt } from './log'
import { merge } from './patches'
import { showOf, type Known, type Show } from './show'
import { PROTOCOL, type AnyRequest, type AnySent, type Explanation, type Hinted, type Match, type Message, type Snapshot, type Step } from './types'

type Asked = AnyRequest extends infer M ? (M extends AnyRequest ? Omit<M, 'id'> : never) : never
/** A request, and the match of its seat when it was sent. */
type Pending = { message: AnyRequest; match: Match | null }

/** The explanation for a client that is refused one. */
const NOTHING: Explanation = { table: [], refused: [], earns: [], drawn: {} }

export class Wire {
  // Raw state: objects are replaced along the path of what has changed, and never mutated.
  known: Known | null = $state.raw(null)
  log: Learnt[] = $state.raw([])
  connected = $state(false)
  lost = $state(false)
  refusal: Message | null = $state.raw(null)
  ended: Message | null = $state.raw(null)
  /** Whether the server speaks another version of the protocol than this page. */
  outdated = $state(false)
  hint: Hinted | null = $state.raw(null)
  /** The last choice of this client, until the server has shown or refused it. */
  chosen: Chosen | null = $state.raw(null)
  private person = $state(-1)
  /** The latest explanation for each seat, and the match that it explains. */
  private explanations: Record<number, { match: Match; told: Explanation }> = $state.raw({})
  private socket: WebSocket | null = null
  private unanswered = new Map<string, Pending>()
  /** Whether the next snapshot is not the continuation of what is known: after a hello, and after a sync. */
  private isBehind = true
  /** The number of the last entry whose news were received. */
  private heard = 0
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

  /** The seats from which this client sees the table (-1: as a spectator). */
  get eyes(): number[] {
    return Object.keys(this.known?.views ?? {}).map(Number)
  }

  /** The table as one of the seats sees it. */
  show(seat: number): Show {
    const about = this.explanations[seat]
    return showOf(this.known!, seat, this.person, about && about.match === this.matchOf(seat) ? about.told : null)
  }

  private matchOf(seat: number): Match | null {
    return this.known?.views[seat]?.match ?? null
  }

  // ---- the connection

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
      socket.send(JSON.stringify({ do: 'hello', protocol: PROTOCOL, token: this.token, since: this.known?.seq }))
      for (const [id, { message }] of this.unanswered) {
        if (message.do === 'sync') this.unanswered.delete(id)
        else socket.send(JSON.stringify(message))
      }
    }
    socket.onmessage = (event) => this.hear(JSON.parse(event.data))
    socket.onclose = () => {
      if (this.socket !== socket) return
      this.connected = false
      if (this.closed || this.ended || this.outdated) return
      this.tries += 1
      if (this.tries > 1) this.lost = true
      this.timer = window.setTimeout(() => this.connect(), Math.min(3000, 150 * 2 ** this.tries))
    }
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    removeEventListener('online', this.now)
    this.socket?.close()
  }

  // ---- what the server sends

  private hear(message: AnySent): void {
    switch (message.type) {
      case 'welcome':
        if (message.protocol !== PROTOCOL) return this.mustReload()
        this.connected = true
        this.lost = false
        this.tries = 0
        this.person = message.person
        this.isBehind = true
        break
      case 'snapshot':
        this.replace(message)
        if (message.done) this.answered(message.done, message.seq)
        break
      case 'step':
        this.follow(message)
        if (message.done) this.answered(message.done, message.seq)
        break
      case 'done':
        this.answered(message.id, message.seq)
        break
      case 'denied':
        this.denied(message.id, message.code, message.message)
        break
      case 'hinted':
        if (this.isAboutNow(message.id, message.seat)) this.hint = message
        this.unanswered.delete(message.id)
        break
      case 'explained':
        if (this.isAboutNow(message.id, message.seat)) this.explain(message.seat, message)
        this.unanswered.delete(message.id)
        break
      case 'recalled':
        this.unanswered.delete(message.id)
        this.log = withPast(this.log, message.views, message.seq)
        break
      case 'bye':
        if (message.code === 'malformed' && !this.connected) this.mustReload()
        else if (message.retry < 0) this.ended = message.message
        break
    }
  }

  private mustReload(): void {
    this.outdated = true
    this.socket?.close()
  }

  private replace({ seq, at, table, views }: Snapshot): void {
    const isContinued = this.known !== null && !this.isBehind
    const hasNews = views.some((view) => view.news?.length)
    this.log = withNews(isContinued || !hasNews ? this.log : [], views, seq, this.known !== null && seq > this.heard)
    this.learn({ seq, at, table, views: Object.fromEntries(views.map(({ seat, match, sheet }) => [seat, { seat, match, sheet }])) })
    this.isBehind = false
    if (!isContinued) this.askOnce({ do: 'history' })
  }

  private follow({ since, seq, at, table, views = [] }: Step): void {
    const known = this.known
    if (since !== known?.seq) {
      if (known && seq > known.seq) {
        this.isBehind = true
        this.askOnce({ do: 'sync' })
      }
      return
    }
    this.log = withNews(this.log, views, seq, seq > this.heard)
    const changed = Object.fromEntries(views.map(({ news: _, ...view }) => [view.seat, view]))
    this.learn({ seq, at, table: merge(known.table, table ?? {}), views: merge(known.views, changed) })
    this.isBehind = false
  }

  private learn(now: Known): void {
    const before = this.hint && this.matchOf(this.hint.seat)
    this.known = now
    this.heard = Math.max(this.heard, now.seq)
    if (this.hint && this.matchOf(this.hint.seat) !== before) this.hint = null
    this.settle()
  }

  private answered(id: string, seq: number): void {
    this.unanswered.delete(id)
    if (this.chosen?.id === id) this.chosen = { ...this.chosen, done: seq }
    this.settle()
  }

  /** Clear the pending choice once the table is known with it. */
  private settle(): void {
    if (this.chosen?.done !== undefined && (this.known?.seq ?? 0) >= this.chosen.done) this.chosen = null
  }

  private denied(id: string, code: string, why: Message): void {
    const asked = this.unanswered.get(id)?.message
    this.unanswered.delete(id)
    if (this.chosen?.id === id) this.chosen = null
    if (asked?.do === 'explain') this.explain(asked.seat, NOTHING)
    else if (asked?.do !== 'history' && asked?.do !== 'sync' && code !== 'stale') this.refusal = why
  }

  /** Whether the match of a seat is still the one that a request was about. What changes it is received before the answer. */
  private isAboutNow(id: string, seat: number): boolean {
    return this.unanswered.has(id) && this.unanswered.get(id)!.match === this.matchOf(seat)
  }

  private explain(seat: number, told: Explanation): void {
    const match = this.matchOf(seat)
    if (match) this.explanations = { ...this.explanations, [seat]: { match, told } }
  }

  // ---- requests

  /** Send a request of the player. */
  send(message: Asked): void {
    this.refusal = null
    const id = this.request(message)
    if (message.do === 'choose') this.chosen = { id, seat: message.seat, choice: message.choice }
  }

  /** Ask for the explanation of the match as a seat sees it, unless it is known or asked for. */
  askToExplain(seat: number): void {
    const match = this.matchOf(seat)
    const isAsked = [...this.unanswered.values()].some((each) => each.message.do === 'explain' && each.message.seat === seat && each.match === match)
    if (match && !isAsked && this.explanations[seat]?.match !== match) this.request({ do: 'explain', seat })
  }

  private askOnce(message: Asked): void {
    if (![...this.unanswered.values()].some((each) => each.message.do === message.do)) this.request(message)
  }

  private request(message: Asked): string {
    const id = crypto.getRandomValues(new Uint32Array(2)).join('-')
    const sent = { ...message, id } as AnyRequest
    this.unanswered.set(id, { message: sent, match: 'seat' in message && message.seat !== undefined && message.seat !== null ? this.matchOf(message.seat) : null })
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(sent))
    return id
  }
}
