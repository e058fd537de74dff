// `ringfence keys`: which keys sign ID tokens? Lists them, and rotates them before they are due.

import type { ListedKey } from '@ringfence/server/identity-tokens/signing-keys.ts'
import type { Command } from 'commander'
import { addPlaceOptions, type PlaceOptions } from './configuration.ts'
import { withStore } from './store.ts'
import { minuteText, table } from './table.ts'

interface Options extends PlaceOptions {
  json?: true
}

export function addKeys(ringfence: Command): void {
  const keys = ringfence
    .command('keys')
    .description('Manage the keys that sign ID tokens; the service rotates them when due')
    .addHelpText(
      'after',
      `
Examples:
  ringfence keys list
  ringfence keys rotate             publish the next key now; it signs from tomorrow
  ringfence keys rotate --at-once   replace a key that leaked: tokens it signed become invalid`,
    )

  command('list', 'List keys: the one in use, the next one, and those that are still published').action(list)
  command('rotate', 'Create the next key now')
    .option('--at-once', 'the new key signs at once, and all previous keys are deleted')
    .action(rotate)

  function command(name: string, description: string): Command {
    return addPlaceOptions(keys.command(name).description(description)).option('--json', 'print one line of JSON')
  }
}

const existing = { create: false }

async function list({ json, ...place }: Options): Promise<void> {
  const keys = await withStore(place, existing, ({ signingKeys }) => signingKeys.list())
  console.log(json ? JSON.stringify(keys.map(asJson)) : asTable(keys))
}

function asJson({ startsAt, ...key }: ListedKey) {
  return { ...key, startsAt: new Date(startsAt).toISOString() }
}

function asTable(keys: readonly ListedKey[]): string {
  if (keys.length === 0) return 'There are no keys yet. The service creates the first one when it needs it.'
  return table(
    ['KEY ID', 'ALGORITHM', 'SIGNS FROM', 'USE'],
    keys.map(({ keyId, algorithm, startsAt, use }) => [keyId, algorithm, minuteText(startsAt), use]),
  )
}

async function rotate({ atOnce = false, json, ...place }: Options & { atOnce?: boolean }): Promise<void> {
  const { keyId, use } = await withStore(place, existing, ({ signingKeys }) => signingKeys.rotate({ atOnce }))
  if (json) return console.log(JSON.stringify({ keyId, atOnce }))
  const when = atOnce
    ? 'signs from now on; previous keys are deleted. Running servers apply this within a minute, and caches of the published keys within ten.'
    : use === 'in use'
      ? 'is the first key, so it signs from now on.'
      : 'is published now and signs from tomorrow.'
  console.log(`The new key ${keyId} ${when}`)
}
