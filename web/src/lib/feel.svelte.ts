// What a table does by itself when its state changes: cards fly, tones sound, and, if that is wished, the only choice is made.

import { untrack } from 'svelte'
import { now } from './clock'
import { matchOf } from './match'
import { memory } from './memory.svelte'
import { arrive, isLive, look, move, type Before } from './motion'
import { sound } from './sound'
import type { Show } from './types'

interface Table {
  show: Show
  isMyTurn: boolean
  /** A match that is only looked at: its steps are new whenever they happened. */
  isFilm: boolean
  /** How many cards lie on the table. */
  lying: number
}

/** To be called once by the component of a table. What it gives back is to be called at every input. */
export function feel(table: () => Table, choose: (choice: string) => void): () => void {
  let before: Before = new Map()
  let seen: Show | null = null
  $effect.pre(() => {
    void table().show.seq
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

  // The only choice is made after a time that tells nothing; any input stops it.
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
