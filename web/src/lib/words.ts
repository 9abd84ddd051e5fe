// Every word of the page, through Fluent: one file for each language.

import { FluentBundle, FluentResource, type FluentVariable } from '@fluent/bundle'
import en from '../words/en.ftl?raw'
import sv from '../words/sv.ftl?raw'
import { memory } from './memory.svelte'

const bundles: Record<string, FluentBundle> = {}
for (const [language, text] of Object.entries({ en, sv })) {
  const bundle = new FluentBundle(language, { useIsolating: false })
  bundle.addResource(new FluentResource(text))
  bundles[language] = bundle
}

export function language(): 'en' | 'sv' {
  return memory.language || (navigator.language.startsWith('sv') ? 'sv' : 'en')
}

/** The words of an id, in the reader's language. */
export function say(id: string, values: Record<string, FluentVariable> = {}): string {
  for (const tongue of [language(), 'en']) {
    const pattern = bundles[tongue].getMessage(id)?.value
    if (pattern) return bundles[tongue].formatPattern(pattern, values)
  }
  return id
}
