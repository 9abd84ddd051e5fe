// Every word of the page, through Fluent: one file for each language, and another for what the server says (heard.ts). English comes
// with the page; another language is fetched when it is spoken.

import { FluentBundle, FluentResource, type FluentVariable } from '@fluent/bundle'
import en from '../words/en.ftl?raw'
import heardEn from '../words/heard.en.ftl?raw'
import { memory } from './memory.svelte'

const bundles: Record<string, FluentBundle> = {}
export const heardWords: Record<string, string> = {}
const ELSEWHERE = { sv: () => Promise.all([import('../words/sv.ftl?raw'), import('../words/heard.sv.ftl?raw')]) }

function learn(tongue: string, own: string, heard: string): void {
  bundles[tongue] = new FluentBundle(tongue, { useIsolating: false })
  bundles[tongue].addResource(new FluentResource(own))
  heardWords[tongue] = heard
}
learn('en', en, heardEn)

export function language(): 'en' | 'sv' {
  return memory.language || (navigator.language.startsWith('sv') ? 'sv' : 'en')
}

/** Fetches the words of the reader's language; nothing, if they are here. If they cannot be had, the page speaks English. */
export function fetched(): Promise<void> | undefined {
  const tongue = language()
  if (tongue in bundles || tongue === 'en') return undefined
  return ELSEWHERE[tongue]().then(
    ([own, heard]) => learn(tongue, own.default, heard.default),
    () => {},
  )
}

/** A number with one decimal, as the reader writes it. */
export const decimal = (value: number): string => new Intl.NumberFormat(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)

/** Names as one says them: Ann, Bo and Cid. */
export const listed = (names: string[]): string => new Intl.ListFormat(language() === 'en' ? 'en-GB' : language()).format(names)

/** The words of an id, in the reader's language. */
export function say(id: string, values: Record<string, FluentVariable> = {}): string {
  for (const tongue of [language(), 'en']) {
    const pattern = bundles[tongue]?.getMessage(id)?.value
    if (pattern) return bundles[tongue].formatPattern(pattern, values)
  }
  return id
}
