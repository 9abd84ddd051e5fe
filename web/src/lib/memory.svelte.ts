// What this browser remembers: who I am, how I like it, and the tables I sit at (with the tokens that prove it).

export interface Kept {
  token: string
  game: string
  title: string
  at: number
}

interface Memory {
  name: string
  theme: '' | 'light' | 'dark'
  deck: 'four' | 'two' | 'four-small' | 'two-small'
  language: '' | 'en' | 'sv'
  sort: 'suit' | 'rank' | 'hand'
  tables: Record<string, Kept>
}

const KEY = 'kortlek'
const FRESH: Memory = { name: '', theme: '', deck: 'four', language: '', sort: 'suit', tables: {} }

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
