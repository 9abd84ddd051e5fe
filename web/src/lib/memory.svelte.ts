// What this browser remembers: who I am, how I like it, and the tables I sit at (with the tokens that prove it).

export interface Kept {
  token: string
  game: string
  title: string
  at: number
  /** The hand as it was sorted by hand. */
  order?: string[]
}

interface Memory {
  name: string
  theme: '' | 'light' | 'dark'
  deck: 'four' | 'two' | 'four-small' | 'two-small'
  language: '' | 'en' | 'sv'
  sort: 'suit' | 'rank' | 'hand'
  /** Whether a choice that is the only one is made by itself. */
  forced: boolean
  sound: boolean
  /** How fast a match is played back, 1 to 5. */
  speed: number
  /** Whether bots that are watched say what they think. */
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
    // A private window may forget; the game goes on.
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
