// Which keys does this store have? The master key opens them; they are made for a store without tenants only.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import { findStoreKeys, offerStoreKeys, replaceStoreKeys, type StoreKeysRecord } from '../storage/keys/store-keys.ts'
import { listTenants, type Tenant } from '../storage/tenants.ts'
import { type KeySet, keySetBytes, keySetOf, newKeySet, withoutOldDataKeys } from './key-set.ts'
import { keyring, replaceableKeyring, type StoreKeyring, storeKeysOf } from './keyring.ts'
import type { MasterKeyProvider } from './master-key/provider.ts'
import { type Environment, isInDataFolder, type MasterKeySettings, masterKeyProviders } from './master-key/providers.ts'
import { open, seal } from './sealed-text.ts'

const context = 'keys of the store'

/**
 * The keyring of a store. Throws, and makes nothing, when the store has keys or tenants and no configured master key is theirs:
 * nothing could be read, and no client verified. A file that is missing is made for a new store only, and only with `create`.
 */
export async function openKeyring(
  database: Database,
  settings: MasterKeySettings,
  environment: Environment = process.env,
  { create = true }: { create?: boolean } = {},
): Promise<StoreKeyring> {
  const providers = () => masterKeyProviders(settings, environment)
  let record = (await findStoreKeys(database)) ?? (await firstRecord(database, providers(), create))
  const { set, provider } = await openStoreKeys(record, providers())
  const ring = replaceableKeyring(set)
  return {
    ...ring,
    masterKey: { openedBy: provider.name, configured: providers()[0]!.name },
    get version() {
      return ring.version
    },
    get versions() {
      return ring.versions
    },
    async reread() {
      const newest = await findStoreKeys(database)
      if (!newest || Buffer.compare(newest.sealedKeys, record.sealedKeys) === 0) return
      ring.replace((await openStoreKeys(newest, providers())).set)
      record = newest
    },
    async deleteOldVersions() {
      const { set: all, wrapping } = await openStoreKeys(record, providers())
      const newest = withoutOldDataKeys(all)
      // Under the same wrapped key, so that a server needs no permission to wrap.
      const next = { ...record, sealedKeys: seal(wrapping, keySetBytes(newest), context) }
      if (!(await replaceStoreKeys(database, record, next))) return false
      ring.replace(newest)
      record = next
      return true
    },
  }
}

export interface OpenedStoreKeys {
  readonly set: KeySet
  /** The one whose master key opened them. */
  readonly provider: MasterKeyProvider
  /** The key that the master key wraps. */
  readonly wrapping: KeyObject
}

/** @throws Error when no provider has the master key of the store */
export async function openStoreKeys(
  { wrappedBy, wrappedKey, sealedKeys }: StoreKeysRecord,
  providers: readonly MasterKeyProvider[],
): Promise<OpenedStoreKeys> {
  for (const provider of providers) {
    const key = await provider.unwrap({ by: wrappedBy, wrapped: wrappedKey })
    if (!key) continue
    const wrapping = createSecretKey(key)
    return { set: keySetOf(open(wrapping, sealedKeys, context)), provider, wrapping }
  }
  const found = await Promise.all(
    providers.map(async ({ name, newest }) => `${name}: ${(await newest()) ?? 'missing'}`),
  )
  throw new Error(
    `the master key of this store is ${wrappedBy}, and this is another one (${found.join(', ')}). Give this server the key ${wrappedBy}: its file, or MASTER_KEY_FILE or MASTER_KEY. Without it nothing in the store can be read`,
  )
}

/** The keys of the store, sealed under a new key that the first provider wraps. */
export async function sealStoreKeys(set: KeySet, provider: MasterKeyProvider): Promise<StoreKeysRecord> {
  const key = randomBytes(32)
  const { by, wrapped } = await provider.wrap(key)
  return { wrappedBy: by, wrappedKey: wrapped, sealedKeys: seal(createSecretKey(key), keySetBytes(set), context) }
}

async function firstRecord(
  database: Database,
  providers: readonly MasterKeyProvider[],
  create: boolean,
): Promise<StoreKeysRecord> {
  const [tenant] = await listTenants(database)
  if (!tenant && !create) throw new Error('this store has no tenants yet: create the first one with ringfence init')
  const made = tenant
    ? await adopted(tenant, providers)
    : await sealStoreKeys(newKeySet(), await firstProvider(providers))
  await offerStoreKeys(database, made)
  return (await findStoreKeys(database))!
}

/** In stores from before, the master key sealed the tenants' keys itself: it becomes the first key of the store. */
async function adopted(tenant: Tenant, providers: readonly MasterKeyProvider[]): Promise<StoreKeysRecord> {
  const keys = await Promise.all(
    providers.map(async (provider) => (await provider.keys()).map((key) => ({ key, provider }))),
  )
  const found = keys.flat()
  const fits = found.find(({ key }) => opens(key, tenant))
  if (fits) return sealStoreKeys(storeKeysOf(fits.key), fits.provider)
  const places = providers.map(({ name }) => name).join(', ')
  throw new Error(
    found.length === 0
      ? `master.key is missing (${places}), and MASTER_KEY is not set. This database has a master key: restore the file, or set MASTER_KEY`
      : `the keys of tenant ${tenant.id} cannot be opened: MASTER_KEY, or the file master.key, is not the key that this database was created with (${places}). Use that key, or another database`,
  )
}

function opens(key: Uint8Array, { id, sealedKeys }: Tenant): boolean {
  try {
    keyring(key).openTenantKeySet(id, sealedKeys)
    return true
  } catch {
    return false
  }
}

/** A file that is missing is made. */
async function firstProvider([first]: readonly MasterKeyProvider[]): Promise<MasterKeyProvider> {
  if ((await first!.newest()) === undefined) await first!.writer?.create()
  return first!
}

/** What to say at a start about the place of the master key; undefined when it is where it should be. */
export function adviceOnMasterKey({ masterKey: { openedBy, configured } }: StoreKeyring, dataFolder: string) {
  if (openedBy !== configured) {
    return `the master key in ${openedBy} opened the store, not ${configured}. Run: ringfence keys rotate master`
  }
  return isInDataFolder(openedBy, dataFolder)
    ? `the master key ${openedBy} is beside the data that it protects, so whoever copies the folder can read it. Move it: docs/guides/keys.md`
    : undefined
}
