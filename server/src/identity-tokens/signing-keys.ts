// Which keys sign id tokens, and which does the world have to know? Made at first need, shared by all servers, rotated.

import { createPrivateKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Clock } from '../clock.ts'
import type { Settings } from '../config/settings.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { Database } from '../storage/database.ts'
import {
  dropSigningKeysBefore,
  listSigningKeys,
  offerSigningKey,
  type SigningKeyRecord,
} from '../storage/signing-keys.ts'

const day = 86_400_000
/** A successor is published for this long before it signs, so that whoever keeps our keys for less has it by then. */
export const publishedBeforeMs = day
/** A key stays published after its successor began to sign: longer than its last id token lives, on any clock. */
export const publishedAfterMs = day
/** How late a server may notice a key that another one, or the command line, has made. */
const rereadMs = 60_000

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

export interface SigningKeys {
  /** The key that signs now; the first one is made when there is none. */
  inUse(): Promise<SigningKey>
  /** Public keys, the one in use first, as some verifiers take the first one whatever its `kid`. */
  published(): Promise<JWK[]>
  /** In the order of their making; none where no id token was ever needed. */
  list(): Promise<ListedKey[]>
  /** Makes the next key when it is due, and drops those that nobody needs any more. */
  tend(): Promise<void>
  /**
   * A next key whether due or not, and its `kid`. With `atOnce` it signs from now on and the keys before it are dropped, so
   * that nothing they signed is accepted any more.
   */
  rotate(options?: { atOnce?: boolean }): Promise<string>
}

export interface SigningKeysResources {
  database: Database
  keyring: Pick<Keyring, 'service'>
  clock: Clock
  settings: Pick<Settings, 'idTokenAlgorithm' | 'idTokenKeyDays'>
}

export function signingKeys({ database, keyring, clock, settings }: SigningKeysResources): SigningKeys {
  let known: { keys: Promise<SigningKeyRecord[]>; readAt: number } | undefined
  const opened = new Map<string, KeyObject>()

  async function readOrMake(): Promise<SigningKeyRecord[]> {
    const keys = await listSigningKeys(database)
    if (keys.length > 0) return keys
    await makeNext(0, clock.now())
    return listSigningKeys(database)
  }

  /** Never none. What failed is not kept. */
  function keys(): Promise<SigningKeyRecord[]> {
    const now = clock.now()
    if (known && Math.abs(now - known.readAt) < rereadMs) return known.keys
    const reading = { keys: readOrMake(), readAt: now }
    known = reading
    reading.keys.catch(() => {
      if (known === reading) known = undefined
    })
    return reading.keys
  }

  async function makeNext(after: number, startsAt: number): Promise<string> {
    const algorithm = settings.idTokenAlgorithm
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
    const publicJwk = await exportJWK(publicKey)
    const keyId = await calculateJwkThumbprint(publicJwk)
    await offerSigningKey(database, {
      generation: after + 1,
      keyId,
      algorithm,
      publicJwk: JSON.stringify({ ...publicJwk, kid: keyId, alg: algorithm, use: 'sig' }),
      sealedPrivateJwk: keyring.service.seal(JSON.stringify(await exportJWK(privateKey)), sealingContext(keyId)),
      startsAt,
    })
    known = undefined
    return keyId
  }

  function openKey({ keyId, sealedPrivateJwk }: SigningKeyRecord): KeyObject {
    const kept = opened.get(keyId)
    if (kept) return kept
    const jwk = JSON.parse(keyring.service.open(sealedPrivateJwk, sealingContext(keyId)))
    const key = createPrivateKey({ key: jwk, format: 'jwk' })
    opened.set(keyId, key)
    return key
  }

  return {
    async inUse() {
      const key = keyInUse(await keys(), clock.now())
      return { keyId: key.keyId, algorithm: key.algorithm, privateKey: openKey(key) }
    },

    async published() {
      const now = clock.now()
      const all = needed(await keys(), now)
      const current = keyInUse(all, now)
      return [current, ...all.filter((key) => key !== current)].map(({ publicJwk }) => JSON.parse(publicJwk) as JWK)
    },

    async list() {
      const now = clock.now()
      const all = await listSigningKeys(database)
      const current = all.length > 0 ? all.indexOf(keyInUse(all, now)) : -1
      return all.map(({ keyId, algorithm, startsAt }, i) => {
        const use = i === current ? 'in use' : i > current ? 'next' : 'before'
        return { keyId, algorithm, startsAt, use }
      })
    },

    async tend() {
      const now = clock.now()
      const all = await listSigningKeys(database)
      const newest = all.at(-1)
      if (!newest) return // nobody has needed one yet
      const isOld = now >= newest.startsAt + settings.idTokenKeyDays * day - publishedBeforeMs
      const isOther = newest.algorithm !== settings.idTokenAlgorithm
      // Not before the newest signs, so that servers with different settings make one a day at most.
      if (now >= newest.startsAt && (isOld || isOther)) await makeNext(newest.generation, now + publishedBeforeMs)
      const [oldest] = needed(all, now)
      if (oldest !== all[0]) {
        await dropSigningKeysBefore(database, oldest!.generation)
        known = undefined
        opened.clear()
      }
    },

    async rotate({ atOnce = false } = {}) {
      const newest = (await listSigningKeys(database)).at(-1)?.generation ?? 0
      const now = clock.now()
      const keyId = await makeNext(newest, atOnce ? now : now + publishedBeforeMs)
      const made = (await listSigningKeys(database)).find(({ generation }) => generation === newest + 1)
      if (made?.keyId !== keyId) throw new Error('another process made a signing key at this moment; look at the list')
      if (atOnce) await dropSigningKeysBefore(database, newest + 1)
      opened.clear()
      return keyId
    },
  }
}

const sealingContext = (keyId: string) => `signing key ${keyId}`

/** The newest that has begun, or the oldest when the clock stands before all of them. */
export function keyInUse(keys: readonly SigningKeyRecord[], now: number): SigningKeyRecord {
  return keys.findLast(({ startsAt }) => startsAt <= now) ?? keys[0]!
}

/** All but those whose successor has signed for so long that no id token of theirs can live. */
function needed(keys: readonly SigningKeyRecord[], now: number): readonly SigningKeyRecord[] {
  return keys.filter((_, index) => {
    const successor = keys[index + 1]
    return !successor || now < successor.startsAt + publishedAfterMs
  })
}
