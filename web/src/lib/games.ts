// The games of this server, each with its words and its deck.

import { ask } from './api'
import { Deck } from './deck'
import type { GameInfo } from './types'
import { language, serverWords, tableWords, Words } from './words'

/** A game in the reader's language. */
export class Game {
  readonly words: Words
  readonly deck: Deck
  readonly title: string
  readonly about: string

  constructor(
    readonly info: GameInfo,
    tongue: string,
    words: string,
  ) {
    this.words = new Words(tongue, tableWords(tongue), words)
    this.deck = new Deck(info.pack, info.faces, this.parts.deck, this.words)
    this.title = this.words.has('title') ? this.words.text('title') : info.title
    this.about = this.words.has('about') ? this.words.text('about') : ''
  }

  get name(): string {
    return this.info.name
  }
  get component(): string {
    return this.info.layout.component
  }
  get parts(): Record<string, string> {
    return this.info.layout.parts
  }

  /** The name of a level of bots; ``aboutLevel`` is its description. */
  level(name: string): string {
    const id = `level-${name.replace('/', '-')}`
    return this.words.has(id) ? this.words.text(id) : inWords(name)
  }
  aboutLevel(name: string): string {
    const id = name.replace('/', '-')
    return this.words.has(`bot-${id}`) ? this.words.text(`bot-${id}`) : this.words.text(`level-${id}`, {}, 'about')
  }

  option(name: string): string {
    return this.words.has(`option-${name}`) ? this.words.text(`option-${name}`) : inWords(name)
  }
  /** The description of an option, if it has one. */
  aboutOption(name: string): string {
    const about = this.words.text(`option-${name}`, {}, 'about')
    return about === this.option(name) ? '' : about
  }
  /** The words for a value of an option: the game's own, or the common ones (yes, no, drawn by lot). */
  value(option: string, value: string): string {
    const id = [`option-${option}-${value}`, `value-${value}`].find((each) => this.words.has(each))
    return id ? this.words.text(id) : inWords(value)
  }

  /** The label of a counter, of a status field, or of a place. */
  label(field: string): string {
    const id = [`place-${field}`, `field-${field}`].find((each) => this.words.has(each))
    return id ? this.words.text(id) : inWords(field)
  }
}

const inWords = (name: string): string => name.replaceAll('_', ' ')

let infos: Promise<GameInfo[]> | undefined
const known: Record<string, Promise<Game>> = {}

/** Cache a request, unless it fails. */
const described = (): Promise<GameInfo[]> =>
  (infos ??= ask<GameInfo[]>('/api/games').catch((error) => {
    infos = undefined
    throw error
  }))

function learned(info: GameInfo): Promise<Game> {
  const tongue = language()
  const key = `${info.name}/${tongue}`
  return (known[key] ??= serverWords(info.name, tongue).then(
    (words) => new Game(info, tongue, words),
    (error) => {
      delete known[key]
      throw error
    },
  ))
}

/** Every game of this server. */
export const games = async (): Promise<Game[]> => Promise.all((await described()).map(learned))

/** A game by its name, if the server has it. */
export async function gameOf(name: string): Promise<Game | undefined> {
  const info = (await described()).find((each) => each.name === name)
  return info && learned(info)
}
