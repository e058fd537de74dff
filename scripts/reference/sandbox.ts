// What does the reference page of the sandbox list? Scenarios and routes, from the sandbox itself; the rest is written by hand.

import { readFileSync } from 'node:fs'
import { routes } from '../../sandbox/src/faults.ts'
import { scenarios } from '../../sandbox/src/scenarios.ts'
import { code } from './markdown.ts'

const written = new URL('../../docs/reference/sandbox.md', import.meta.url)
const LINE_CHARACTERS = 140

/** The page with its two lists as they are now. Throws when it has no place for one. */
export function sandboxPage(): string {
  const rows = scenarios.map(({ suffixes, name, shows }) => `| ${suffixes.join(', ')} | ${name} | ${shows} |\n`)
  return [
    [/(?<=\| ends in \| scenario \| what it shows \|\n\|---\|---\|---\|\n)(\| 01.*\n)+/, rows.join('')],
    [/^Routes: [^\n]+(\n[^\n]+)*/m, wrapped(`Routes: ${routes.map(code).join(', ')}.`)],
  ].reduce(
    (text, [place, list]) => {
      if (!(place as RegExp).test(text)) throw new Error(`docs/reference/sandbox.md has no place for ${place}`)
      return text.replace(place!, () => list as string)
    },
    readFileSync(written, 'utf8'),
  )
}

function wrapped(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line.length + 1 + word.length > LINE_CHARACTERS) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}
