// How does a person call this command again? In a clone of the repository with npx, in an installed release by its name.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PlaceOptions } from './configuration.ts'
import { withoutPassword } from './database-url.ts'
import { shellWord } from './shell-word.ts'

const repository = fileURLToPath(import.meta.url).replace(/cli[\\/]src[\\/][^\\/]+$/, '')

/** A release has no examples. */
export const isClone = existsSync(`${repository}examples`)

export const commandName = isClone ? 'npx ringfence' : 'ringfence'

/** A command to paste, on the same data as this one, without the password of the database. What follows the word `--` is no option. */
export function nextCommand({ data, database, config }: PlaceOptions, ...words: readonly string[]): string {
  const place = Object.entries({ data, database: database && withoutPassword(database).text, config })
  const options = place.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
  const end = words.includes('--') ? words.indexOf('--') : words.length
  return [commandName, ...[...words.slice(0, end), ...options, ...words.slice(end)].map(shellWord)].join(' ')
}
