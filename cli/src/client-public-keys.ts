// `ringfence clients add-key`: with which key pair may a client authenticate at the CAMARA API?

import { readFile } from 'node:fs/promises'
import { ClientChangeRefused } from '@ringfence/server/clients/credentials.ts'
import { addPublicKey, PublicKeyRefused, removePublicKey } from '@ringfence/server/clients/public-keys.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { nextCommand } from './command-name.ts'
import type { PlaceOptions } from './configuration.ts'
import { CommandFailed } from './failure.ts'
import { withStore } from './store.ts'

type Options = PlaceOptions & { json?: true }

export async function addKey(clientId: string, file: string, { json, ...place }: Options): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandFailed(`cannot read ${file}: ${error.message}`)
  })
  const { keyId } = await withStore(place, { create: false }, ({ database }) =>
    addPublicKey({ database, clock: systemClock }, clientId, text),
  ).catch((error) => {
    if (error instanceof PublicKeyRefused) throw new CommandFailed(`${file}: ${error.message}`)
    if (error instanceof ClientChangeRefused) throw new CommandFailed(error.message)
    throw error
  })
  if (json) return console.log(JSON.stringify({ clientId, keyId }))
  // One key id in 64 looks like an option.
  const removed = keyId.startsWith('-') ? ['--', clientId, keyId] : [clientId, keyId]
  console.log(`${clientId} may now sign assertions with the private key of ${file} (private_key_jwt). Its key id is ${keyId}. To remove it, run:

  ${nextCommand(place, 'clients', 'remove-key', ...removed)}`)
}

export async function removeKey(clientId: string, keyId: string, { json, ...place }: Options): Promise<void> {
  const removed = await withStore(place, { create: false }, ({ database }) =>
    removePublicKey(database, clientId, keyId),
  )
  if (!removed)
    throw new CommandFailed(`${clientId} has no public key ${keyId}; list all with: ringfence clients list --json`)
  if (json) return console.log(JSON.stringify({ clientId, removed: keyId }))
  console.log(`Removed. Assertions of the key are refused at once; access tokens end within ten minutes.`)
}
