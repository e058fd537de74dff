// Which keys protect stored data? The keys of the store, and under them those of each tenant. Both sets can have several versions.

import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { StorageUnavailable } from '../storage/database.ts'
import { randomSupply } from '../storage/ids/random-supply.ts'
import { firstKeySet, type KeySet, keySetBytes, keySetOf, newKeySet } from './key-set.ts'
import { keyVersionOf, open, seal } from './sealed-text.ts'

/** Keys of one tenant: personal data is found by `hash` and read by `open`. */
export interface TenantKeys {
  /** HMAC-SHA-256 of a phone number or email address, to find its records without storing it. */
  hash(value: string): Uint8Array
  /** Encrypts with AES-256-GCM. `context` names the place of the text, so that it cannot be moved to another row. */
  seal(content: string | Uint8Array, context: string): Uint8Array
  /** The sealed text. @throws Error when text, context or key do not match; UnknownKeyVersion */
  open(sealed: Uint8Array, context: string): string
  /** The same for sealed bytes. */
  openBytes(sealed: Uint8Array, context: string): Uint8Array
  /** What opens sealed texts now, by version: for `keysThatOpen` on another thread of this process. */
  readonly dataKeys: ReadonlyMap<number, KeyObject>
}

/** Keys that follow a rotation: whoever holds them uses the new version as soon as it is known. */
export interface ReplaceableKeys extends TenantKeys {
  replace(set: KeySet): void
}

export interface Keyring {
  /** Keyed hash of a client secret (HMAC-SHA-256; the secret itself is 256 random bits). */
  hashSecret(secret: string): Uint8Array
  /** New keys of a tenant, sealed under the key of the store. */
  makeTenantKeys(tenantId: string): Uint8Array
  /** Opens the stored keys of a tenant. @throws Error when the store has other keys; UnknownKeyVersion */
  openTenantKeys(tenantId: string, sealed: Uint8Array): TenantKeys
  openTenantKeySet(tenantId: string, sealed: Uint8Array): KeySet
  sealTenantKeySet(tenantId: string, set: KeySet): Uint8Array
  /** For secrets of the service itself, such as its signing keys. */
  readonly service: Pick<TenantKeys, 'seal' | 'open'>
  /** The version of the store's key that seals, and how many versions open. */
  readonly version: number
  readonly versions: number
}

/** A keyring whose keys are in a store, where another process may rotate them. */
export interface StoreKeyring extends Keyring {
  /** Reads the keys of the store again, and opens them when they have changed. */
  reread(): Promise<void>
  /** Deletes the versions that do not seal. False when another process has changed the keys. */
  deleteOldVersions(): Promise<boolean>
  /** The provider whose master key opened the store, and the one that is configured to wrap its keys. */
  readonly masterKey: { readonly openedBy: string; readonly configured: string }
}

/** A text was sealed with a key that another server has just made. The keys are read again, so the next call succeeds. */
export class UnknownKeyVersion extends StorageUnavailable {
  override name = 'UnknownKeyVersion'
}

/** A keyring with one version. HKDF-SHA-256 (RFC 5869) derives a key for each purpose from the 32 bytes of `key`. */
export const keyring = (key: Uint8Array): Keyring => replaceableKeyring(storeKeysOf(key))

/** The keys of a store whose only key is `key`, such as one that was made before master keys wrapped a key of the store. */
export const storeKeysOf = (key: Uint8Array): KeySet => firstKeySet(key, derived(key, 'client secrets'))

/** The look-up key of the store hashes client secrets, so these hashes outlive each rotation. */
export function replaceableKeyring(set: KeySet): Keyring & { replace(set: KeySet): void } {
  let current = purposesOf(set)
  const of = (version: number) => {
    const keys = current.byVersion.get(version)
    if (!keys) throw new UnknownKeyVersion(`version ${version} of the store's key is not known here`)
    return keys
  }
  const sealTenantKeySet = (tenantId: string, tenantSet: KeySet) =>
    seal(of(current.sealsWith).wrapping, keySetBytes(tenantSet), tenantId, current.sealsWith)
  function openTenantKeySet(tenantId: string, sealed: Uint8Array): KeySet {
    const version = keyVersionOf(sealed)
    const { wrapping } = of(version)
    try {
      return keySetOf(open(wrapping, sealed, tenantId, version))
    } catch (cause) {
      throw new Error(
        `the keys of tenant ${tenantId} cannot be opened: MASTER_KEY, or the file master.key, is not the key that this database was created with. Use that key, or another database`,
        { cause },
      )
    }
  }
  return {
    hashSecret: (secret) => hmac(current.secretHashing, secret),
    makeTenantKeys: (tenantId) => sealTenantKeySet(tenantId, newKeySet()),
    openTenantKeys: (tenantId, sealed) => replaceableKeys(openTenantKeySet(tenantId, sealed)),
    openTenantKeySet,
    sealTenantKeySet,
    service: {
      seal: (text, context) => seal(of(current.sealsWith).service, bytesOf(text), context, current.sealsWith),
      open(sealed, context) {
        const version = keyVersionOf(sealed)
        return open(of(version).service, sealed, context, version).toString()
      },
    },
    get version() {
      return current.sealsWith
    },
    get versions() {
      return current.byVersion.size
    },
    replace(next) {
      current = purposesOf(next)
    },
  }
}

/** Keys of a tenant. `onUnknown` runs when a text has a version that is not in the set. */
export function replaceableKeys(set: KeySet, onUnknown: () => void = () => undefined): ReplaceableKeys {
  const lookUp = createSecretKey(set.lookUp)
  const randomOf = randomSupply()
  let dataKeys: ReadonlyMap<number, KeyObject> = new Map()
  let sealsWith = 0
  let sealing: KeyObject
  const replace = (next: KeySet) => {
    const keys = new Map([...next.dataKeys].map(([version, key]) => [version, createSecretKey(key)]))
    dataKeys = keys
    sealsWith = next.sealsWith
    sealing = keys.get(sealsWith)!
  }
  replace(set)
  const openBytes = (sealed: Uint8Array, context: string) => openBytesWith(dataKeys, sealed, context, onUnknown)
  return {
    hash: (value) => hmac(lookUp, value),
    seal: (content, context) => seal(sealing, bytesOf(content), context, sealsWith, randomOf),
    open: (sealed, context) => openBytes(sealed, context).toString(),
    openBytes,
    get dataKeys() {
      return dataKeys
    },
    replace,
  }
}

/** Keys of a tenant that only open. Threads share a KeyObject without a copy of its bytes in a message. */
export const keysThatOpen = (dataKeys: TenantKeys['dataKeys']): Pick<TenantKeys, 'openBytes'> => ({
  openBytes: (sealed, context) => openBytesWith(dataKeys, sealed, context),
})

function openBytesWith(
  dataKeys: TenantKeys['dataKeys'],
  sealed: Uint8Array,
  context: string,
  onUnknown?: () => void,
): Buffer {
  const version = keyVersionOf(sealed)
  const key = dataKeys.get(version)
  if (!key) {
    onUnknown?.()
    throw new UnknownKeyVersion(`version ${version} of the tenant's key is not known here`)
  }
  return open(key, sealed, context, version)
}

function purposesOf({ lookUp, dataKeys, sealsWith }: KeySet) {
  const byVersion = new Map(
    [...dataKeys].map(([version, key]) => [
      version,
      {
        wrapping: createSecretKey(derived(key, 'tenant keys')),
        service: createSecretKey(derived(key, 'service secrets')),
      },
    ]),
  )
  return { secretHashing: createSecretKey(lookUp), byVersion, sealsWith }
}

const derived = (key: Uint8Array, purpose: string) => new Uint8Array(hkdfSync('sha256', key, 'ringfence', purpose, 32))
const hmac = (key: KeyObject, value: string) => createHmac('sha256', key).update(value).digest()
const bytesOf = (content: string | Uint8Array) => (typeof content === 'string' ? Buffer.from(content) : content)
