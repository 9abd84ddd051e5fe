// Data stored in this browser: the player's name, the settings, and the tables with their tokens.

export interface Kept {
  token: string
  game: string
  title: string
  at: number
  /** The order of the hand as the player arranged it. */
  order?: string[]
}

interface Memory {
  name: string
  theme: '' | 'light' | 'dark'
  deck: 'four' | 'two' | 'four-small' | 'two-small'
  language: '' | 'en' | 'sv'
  sort: 'suit' | 'rank' | 'hand'
  /** Whether the only legal choice is made automatically. */
  forced: boolean
  sound: boolean
  /** The playback speed of films, 1 to 5. */
  speed: number
  /** Whether films of bots show their evaluations. */
  thoughts: boolean
  tables: Record<string, Kept>
}

const KEY = 'kortlek'
const FRESH: Memory = { name: '', theme: '', deck: 'four', language: '', sort: 'suit', forced: false, sound: false, speed: 2, thoughts: false, tables: {} }

function read(): Memory {
  try {
    return { ...FRESH, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') }
  } catch {
    return { ...FRESH }
  }
}

export const memory: Memory = $state(read())

export function remember(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(memory))
  } catch {
    // Storage may be unavailable in a private window; the game works without it.
  }
}

export function keep(code: string, kept: Kept): void {
  memory.tables[code] = kept
  const codes = Object.keys(memory.tables).sort((a, b) => memory.tables[b].at - memory.tables[a].at)
  for (const old of codes.slice(30)) delete memory.tables[old]
  remember()
}

export function showTheme(): void {
  const dark = memory.theme === 'dark' || (memory.theme === '' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
}
