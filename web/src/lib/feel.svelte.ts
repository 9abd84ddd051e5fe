// Automatic effects of a state change: cards are animated, tones are played and, if enabled, the only legal choice is made.

import { untrack } from 'svelte'
import { now } from './clock'
import { matchOf } from './match'
import { memory } from './memory.svelte'
import { arrive, isLive, look, move, type Before } from './motion'
import { sound } from './sound'
import type { Show } from './show'

interface Table {
  show: Show
  isMyTurn: boolean
  /** Whether this is a film: its steps are animated whatever their age. */
  isFilm: boolean
  /** The number of cards on the table. */
  lying: number
}

/** Call once in the component of a table, and call the returned function on every input. */
export function feel(table: () => Table, choose: (choice: string) => void): () => void {
  let before: Before = new Map()
  let seen: Show | null = null
  const seq = $derived(table().show.seq)
  $effect.pre(() => {
    void seq
    untrack(() => (before = look()))
  })
  $effect(() => {
    const { show, isFilm } = table()
    untrack(() => {
      const events = !seen ? 1 : seen.seat === show.seat ? show.seq - seen.seq : 0
      seen = show
      if (isLive(events, isFilm ? 0 : now() - show.at)) move(before)
    })
  })

  const isMyTurn = $derived(table().isMyTurn)
  const lying = $derived(table().lying)
  $effect(() => {
    if (isMyTurn) sound('turn')
  })
  $effect(() => {
    if (lying) sound('card')
  })

  // The only choice is made after a random delay, which reveals nothing; any input cancels it.
  let forced = 0
  $effect(() => {
    const [only, ...others] = matchOf(table().show).legal
    if (!memory.forced || !isMyTurn || only === undefined || others.length) return
    forced = window.setTimeout(() => choose(only.choice), 800 + Math.random() * 800)
    return () => clearTimeout(forced)
  })

  return () => {
    clearTimeout(forced)
    arrive()
  }
}
