// How does this browser prove that it is the same one? With a key that no script can read. (WebCrypto)

import { canonicalJson } from './canonical-json.ts'
import { inDatabase } from './database.ts'
import type { PersistentStorage } from './persistent-storage.ts'
import type { IntelligenceRequest } from './wire.ts'

/** As the contract has it: both in base64url. */
export type Proof = Readonly<Record<'publicKey' | 'signature', string>>

export interface InstallationKey {
  /** Loads or makes the key, so that a later proof need not wait for it. */
  prepare(): void
  /** Signs a request. `undefined` where the browser cannot store a key, or takes too long. */
  proofOf(request: IntelligenceRequest): Promise<Proof | undefined>
}

/** The private key cannot be exported. The public key is text, ready to send. */
interface StoredKey {
  readonly privateKey: CryptoKey
  readonly publicKey: string
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/**
 * The key of an app on this origin. A browser that stored one before may take longer to return it,
 * because its device token is worth little without the key.
 */
export function installationKey(
  storage: PersistentStorage,
  appId: string,
  limits = { firstMs: 1_000, laterMs: 3_000 },
): InstallationKey {
  const name = `key.${appId}`
  let known: Promise<StoredKey | undefined> | undefined

  /** IndexedDB may hang, so the first caller waits at most the limit, and later ones not at all. */
  function key(): Promise<StoredKey | undefined> {
    if (known) return known
    const limitMs = storage.get(name) === undefined ? limits.firstMs : limits.laterMs
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, limitMs))
    const loading = storedKey(name)
    known = Promise.race([loading, late])
    loading.then(
      (key) => {
        known = Promise.resolve(key)
        storage.set(name, 'stored')
      },
      () => {
        known = undefined // the next call tries again
      },
    )
    return known
  }

  return {
    prepare: () => void key().catch(() => {}),
    async proofOf(request) {
      try {
        const found = await key()
        return found && (await signed(request, found))
      } catch {
        return undefined // no WebCrypto, or no IndexedDB that can store keys
      }
    },
  }
}

/**
 * Two pages may make a key at the same time: the transaction stores the first one, and both use it.
 * A key that is not stored is not used, because the next page would not have it.
 */
async function storedKey(name: string): Promise<StoredKey> {
  const found = await inDatabase<StoredKey | undefined>('readonly', (values) => values.get(name))
  if (found) return found
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign'])
  const made = { privateKey, publicKey: base64url(await crypto.subtle.exportKey('raw', publicKey)) }
  const first = await inDatabase<StoredKey | undefined>('readwrite', (values) => {
    const reading = values.get(name)
    reading.onsuccess = () => {
      if (reading.result) return
      try {
        values.put(made, name)
      } catch {
        values.transaction.abort() // this browser stores no keys
      }
    }
    return reading
  })
  return first ?? made
}

async function signed(request: IntelligenceRequest, { privateKey, publicKey }: StoredKey): Promise<Proof> {
  const { tsId, challenge, requestId } = request
  const bodyHash = base64url(await crypto.subtle.digest('SHA-256', bytesOf(canonicalJson(request))))
  const text = ['ringfence-proof-v1', tsId, challenge, requestId, bodyHash].join('\n')
  return { publicKey, signature: base64url(await crypto.subtle.sign(algorithm, privateKey, bytesOf(text))) }
}

export const bytesOf = (text: string) => new TextEncoder().encode(text)

export const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')
