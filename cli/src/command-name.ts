// How does a person call the next command? On the same data as this one.

import { commandName } from '@ringfence/server/core/command-name.ts'
import type { PlaceOptions } from './configuration.ts'
import { withoutPassword } from './database-url.ts'
import { shellWord } from './shell-word.ts'

/** A command to paste, on the same data as this one, without the password of the database. What follows the word `--` is no option. */
export function nextCommand({ data, database, config }: PlaceOptions, ...words: readonly string[]): string {
  const place = Object.entries({ data, database: database && withoutPassword(database).text, config })
  const options = place.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
  const end = words.includes('--') ? words.indexOf('--') : words.length
  return [commandName, ...[...words.slice(0, end), ...options, ...words.slice(end)].map(shellWord)].join(' ')
}
