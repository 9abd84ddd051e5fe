// Hears what comes in as JSON: {"language": "sv", "heard": [[sentence, names, deck], ...]}; answers with the words of each, or null.
// Cards stand between the marks of src/lib/hearing.ts. Run by tests/test_words.py.

import { readFileSync } from 'node:fs'
import { Hearing } from '../src/lib/hearing.ts'

const words = (language) => readFileSync(new URL(`../src/words/heard.${language}.ftl`, import.meta.url), 'utf-8')
const { language, heard } = JSON.parse(readFileSync(0, 'utf-8'))
const hearing = language === 'en' ? new Hearing(words('en')) : new Hearing(words('en'), language, words(language))
process.stdout.write(JSON.stringify(heard.map(([sentence, names, deck]) => hearing.hear(sentence, { names, deck }))))
