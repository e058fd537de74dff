// `ringfence clients add-key`: with which key pair may a client authenticate at the CAMARA API?

import { readFile } from 'node:fs/promises'
import { ClientChangeRefused } from '@ringfence/server/clients/credentials.ts'
import { addPublicKey, PublicKeyRefused, removePublicKey } from '@ringfence/server/clients/public-keys.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import type { Answer } from '../answer.ts'
import { nextCommand } from '../command-name.ts'
import type { PlaceOptions } from '../configuration.ts'
import { CommandFailed } from '../failure.ts'
import { existing, withStore } from '../store.ts'

export async function addKey(clientId: string, file: string, place: PlaceOptions): Promise<Answer> {
  const pemOrJwk = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandFailed(`cannot read ${file}: ${error.message}`)
  })
  const { keyId } = await withStore(place, existing, ({ database }) =>
    addPublicKey({ database, clock: systemClock }, clientId, pemOrJwk),
  ).catch((error) => {
    if (error instanceof PublicKeyRefused) throw new CommandFailed(`${file}: ${error.message}`)
    if (error instanceof ClientChangeRefused) throw new CommandFailed(error.message)
    throw error
  })
  // One key id in 64 looks like an option.
  const removed = keyId.startsWith('-') ? ['--', clientId, keyId] : [clientId, keyId]
  const text = `${clientId} may now sign assertions with the private key of ${file} (private_key_jwt). Its key id is ${keyId}. To remove it, run:

  ${nextCommand(place, 'clients', 'remove-key', ...removed)}`
  return [{ clientId, keyId }, text]
}

export async function removeKey(clientId: string, keyId: string, place: PlaceOptions): Promise<Answer> {
  const removed = await withStore(place, existing, ({ database }) => removePublicKey(database, clientId, keyId))
  if (!removed)
    throw new CommandFailed(`${clientId} has no public key ${keyId}; list all with: ringfence clients list --json`)
  const text = 'Removed. Assertions of the key are refused at once; access tokens end within ten minutes.'
  return [{ clientId, removed: keyId }, text]
}
