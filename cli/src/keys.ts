// `ringfence keys`: with which keys are id tokens signed, and how is one replaced before its time?

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
    .description('Keys that sign id tokens; they are made and replaced by themselves')
    .addHelpText(
      'after',
      `
Examples:
  ringfence keys list
  ringfence keys rotate             the next key: published now, signs from tomorrow on
  ringfence keys rotate --at-once   when a key may be in wrong hands: what it signed is accepted no more`,
    )

  command('list', 'List keys: the one in use, the next one, and those that are still published').action(list)
  command('rotate', 'Make the next key now')
    .option('--at-once', 'it signs from now on, and all keys before it are dropped')
    .action(rotate)

  function command(name: string, description: string): Command {
    return addPlaceOptions(keys.command(name).description(description)).option('--json', 'one line of JSON')
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
  if (keys.length === 0) return 'No keys yet; the first one is made when it is needed.'
  return table(
    ['KEY ID', 'ALGORITHM', 'SIGNS FROM', 'USE'],
    keys.map(({ keyId, algorithm, startsAt, use }) => [keyId, algorithm, minuteText(startsAt), use]),
  )
}

async function rotate({ atOnce = false, json, ...place }: Options & { atOnce?: boolean }): Promise<void> {
  const keyId = await withStore(place, existing, ({ signingKeys }) => signingKeys.rotate({ atOnce }))
  if (json) return console.log(JSON.stringify({ keyId, atOnce }))
  const when = atOnce
    ? 'signs from now on; the keys before it are dropped. Running servers notice within a minute; whoever keeps our keys, within ten.'
    : 'is published now and signs from tomorrow on.'
  console.log(`The new key ${keyId} ${when}`)
}
