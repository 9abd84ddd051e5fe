// A film: a match moment by moment, fetched in chunks ahead of the current moment. Fetched moments are cached for each viewpoint.

import { getContext, setContext } from 'svelte'
import { explained } from './messages'
import type { Film, Frame } from './types'

export const OPEN = -2
export const ONLOOKER = -1
/** The number of moments that are fetched ahead. */
const AHEAD = 60
/** Milliseconds between two requests for moments that the bots have not played yet. */
const PAUSE = 700

export type Fetch = (seat: number, from: number, aborted: AbortSignal) => Promise<Film>

/** Mark the components below as a film, not a match in play: visible hands are shown next to their players. */
export const showAsFilm = (): void => void setContext('film', true)
export const isFilm = (): boolean => getContext('film') === true

export class Reel {
  seat = $state(OPEN)
  at = $state(0)
  about: Film | null = $state.raw(null)
  problem = $state('')
  private frames: Record<number, (Frame | undefined)[]> = $state.raw({})
  private running: AbortController | null = null

  constructor(private readonly fetch: Fetch) {}

  /** The moment with this number, if it has been fetched. */
  frame(at: number): Frame | undefined {
    return this.frames[this.seat]?.[at]
  }

  get last(): number {
    return Math.max(0, (this.about?.known ?? 1) - 1)
  }

  /** How many rounds have begun up to a moment. */
  round(at: number): number {
    return Math.max(1, this.about?.rounds.filter((begin) => begin <= at).length ?? 1)
  }

  /** Go to a moment, limited to those that exist. */
  go(at: number): void {
    this.at = Math.max(0, Math.min(this.last, at))
    void this.fill()
  }

  turnRound(by: number): void {
    const rounds = this.about?.rounds ?? [0]
    const now = this.round(this.at) - 1
    if (by < 0) this.go(this.at > rounds[now] ? rounds[now] : (rounds[now - 1] ?? 0))
    else this.go(rounds[now + 1] ?? this.last)
  }

  look(seat: number): void {
    this.seat = seat
    void this.fill(true)
  }

  /** The first moment from here on that has not been fetched, if there is one. */
  private missing(): number | null {
    const until = Math.min(this.at + AHEAD, this.about?.over ? this.last : Infinity)
    for (let at = this.at; at <= until; at++) if (!this.frame(at)) return at
    return null
  }

  /** Fetch the missing moments, one chunk after the other. */
  async fill(again = false): Promise<void> {
    if (this.running && !again) return
    this.running?.abort()
    const mine = (this.running = new AbortController())
    this.problem = ''
    try {
      for (let from = this.missing(); from !== null; from = this.missing()) {
        const seat = this.seat
        const part = await this.fetch(seat, from, mine.signal)
        if (mine.signal.aborted) return
        const kept = [...(this.frames[seat] ?? [])]
        part.frames.forEach((frame, n) => (kept[part.first + n] = frame))
        this.frames = { ...this.frames, [seat]: kept }
        this.about = part
        if (!part.frames.length) {
          if (part.over) break
          await new Promise((resolve) => setTimeout(resolve, PAUSE))
          if (mine.signal.aborted) return
        }
      }
    } catch (error) {
      if (!mine.signal.aborted) this.problem = explained(error)
    }
    if (this.running === mine) this.running = null
  }

  close(): void {
    this.running?.abort()
  }
}
