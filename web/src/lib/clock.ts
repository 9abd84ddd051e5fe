// The server's time, from the Date header of its responses: the local clock may be wrong by hours.

let ahead = 0

export function toldTheTime(date: string | null): void {
  // The header has whole seconds, so it is half a second old on average.
  if (date) ahead = Date.parse(date) + 500 - Date.now()
  if (Math.abs(ahead) < 1500) ahead = 0
}

export const now = (): number => Date.now() + ahead
