// What the server says, understood and worded in another language. The server speaks English; words/heard.en.ftl has its sentences as
// Fluent messages, from which patterns are made here, and every other language has messages of the same ids. What matches no pattern is
// not understood. Nothing here needs a browser.

import { FluentBundle, FluentNumber, FluentResource, type FluentVariable } from '@fluent/bundle'

/** The players at the table and the pack, so that a name is never taken for a word or a card, and S7 is scissors where it should be. */
export interface Heard {
  names: string[]
  deck: string
}

type Parts = (string | { name: string; kind: string })[]
type Values = Record<string, FluentVariable>

interface Pattern {
  id: string
  parts: Parts
  /** For a sentence; and without the player at its beginning, if it begins with one, in the third person and the second. */
  whole: RegExp
  clause: RegExp | null
  toYou: RegExp | null
  literal: number
}

/** What was understood: which message, its values as they came, and where in the text the cards are. */
interface Found {
  id: string
  values: Values
  cards: [number, number][]
}

// A card is marked in a text by what no name can have (it is not printable), so that it can be shown or spoken later.
const OPEN = '\uE000'
const CLOSE = '\uE001'
const CARD = /\uE000([^\uE001]*)\uE001/g
const mark = (card: string): string => OPEN + card + CLOSE

/** A text with its cards, apart: ``HQ``, or ``JB(C5)`` for a joker that stands for a card. */
export const pieces = (text: string): { text: string; isCard: boolean }[] =>
  text
    .split(CARD)
    .map((piece, at) => ({ text: piece, isCard: at % 2 === 1 }))
    .filter((piece) => piece.text)

const YOU = 'You'
const SUITS = '[CDHS]'
const FRENCH = `${SUITS}[2-9TJQKA]`
const ONE: Record<string, string> = { '': `(?:${FRENCH}|J[BR])`, stars: '[RPS](?:1[0-3]|[1-9])' }
const NUMBER = '-?\\d+(?:\\.\\d+)?'
const NESTED = new Set(['said', 'one', 'other', 'reason', 'choice', 'suit', 'trump', 'rank', 'level'])
const LAZY = new Set(['one', 'names'])
const isText = (part: Parts[number]): part is string => typeof part === 'string'
const kindOf = (name: string): string => name.replace(/\d+$/, '')
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** What the pattern of a value is, before it is looked at more closely. */
function loose(kind: string, deck: string): string {
  const card = ONE[deck] ?? ONE['']
  const joker = `(?:${card}(?:\\(${FRENCH}\\))?)`
  switch (kind) {
    case 'card':
      return card
    case 'cards':
      return `${card}(?:,? ${card})*`
    case 'meld':
      return `${joker}(?: ${joker})*`
    case 'quoted':
      return '\'.*\'|".*"'
    case 'who':
    case 'list':
    case 'hands':
    case 'options':
    case 'text':
      return '.+'
    default:
      return LAZY.has(kind) ? '.+?' : NESTED.has(kind) ? '.+' : NUMBER
  }
}

/** What is said of a player as it is said to her: see ``second_person`` in kortlek/play/telling.py. */
export function secondPerson(text: string): string {
  const verb = text.split(' ', 1)[0]
  const irregular: Record<string, string> = { is: 'are', has: 'have', was: 'were' }
  const regular = verb.replace(/(ch|sh|ss|x|o)es$/, '$1')
  return (irregular[verb] ?? (regular === verb ? verb.replace(/s$/, '') : regular)) + text.slice(verb.length)
}

function regular(parts: Parts, deck: string, then = '$'): RegExp {
  return new RegExp(`^${parts.map((part) => (isText(part) ? escaped(part) : `(${loose(part.kind, deck)})`)).join('')}${then}`, 'ds')
}

/** One pattern for each message, those that say most first; the same for one pack of cards. */
function patternsOf(resource: FluentResource, deck: string): Pattern[] {
  const patterns = resource.body.map(({ id, value }): Pattern => {
    const parts: Parts = (Array.isArray(value) ? value : [value ?? '']).map((part: any) => (typeof part === 'string' ? part : { name: part.name, kind: kindOf(part.name) }))
    const [first, next, ...rest] = parts
    const isClause = !isText(first) && first.kind === 'who' && isText(next) && next.startsWith(' ')
    const said = isClause ? (next as string).slice(1) : ''
    return {
      id,
      parts,
      whole: regular(parts, deck),
      clause: isClause ? regular([said, ...rest], deck, '(?=, |$)') : null,
      toYou: isClause ? regular([secondPerson(said), ...rest], deck, '(?=, |$)') : null,
      literal: parts.reduce((sum, part) => sum + (isText(part) ? part.length : 0), 0),
    }
  })
  return patterns.sort((a, b) => b.literal - a.literal)
}

/** Understands what the server says in English, and words it: with ``words`` in another language, else as it came, with its cards marked. */
export class Hearing {
  private resource: FluentResource
  private bundle: FluentBundle | null = null
  private patterns: Record<string, Pattern[]> = {}
  private known = new Map<string, string | null>()

  constructor(english: string, language = 'en', words = '') {
    this.resource = new FluentResource(english)
    if (words) {
      this.bundle = new FluentBundle(language, { useIsolating: false })
      this.bundle.addResource(new FluentResource(words))
    }
  }

  /** A sentence in words, its cards marked; null if it is not understood. */
  hear(sentence: string, at: Heard): string | null {
    const key = [sentence, at.deck, ...at.names].join('\n\n')
    let heard = this.known.get(key)
    if (heard === undefined) {
      if (this.known.size > 5000) this.known.clear()
      heard = this.understand(sentence, at)
      this.known.set(key, heard)
    }
    return heard
  }

  private understand(sentence: string, at: Heard): string | null {
    const text = sentence.trimEnd()
    if (text.includes('\n')) return this.drawing(text, at)
    const isNamed = at.names.some((name) => text.startsWith(`${name} `)) || text.startsWith(`${YOU} `)
    const heard = (isNamed ? this.ofSomebody(text, at) : null) ?? this.whole(text, at) ?? this.ofSomebody(text, at)
    return heard && text.startsWith(YOU) ? heard[0].toUpperCase() + heard.slice(1) : heard
  }

  /** A picture made of letters: only its cards can be worded. A ten is one letter wider, and takes the place of the space after it. */
  private drawing(text: string, at: Heard): string {
    const card = ONE[at.deck] ?? ONE['']
    return text.replace(new RegExp(`(?<![\\w(])(${card})(?!\\w)( ?)`, 'g'), (_, found: string, space: string) => mark(found) + (found[1] === 'T' ? '' : space))
  }

  private all(at: Heard): Pattern[] {
    return (this.patterns[at.deck] ??= patternsOf(this.resource, at.deck))
  }

  /** A sentence that is one message. */
  private whole(text: string, at: Heard): string | null {
    for (const pattern of this.all(at)) {
      if (pattern.clause) continue
      const found = this.read(pattern, pattern.parts, pattern.whole.exec(text), at)
      if (found) return this.worded(text, found)
    }
    return null
  }

  /** A sentence about a player: ``Toby plays H7, puts it into column 3``. */
  private ofSomebody(text: string, at: Heard): string | null {
    const known = [...at.names].sort((a, b) => b.length - a.length).filter((name) => name && text.startsWith(`${name} `))
    if (text.startsWith(`${YOU} `)) {
      const told = at.names.includes(YOU) ? null : this.clauses(text.slice(4), true, at)
      const second = told ?? this.clauses(text.slice(4), true, at, true)
      if (second) return this.sentence(YOU, true, second)
    }
    for (const name of known) {
      const told = this.clauses(text.slice(name.length + 1), false, at)
      if (told) return this.sentence(name, false, told)
    }
    // Somebody who is not at the table any more.
    for (let space = text.indexOf(' '); space > 0 && space <= 40; space = text.indexOf(' ', space + 1)) {
      const told = this.clauses(text.slice(space + 1), false, at)
      if (told) return this.sentence(text.slice(0, space), false, told)
    }
    return null
  }

  /** What is said of a player, one thing after another. ``strictly``: only what can be said to nobody but oneself. */
  private clauses(text: string, toYou: boolean, at: Heard, strictly = false): [string, Found][] | null {
    for (const pattern of this.all(at)) {
      const regexp = toYou ? pattern.toYou : pattern.clause
      if (!regexp || (strictly && pattern.toYou!.source === pattern.clause!.source)) continue
      const said = regexp.exec(text)
      const [, next, ...rest] = pattern.parts
      const found = this.read(pattern, [next, ...rest], said, at)
      if (!found) continue
      const own = said![0]
      if (own.length === text.length) return [[own, found]]
      const after = this.clauses(text.slice(own.length + 2), toYou, at)
      if (after) return [[own, found], ...after]
    }
    return null
  }

  private sentence(name: string, isYou: boolean, told: [string, Found][]): string {
    if (!this.bundle) return `${name} ${told.map(([own, found]) => this.worded(own, found)).join(', ')}`
    return told
      .map(([own, found], nth) => {
        const who = nth ? '' : isYou ? this.message('you-are', {}) : name
        return this.worded(own, { ...found, values: { ...found.values, who, you: isYou ? 'yes' : 'no' } }).trimStart()
      })
      .join(', ')
  }

  /** The values of a match, each looked at more closely; null if one of them cannot be what it should be. */
  private read(pattern: Pattern, parts: Parts, match: RegExpExecArray | null, at: Heard): Found | null {
    if (!match) return null
    const found: Found = { id: pattern.id, values: {}, cards: [] }
    let group = 0
    for (const part of parts) {
      if (isText(part)) continue
      group += 1
      const [begin] = match.indices![group]
      const value = this.value(part.kind, match[group], begin, found.cards, at)
      if (value === null) return null
      found.values[part.name] = value
    }
    return found
  }

  private value(kind: string, text: string, begin: number, cards: [number, number][], at: Heard): FluentVariable | null {
    switch (kind) {
      case 'card':
      case 'cards':
      case 'meld':
        return this.markAll(text, begin, cards, at)
      case 'who':
        return text === YOU && !at.names.includes(YOU) ? this.message('you-within', {}) : text
      case 'names':
        return this.named(text, at)
      case 'list':
        return this.byName(text, `${NUMBER}(?: ${NUMBER})*`, begin, cards, at)
      case 'hands':
        return this.byName(text, loose('cards', at.deck).replace(',?', ''), begin, cards, at)
      case 'options':
        return this.options(text, at)
      case 'text':
      case 'quoted':
        return text
      default:
        return NESTED.has(kind) ? this.nested(text, begin, cards, at) : this.number(text)
    }
  }

  private number(text: string): FluentVariable {
    const decimals = text.split('.')[1]?.length ?? 0
    return new FluentNumber(Number(text), { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  }

  private nested(text: string, begin: number, cards: [number, number][], at: Heard): string | null {
    const own = this.whole(text, at)
    if (own === null) return null
    // Without words of another language, what is nested stays in place: only where its cards are is of interest.
    if (!this.bundle) this.places(own, begin, cards)
    return own
  }

  /** Where the marked cards of a text are in the text without marks. */
  private places(marked: string, begin: number, cards: [number, number][]): void {
    let before = 0
    for (const found of marked.matchAll(CARD)) {
      const from = begin + found.index - before
      cards.push([from, from + found[1].length])
      before += 2
    }
  }

  private markAll(text: string, begin: number, cards: [number, number][], at: Heard): string {
    const marked = text.replace(new RegExp(`${ONE[at.deck] ?? ONE['']}(?:\\(${FRENCH}\\))?`, 'g'), mark)
    this.places(marked, begin, cards)
    return marked
  }

  /** ``Lisa 2, Toby 0``: names as far as they are known, else whatever stands before something that can be said of them. */
  private byName(text: string, what: string, begin: number, cards: [number, number][], at: Heard): string | null {
    const names = [...at.names, YOU].filter(Boolean).sort((a, b) => b.length - a.length).map(escaped)
    const one = new RegExp(`((?:${names.join('|')})|.+?) (${what})(?:, |$)`, 'sdy')
    const told: string[] = []
    for (one.lastIndex = 0; one.lastIndex < text.length; ) {
      const found = one.exec(text)
      if (!found) return null
      const said = this.markAll(found[2], begin + found.indices![2][0], cards, at)
      told.push(`${this.value('who', found[1], 0, [], at)} ${this.signs(said)}`)
    }
    return told.join(', ')
  }

  private named(text: string, at: Heard): string {
    const names = [...at.names, YOU].filter(Boolean).sort((a, b) => b.length - a.length).map(escaped)
    const one = new RegExp(`((?:${names.join('|')})|.+?)(?:, |$)`, 'sy')
    const told: string[] = []
    for (one.lastIndex = 0; one.lastIndex < text.length; ) told.push(this.value('who', one.exec(text)![1], 0, [], at) as string)
    return told.join(', ')
  }

  private options(text: string, at: Heard): string | null {
    const told: string[] = []
    for (const each of text.split(', ')) {
      const [name, value] = each.split('=')
      const called = value === undefined ? null : this.whole(name, at)
      const what = called === null ? null : /^[-\d,]+$/.test(value) ? value : this.whole(value, at)
      if (what === null) return null
      told.push(`${called}: ${what}`)
    }
    return told.join('; ')
  }

  private signs = (text: string): string => (this.bundle ? text.replace(/(^| )-(?=\d)/g, '$1−') : text)

  private message(id: string, values: Values): string {
    const pattern = this.bundle?.getMessage(id)?.value
    return pattern ? this.bundle!.formatPattern(pattern, values) : ''
  }

  private worded(text: string, found: Found): string {
    if (this.bundle) return this.message(found.id, found.values) || text
    let worded = ''
    let upTo = 0
    for (const [begin, end] of found.cards.sort((a, b) => a[0] - b[0])) {
      worded += text.slice(upTo, begin) + mark(text.slice(begin, end))
      upTo = end
    }
    return worded + text.slice(upTo)
  }
}
