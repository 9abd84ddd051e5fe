// The positions of the other players' plates on the desktop table, clockwise from the viewer: centre in percent (x, y), by number of players.

export const PLATES: Record<number, [number, number][]> = {
  2: [[50, 9]],
  3: [[31, 10], [69, 10]],
  4: [[11, 41], [50, 9], [89, 41]],
  5: [[11, 44], [30, 9], [70, 9], [89, 44]],
  6: [[11, 48], [18, 14], [50, 9], [82, 14], [89, 48]],
  7: [[11, 52], [11, 22], [36, 9], [64, 9], [89, 22], [89, 52]],
  8: [[11, 54], [11, 28], [26, 9], [50, 9], [74, 9], [89, 28], [89, 54]],
  9: [[11, 56], [11, 34], [11, 12], [37, 9], [63, 9], [89, 12], [89, 34], [89, 56]],
  10: [[11, 57], [11, 37], [11, 17], [31, 9], [50, 9], [69, 9], [89, 17], [89, 37], [89, 57]],
  11: [[11, 58], [11, 42], [11, 26], [11, 10], [37, 9], [63, 9], [89, 10], [89, 26], [89, 42], [89, 58]],
  12: [[11, 58], [11, 42], [11, 26], [11, 10], [31, 9], [50, 9], [69, 9], [89, 10], [89, 26], [89, 42], [89, 58]],
  13: [[11, 58], [11, 42], [11, 26], [11, 10], [30, 9], [43.5, 9], [56.5, 9], [70, 9], [89, 10], [89, 26], [89, 42], [89, 58]],
}

/** The position of a seat's card in the trick, in card widths from the centre. */
export function place(seat: number, me: number, players: number): [number, number] {
  const at = (seat - me + players) % players
  if (players > 5) {
    // A near row with the viewer in its middle, and a far row.
    const beside = Math.floor(players / 4)
    if (at <= beside || at >= players - beside) return [WIDE * (at <= beside ? -at : players - at), 0.86]
    return [WIDE * (at - players / 2), -0.86]
  }
  return TRICK[players][at]
}

/** The same in a row, if the linen is too short for a circle: in turn order, with the viewer's own card in the middle. */
export function inRow(seat: number, me: number, players: number): number {
  const at = (seat - me + players) % players
  const middle = Math.floor(players / 2)
  return (at === 0 ? middle : at <= middle ? at - 1 : at) - (players - 1) / 2
}

const WIDE = 1.1
const TRICK: Record<number, [number, number][]> = {
  2: [[0, 0.8], [0, -0.74]],
  3: [[0, 0.8], [-0.8, -0.62], [0.8, -0.62]],
  4: [[0, 0.8], [-1.2, -0.04], [0, -0.74], [1.2, -0.04]],
  5: [[0, 0.84], [-1.78, 0.3], [-0.6, -0.7], [0.6, -0.7], [1.78, 0.3]],
}
