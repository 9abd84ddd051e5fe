// At which table we listen: who is there, and with which pack.

import type { Heard } from './hearing'

export const table: Heard = $state({ names: [], deck: '' })

export function listenTo(names: string[], deck = ''): void {
  if (names.join('\n') !== table.names.join('\n')) table.names = names
  table.deck = deck
}
