// Which keys protect stored data? One master key, and under it the keys of each tenant.

import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '../files/sync-folder.ts'
import { open, seal } from './sealed-text.ts'

/** In the data folder. */
export const masterKeyFile = 'master.key'

/** Keys of one tenant: personal data is found by `hash` and read by `open`. */
export interface TenantKeys {
  /** HMAC-SHA-256 of a phone number or email address, to find its records without storing it. */
  hash(value: string): Uint8Array
  /** Encrypts with AES-256-GCM. `context` names the place of the text, so that it cannot be moved to another row. */
  seal(content: string | Uint8Array, context: string): Uint8Array
  /** The sealed text. @throws Error when text, context or key do not match */
  open(sealed: Uint8Array, context: string): string
  /** The same for sealed bytes. */
  openBytes(sealed: Uint8Array, context: string): Uint8Array
}

export interface Keyring {
  /** Keyed hash of a client secret (HMAC-SHA-256; the secret itself is 256 random bits). */
  hashSecret(secret: string): Uint8Array
  /** New keys of a tenant, sealed under the master key. */
  makeTenantKeys(tenantId: string): Uint8Array
  /** Opens the stored keys of a tenant. @throws Error when the master key is not the one that sealed them */
  openTenantKeys(tenantId: string, wrapped: Uint8Array): TenantKeys
  /** For secrets of the service itself, such as its signing keys. */
  readonly service: Pick<TenantKeys, 'seal' | 'open'>
}

/** Derives one key for each purpose from the 32 bytes of `masterKey` (HKDF-SHA-256, RFC 5869). */
export function keyring(masterKey: Uint8Array): Keyring {
  const derive = (purpose: string) =>
    createSecretKey(new Uint8Array(hkdfSync('sha256', masterKey, 'ringfence', purpose, 32)))
  const secretHashing = derive('client secrets')
  const wrapping = derive('tenant keys')
  const ofService = derive('service secrets')
  return {
    hashSecret: (secret) => hmac(secretHashing, secret),
    makeTenantKeys: (tenantId) => seal(wrapping, randomBytes(64), tenantId),
    openTenantKeys(tenantId, wrapped) {
      let keys: Uint8Array
      try {
        keys = open(wrapping, wrapped, tenantId)
      } catch (cause) {
        throw new Error(
          `the keys of tenant ${tenantId} cannot be opened: MASTER_KEY, or the file master.key, is not the key that this database was created with. Use that key, or another database`,
          { cause },
        )
      }
      const sealing = createSecretKey(keys.subarray(0, 32))
      const hashing = createSecretKey(keys.subarray(32, 64))
      return {
        hash: (value) => hmac(hashing, value),
        seal: (content, context) => seal(sealing, bytesOf(content), context),
        open: (sealed, context) => open(sealing, sealed, context).toString(),
        openBytes: (sealed, context) => open(sealing, sealed, context),
      }
    },
    service: {
      seal: (text, context) => seal(ofService, Buffer.from(text), context),
      open: (sealed, context) => open(ofService, sealed, context).toString(),
    },
  }
}

/**
 * The master key: `given` (32 bytes in base64), or the file `master.key` in the data folder, which is created if it is missing.
 * The file appears complete or not at all, so two processes that start at the same time use one key. It is durable before anything is
 * sealed under it.
 */
export function masterKey(dataFolder: string, given?: string): Uint8Array {
  if (given) return checkedKey(given, 'MASTER_KEY')
  const path = join(dataFolder, masterKeyFile)
  if (!existsSync(path)) {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
    const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
    writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true })
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft)
    }
    syncFolder(dataFolder)
  }
  return checkedKey(readFileSync(path, 'utf8').trim(), path)
}

function checkedKey(text: string, where: string): Uint8Array {
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32) throw new Error(`${where} must contain 32 bytes in base64, but contains ${key.length}`)
  return key
}

const hmac = (key: KeyObject, value: string) => createHmac('sha256', key).update(value).digest()
const bytesOf = (content: string | Uint8Array) => (typeof content === 'string' ? Buffer.from(content) : content)
