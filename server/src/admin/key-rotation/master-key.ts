// How does the store get a new master key? It wraps a new key of the store, under which the keys of tenants are sealed again.

import type { Logger } from 'pino'
import type { Clock } from '../../core/clock.ts'
import { withNewDataKey } from '../../core/crypto/key-set.ts'
import { replaceableKeyring, type StoreKeyring } from '../../core/crypto/keyring.ts'
import type { MasterKeyProvider } from '../../core/crypto/master-key/provider.ts'
import { openStoreKeys, sealStoreKeys } from '../../core/crypto/open-keyring.ts'
import { keyVersionOf } from '../../core/crypto/sealed-text.ts'
import type { Database } from '../../core/storage/database.ts'
import { findStoreKeys, replaceStoreKeys } from '../../core/storage/keys/store-keys.ts'
import { listTenants, replaceTenantKeys } from '../../core/storage/tenants.ts'
import { signingKeyContext } from '../../sign-in/identity-tokens/signing-keys.ts'
import { listSigningKeys, replaceSealedSigningKey } from '../../sign-in/store/signing-keys.ts'
import { passkeyContext } from '../passkeys/passkey.ts'
import { personContext } from '../people/person.ts'
import { listPasskeys, replaceSealedPasskey } from '../store/passkeys.ts'
import { listPeople, replaceSealedPerson } from '../store/people.ts'

/** How long servers may still seal with the previous key of the store. */
const retireStoreKeyMs = 5 * 60_000

export interface RotatedMasterKey {
  /** Ids of the master keys. */
  readonly before: string
  readonly after: string
  /** Where the new master key is. */
  readonly place: string
  /** Where the previous one is now. */
  readonly previousIn?: string
}

/**
 * Wraps a new key of the store with the newest master key, and seals the keys of tenants and the signing keys under it. Servers need
 * no restart: they have their keys in memory. A call that is killed is made again.
 */
export async function rotateMasterKey(
  database: Database,
  providers: readonly MasterKeyProvider[],
): Promise<RotatedMasterKey> {
  const record = (await findStoreKeys(database))!
  const { set } = await openStoreKeys(record, providers)
  const provider = providers[0]!
  await provideNewKey(provider, record.wrappedBy)
  const { set: next, version } = withNewDataKey(set)
  const rotated = { ...next, sealsWith: version }
  const sealed = await sealStoreKeys(rotated, provider)
  if (!(await replaceStoreKeys(database, record, sealed))) {
    throw new Error('another process rotated the master key at the same moment: run ringfence keys status')
  }
  await sealUnderNewest(database, replaceableKeyring(rotated))
  const previousIn = await provider.writer?.retire(sealed.wrappedBy)
  const result = { before: record.wrappedBy, after: sealed.wrappedBy, place: provider.name }
  return { ...result, ...(previousIn !== undefined && { previousIn }) }
}

/** A file gets a new key. Elsewhere the new key must be there, unless a KMS rotates its keys itself. */
async function provideNewKey({ name, newest, writer }: MasterKeyProvider, wrappedBy: string): Promise<void> {
  const id = await newest()
  if (id === undefined) await writer?.create()
  if (id !== wrappedBy) return
  if (writer) return writer.add()
  if (name === 'MASTER_KEY_WRAP_COMMAND') return
  throw new Error(
    `${name} still has the master key that is in use. Make a new one (head -c 32 /dev/urandom | base64), put it before the previous one, with a space between them, restart the servers one after the other, and run this again`,
  )
}

/** @returns how many keys had been sealed under an older key of the store */
async function sealUnderNewest(
  database: Database,
  keyring: Pick<StoreKeyring, 'openTenantKeySet' | 'sealTenantKeySet' | 'service' | 'version'>,
): Promise<number> {
  let count = 0
  for (const tenant of await listTenants(database)) {
    if (keyVersionOf(tenant.sealedKeys) === keyring.version) continue
    const set = keyring.openTenantKeySet(tenant.id, tenant.sealedKeys)
    await replaceTenantKeys(database, tenant, keyring.sealTenantKeySet(tenant.id, set))
    count++
  }
  for (const key of await listSigningKeys(database)) {
    if (keyVersionOf(key.sealedPrivateJwk) === keyring.version) continue
    const context = signingKeyContext(key.keyId)
    const sealed = keyring.service.seal(keyring.service.open(key.sealedPrivateJwk, context), context)
    await replaceSealedSigningKey(database, key, sealed)
    count++
  }
  for (const person of await listPeople(database)) {
    if (keyVersionOf(person.sealed) === keyring.version) continue
    const context = personContext(person.id)
    const sealed = keyring.service.seal(keyring.service.open(person.sealed, context), context)
    await replaceSealedPerson(database, person, sealed)
    count++
  }
  for (const passkey of await listPasskeys(database)) {
    if (keyVersionOf(passkey.sealed) === keyring.version) continue
    const context = passkeyContext(passkey.credentialHash)
    const sealed = keyring.service.seal(keyring.service.open(passkey.sealed, context), context)
    await replaceSealedPasskey(database, passkey, sealed)
    count++
  }
  return count
}

export interface StoreKeyRetirement {
  /** Reads the keys of the store again, and deletes old ones that nothing uses any more. */
  advance(): Promise<void>
}

export function storeKeyRetirement(resources: {
  database: Database
  keyring: StoreKeyring
  clock: Clock
  log: Logger
}): StoreKeyRetirement {
  const { database, keyring, clock, log } = resources
  let seen: { version: number; since: number } | undefined
  return {
    async advance() {
      await keyring.reread()
      if (keyring.versions === 1) return
      const now = clock.now()
      if (seen?.version !== keyring.version || now < seen.since) seen = { version: keyring.version, since: now }
      if (now - seen.since < retireStoreKeyMs) return
      if ((await sealUnderNewest(database, keyring)) > 0) {
        seen = undefined
        return
      }
      if (await keyring.deleteOldVersions()) {
        log.info({ version: keyring.version }, 'deleted a key of the store that nothing uses')
      }
    },
  }
}
