// The server's time, as its answers over HTTP tell it: a clock in this browser may be wrong by hours.

let ahead = 0

export function toldTheTime(date: string | null): void {
  // The header has whole seconds: it is about half a second old.
  if (date) ahead = Date.parse(date) + 500 - Date.now()
  if (Math.abs(ahead) < 1500) ahead = 0
}

export const now = (): number => Date.now() + ahead
