// Texts in Fluent. Those of the page are in words/en.ftl and words/sv.ftl; those of the table and of each game come from the server. English is
// bundled with the page; another language is fetched when it is selected.

import { FluentBundle, FluentResource, type FluentFunction, type FluentVariable } from '@fluent/bundle'
import en from '../words/en.ftl?raw'
import { memory } from './memory.svelte'

export type Values = Record<string, FluentVariable>

/** ``VERB($you, "play", "plays")``: the verb in the second or the third person. */
const VERB: FluentFunction = ([you, second, third]) => (String(you?.valueOf()) === 'yes' ? second : third)

/** Messages of one language by their ids. Later sources override earlier ones. */
export class Words {
  private readonly bundle: FluentBundle

  constructor(tongue: string, ...sources: string[]) {
    this.bundle = new FluentBundle(tongue, { useIsolating: false, functions: { VERB } })
    for (const source of sources) this.bundle.addResource(new FluentResource(source), { allowOverrides: true })
  }

  has(id: string): boolean {
    return this.bundle.hasMessage(id)
  }

  /** A message formatted with these values; its id if there is no such message, empty if it has no such attribute. */
  text(id: string, values: Values = {}, attribute = ''): string {
    const message = this.bundle.getMessage(id)
    if (!message) return attribute ? '' : id
    const pattern = attribute ? message.attributes[attribute] : message.value
    // With an error list, a missing value is shown as a placeholder; without one, formatting would throw.
    return pattern ? this.bundle.formatPattern(pattern, values, []).trim() : ''
  }
}

const own: Record<string, Words> = { en: new Words('en', en) }
const ELSEWHERE = { sv: () => import('../words/sv.ftl?raw') }
const atTable: Record<string, string> = {}

export function language(): 'en' | 'sv' {
  return memory.language || (navigator.language.startsWith('sv') ? 'sv' : 'en')
}

/** Words from the server: ``table``, or a game by its name. */
export async function serverWords(of: string, tongue: string): Promise<string> {
  const answer = await fetch(`/words/${of}/${tongue}.ftl`)
  if (!answer.ok) throw new Error(answer.statusText)
  return answer.text()
}

/** Fetch the words of the page and of the table in the reader's language. If that fails, the page uses English, or shows ids. */
export async function fetched(): Promise<void> {
  const tongue = language()
  const page = async (): Promise<void> => {
    if (tongue !== 'en') own[tongue] ??= new Words(tongue, (await ELSEWHERE[tongue]()).default)
  }
  const table = async (): Promise<void> => {
    atTable[tongue] ??= await serverWords('table', tongue)
  }
  await Promise.allSettled([page(), table()])
}

/** The words of the table, for any game. */
export const tableWords = (tongue: string): string => atTable[tongue] ?? ''

/** A number with one decimal, in the reader's locale; never -0.0. */
export function decimal(value: number): string {
  const rounded = Math.round(value * 10) / 10
  return new Intl.NumberFormat(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(rounded === 0 ? 0 : rounded)
}

/** A list of names: Ann, Bo and Cid. */
export const listed = (names: string[]): string => new Intl.ListFormat(language() === 'en' ? 'en-GB' : language()).format(names)

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The words of the page for an id, in the reader's language. */
export function say(id: string, values: Values = {}): string {
  const words = own[language()]?.has(id) ? own[language()] : own.en
  return words.text(id, values)
}
