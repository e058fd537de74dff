// Which keys sign id tokens, and which are published? All servers share them. They are created on first use and rotated.

import { createPrivateKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Clock } from '../../core/clock.ts'
import type { Settings } from '../../core/config/settings.ts'
import { type Keyring, type StoreKeyring, UnknownKeyVersion } from '../../core/crypto/keyring.ts'
import type { Database } from '../../core/storage/database.ts'
import {
  dropSigningKeysBefore,
  listSigningKeys,
  offerSigningKey,
  type SigningKeyRecord,
} from '../store/signing-keys.ts'

const day = 86_400_000
/**
 * A key is published this long before it signs, so that clients that cache our keys for less have
 * it by then.
 */
const publishedBeforeMs = day
/**
 * A key stays published this long after its successor starts to sign: longer than its last id token
 * is valid, on any clock.
 */
const publishedAfterMs = day
/**
 * How late a server notices that another server or the command line has created or deleted a key: a deleted one signs for less than a
 * second.
 */
const rereadMs = 500
/** While the store does not answer, the public keys are returned for this long. */
const mostStaleMs = 60_000

export interface SigningKey {
  keyId: string
  algorithm: string
  privateKey: KeyObject
}

export interface ListedKey {
  keyId: string
  algorithm: string
  /** Epoch milliseconds from which it signs. */
  startsAt: number
  use: 'in use' | 'next' | 'before'
}

export interface SigningKeysResources {
  database: Database
  keyring: Pick<Keyring, 'service'> & Partial<Pick<StoreKeyring, 'reread'>>
  clock: Clock
  settings: Pick<Settings, 'idTokenAlgorithm' | 'idTokenKeyDays'>
}

export class SigningKeys {
  readonly #resources: SigningKeysResources
  #cached: { keys: Promise<SigningKeyRecord[]>; readAt: number } | undefined
  #lastRead: { keys: SigningKeyRecord[]; readAt: number } | undefined
  readonly #opened = new Map<string, KeyObject>()

  constructor(resources: SigningKeysResources) {
    this.#resources = resources
  }

  /** The key that signs now. Creates the first key when there is none. */
  async inUse(): Promise<SigningKey> {
    const key = keyInUse(await this.#keys(), this.#resources.clock.now())
    return { keyId: key.keyId, algorithm: key.algorithm, privateKey: await this.#openKey(key) }
  }

  /** Public keys. The key in use comes first, because some clients ignore `kid` and take the first key. */
  async published(): Promise<JWK[]> {
    const now = this.#resources.clock.now()
    const all = needed(await this.#keysToPublish(), now)
    const current = keyInUse(all, now)
    return [current, ...all.filter((key) => key !== current)].map(({ publicJwk }) => JSON.parse(publicJwk) as JWK)
  }

  /** Never empty. A failed read is not cached. */
  #keys(): Promise<SigningKeyRecord[]> {
    const now = this.#resources.clock.now()
    if (this.#cached && Math.abs(now - this.#cached.readAt) < rereadMs) return this.#cached.keys
    const reading = { keys: this.#readOrCreate(), readAt: now }
    this.#cached = reading
    reading.keys.then(
      (read) => {
        this.#lastRead = { keys: read, readAt: now }
      },
      () => {
        if (this.#cached === reading) this.#cached = undefined
      },
    )
    return reading.keys
  }

  async #readOrCreate(): Promise<SigningKeyRecord[]> {
    const { database, clock } = this.#resources
    const keys = await listSigningKeys(database)
    if (keys.length > 0) return keys
    await this.#createNext(0, clock.now())
    return listSigningKeys(database)
  }

  /** A client that verifies id tokens must not fail while the store does not answer. */
  async #keysToPublish(): Promise<SigningKeyRecord[]> {
    try {
      return await this.#keys()
    } catch (error) {
      const last = this.#lastRead
      if (!last || Math.abs(this.#resources.clock.now() - last.readAt) >= mostStaleMs) throw error
      return last.keys
    }
  }

  async #openKey({ keyId, sealedPrivateJwk }: SigningKeyRecord): Promise<KeyObject> {
    const existing = this.#opened.get(keyId)
    if (existing) return existing
    const { keyring } = this.#resources
    const read = () => JSON.parse(keyring.service.open(sealedPrivateJwk, signingKeyContext(keyId)))
    const key = createPrivateKey({ key: await this.#withNewestKeys(read), format: 'jwk' })
    this.#opened.set(keyId, key)
    return key
  }

  /** Another process may have rotated the key of the store. */
  async #withNewestKeys<T>(read: () => T): Promise<T> {
    const { keyring } = this.#resources
    try {
      return read()
    } catch (error) {
      if (!(error instanceof UnknownKeyVersion) || !keyring.reread) throw error
      await keyring.reread()
      return read()
    }
  }

  /** In the order of creation. Empty when no id token was ever signed. */
  async list(): Promise<ListedKey[]> {
    const { database, clock } = this.#resources
    const now = clock.now()
    const all = await listSigningKeys(database)
    const current = all.length > 0 ? all.indexOf(keyInUse(all, now)) : -1
    return all.map(({ keyId, algorithm, startsAt }, i) => {
      const use = i === current ? 'in use' : i > current ? 'next' : 'before'
      return { keyId, algorithm, startsAt, use }
    })
  }

  /** Creates the next key when it is due, and deletes keys whose id tokens have all expired. */
  async rotateWhenDue(): Promise<void> {
    const { database, clock, settings } = this.#resources
    const now = clock.now()
    const all = await listSigningKeys(database)
    const newest = all.at(-1)
    if (!newest) return // no id token was ever signed
    const isOld = now >= newest.startsAt + settings.idTokenKeyDays * day - publishedBeforeMs
    const hasOtherAlgorithm = newest.algorithm !== settings.idTokenAlgorithm
    // Only after the newest key signs, so that servers with different settings create at most one
    // key a day.
    if (now >= newest.startsAt && (isOld || hasOtherAlgorithm))
      await this.#createNext(newest.generation, now + publishedBeforeMs)
    const [oldest] = needed(all, now)
    if (oldest !== all[0]) {
      await dropSigningKeysBefore(database, oldest!.generation)
      this.#cached = undefined
      this.#opened.clear()
    }
  }

  /**
   * Creates the next key now. It signs from tomorrow; the first key signs at once. With `atOnce` it signs from now on, and all
   * previous keys are deleted, so that their id tokens are no longer accepted.
   */
  async rotate({ atOnce = false }: { atOnce?: boolean } = {}): Promise<Pick<ListedKey, 'keyId' | 'use'>> {
    const { database, clock } = this.#resources
    const newest = (await listSigningKeys(database)).at(-1)?.generation ?? 0
    const now = clock.now()
    const signsAtOnce = atOnce || newest === 0
    const keyId = await this.#createNext(newest, signsAtOnce ? now : now + publishedBeforeMs)
    const created = (await listSigningKeys(database)).find(({ generation }) => generation === newest + 1)
    if (created?.keyId !== keyId)
      throw new Error('another process created a signing key at the same moment; list the keys and try again')
    if (atOnce) await dropSigningKeysBefore(database, newest + 1)
    this.#opened.clear()
    return { keyId, use: signsAtOnce ? 'in use' : 'next' }
  }

  async #createNext(after: number, startsAt: number): Promise<string> {
    const { database, keyring, settings } = this.#resources
    const algorithm = settings.idTokenAlgorithm
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
    const publicJwk = await exportJWK(publicKey)
    const keyId = await calculateJwkThumbprint(publicJwk)
    await offerSigningKey(database, {
      generation: after + 1,
      keyId,
      algorithm,
      publicJwk: JSON.stringify({ ...publicJwk, kid: keyId, alg: algorithm, use: 'sig' }),
      sealedPrivateJwk: keyring.service.seal(JSON.stringify(await exportJWK(privateKey)), signingKeyContext(keyId)),
      startsAt,
    })
    this.#cached = undefined
    return keyId
  }
}

export const signingKeyContext = (keyId: string) => `signing key ${keyId}`

/** The newest key that has started to sign. If the clock is before all keys, the oldest. */
function keyInUse(keys: readonly SigningKeyRecord[], now: number): SigningKeyRecord {
  return keys.findLast(({ startsAt }) => startsAt <= now) ?? keys[0]!
}

/** Without keys whose successor has signed for so long that all their id tokens have expired. */
function needed(keys: readonly SigningKeyRecord[], now: number): readonly SigningKeyRecord[] {
  return keys.filter((_, index) => {
    const successor = keys[index + 1]
    return !successor || now < successor.startsAt + publishedAfterMs
  })
}
