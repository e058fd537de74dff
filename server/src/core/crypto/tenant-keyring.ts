// Which keys does a tenant have? They stay in memory, and are read again every few seconds, because another server may rotate them.

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { type Database, StorageUnavailable } from '../storage/database.ts'
import { findTenant, insertTenant, type Tenant } from '../storage/tenants.ts'
import type { KeySet } from './key-set.ts'
import {
  type Keyring,
  type ReplaceableKeys,
  replaceableKeys,
  type StoreKeyring,
  type TenantKeys,
  UnknownKeyVersion,
} from './keyring.ts'

export interface TenantKeyring {
  keysOf(tenantId: string): Promise<TenantKeys>
  /** Creates a tenant and its keys. */
  createTenant(name: string): Promise<Tenant>
}

/**
 * A server knows a new data key after this time. The steps of a rotation are further apart (admin/key-rotation/tenant-key.ts), so no server reads a
 * text whose key it does not know.
 */
export const rereadMs = 10_000
/** While the store does not answer, keys are used for this long. */
const mostStaleMs = 30_000
/** However many texts have an unknown version, the keys are read again at most this often. */
const unknownRereadMs = 1_000

interface Opened {
  readonly keys: ReplaceableKeys
  sealedKeys: Uint8Array
  readAt: number
  isStale: boolean
  reading?: Promise<void> | undefined
}

export const tenantKeyring = (
  database: Database,
  keyring: Keyring & Partial<StoreKeyring>,
  clock: Clock,
  log?: Pick<Logger, 'error'>,
): TenantKeyring => new StoredKeyring({ database, keyring, clock, log })

interface Resources {
  readonly database: Database
  readonly keyring: Keyring & Partial<StoreKeyring>
  readonly clock: Clock
  readonly log: Pick<Logger, 'error'> | undefined
}

class StoredKeyring implements TenantKeyring {
  readonly #resources: Resources
  readonly #opened = new Map<string, Opened>()
  readonly #firstReads = new Map<string, Promise<Opened>>()

  constructor(resources: Resources) {
    this.#resources = resources
  }

  async keysOf(tenantId: string): Promise<TenantKeys> {
    const entry = this.#opened.get(tenantId)
    if (!entry) {
      let reading = this.#firstReads.get(tenantId)
      if (!reading) {
        reading = this.#firstRead(tenantId).finally(() => this.#firstReads.delete(tenantId))
        this.#firstReads.set(tenantId, reading)
      }
      return (await reading).keys
    }
    // A clock that was set back must not extend the time.
    if (entry.isStale || Math.abs(this.#resources.clock.now() - entry.readAt) >= rereadMs) {
      entry.reading ??= this.#reread(tenantId, entry)
      await entry.reading
    }
    return entry.keys
  }

  async createTenant(name: string): Promise<Tenant> {
    const { keyring, clock, database } = this.#resources
    const id = randomUUID()
    const tenant = { id, name, createdAt: clock.now(), sealedKeys: keyring.makeTenantKeys(id) }
    await insertTenant(database, tenant)
    return tenant
  }

  async #read(tenantId: string): Promise<{ sealedKeys: Uint8Array; set: () => Promise<KeySet> }> {
    const tenant = await findTenant(this.#resources.database, tenantId)
    if (!tenant) throw new Error(`there is no tenant ${tenantId}`)
    const { sealedKeys } = tenant
    return { sealedKeys, set: () => this.#openSet(tenantId, sealedKeys) }
  }

  /** The key of the store may be newer than this server's. */
  async #openSet(tenantId: string, sealedKeys: Uint8Array): Promise<KeySet> {
    const { keyring } = this.#resources
    try {
      return keyring.openTenantKeySet(tenantId, sealedKeys)
    } catch (error) {
      if (!(error instanceof UnknownKeyVersion) || !keyring.reread) throw error
      await keyring.reread()
      return keyring.openTenantKeySet(tenantId, sealedKeys)
    }
  }

  async #firstRead(tenantId: string): Promise<Opened> {
    const { clock } = this.#resources
    const readAt = clock.now()
    const { sealedKeys, set } = await this.#read(tenantId)
    const onUnknown = () => {
      if (Math.abs(clock.now() - entry.readAt) >= unknownRereadMs) entry.isStale = true
    }
    const entry: Opened = { keys: replaceableKeys(await set(), onUnknown), sealedKeys, readAt, isStale: false }
    this.#opened.set(tenantId, entry)
    return entry
  }

  async #reread(tenantId: string, entry: Opened): Promise<void> {
    const { clock, log } = this.#resources
    const readAt = clock.now()
    try {
      const { sealedKeys, set } = await this.#read(tenantId)
      if (Buffer.compare(sealedKeys, entry.sealedKeys) !== 0) {
        const opened = await set().catch((error) => {
          if (error instanceof StorageUnavailable) throw error
          // Another server has another master key. This one goes on with the keys it has.
          log?.error({ err: error, tenantId }, 'cannot read the new keys of a tenant')
        })
        if (opened) entry.keys.replace(opened)
        if (opened) entry.sealedKeys = sealedKeys
      }
      entry.readAt = readAt
      entry.isStale = false
    } catch (error) {
      const mayContinue = error instanceof StorageUnavailable && Math.abs(readAt - entry.readAt) < mostStaleMs
      if (!mayContinue) throw error
    } finally {
      entry.reading = undefined
    }
  }
}
