// With which public keys does a client authenticate at the CAMARA API? Adds and removes them.

import { createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/storage/database.ts'
import { ClientChangeRefused } from './credentials.ts'
import { deletePublicKey, insertPublicKey, listPublicKeys } from './store/client-public-keys.ts'
import { findClient } from './store/clients.ts'

/** Enough for a rotation on two systems. */
const mostPublicKeys = 5
/** An RSA key of 4096 bits has 800 characters as PEM. */
const longestPublicKey = 4096

/** The key cannot be used. The message says what was expected. */
export class PublicKeyRefused extends Error {
  override name = 'PublicKeyRefused'
}

export interface AddedKey {
  /** Thumbprint of the key (RFC 7638). */
  readonly keyId: string
}

/** Adding the same key again changes nothing. @throws PublicKeyRefused or ClientChangeRefused */
export async function addPublicKey(
  { database, clock }: { database: Database; clock: Clock },
  clientId: string,
  text: string,
): Promise<AddedKey> {
  const jwk = publicJwk(text)
  const keyId = await calculateJwkThumbprint(jwk)
  await database.transaction(async (tx) => {
    const client = await findClient(tx, clientId)
    if (!client)
      throw new ClientChangeRefused('unknown', `there is no client ${clientId}; list all with: ringfence clients list`)
    if (client.revokedAt !== null)
      throw new ClientChangeRefused('revoked', `client ${clientId} is revoked; create another one`)
    const others = (await listPublicKeys(tx, clientId)).filter((key) => key.keyId !== keyId)
    if (others.length >= mostPublicKeys)
      throw new PublicKeyRefused(`the client has ${mostPublicKeys} public keys already: remove one first`)
    await insertPublicKey(tx, { clientId, keyId, jwk: JSON.stringify(jwk), createdAt: clock.now() })
  })
  return { keyId }
}

/** @returns whether the client had it */
export const removePublicKey = (database: Database, clientId: string, keyId: string): Promise<boolean> =>
  deletePublicKey(database, clientId, keyId)

const expected = 'send an RSA (2048 to 4096 bits), EC (P-256, P-384, P-521) or Ed25519 public key, as PEM or JWK'
const curves = ['prime256v1', 'secp384r1', 'secp521r1']

function publicJwk(text: string) {
  if (text.length > longestPublicKey) throw new PublicKeyRefused(`it is longer than ${longestPublicKey} characters`)
  const key = keyIn(text.trim())
  const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0, namedCurve = '' } = {} } = key
  const fits =
    (type === 'rsa' && modulusLength >= 2048 && modulusLength <= 4096) ||
    (type === 'ec' && curves.includes(namedCurve)) ||
    type === 'ed25519'
  if (!fits) throw new PublicKeyRefused(`this kind of key is not supported: ${expected}`)
  return key.export({ format: 'jwk' })
}

function keyIn(text: string): KeyObject {
  const isJson = text.startsWith('{')
  let jwk: unknown
  try {
    jwk = isJson ? JSON.parse(text) : undefined
  } catch {
    throw new PublicKeyRefused(`it is neither PEM nor JSON: ${expected}`)
  }
  // Node would make the public key of it, and whoever sent it would have shown the private one.
  const isPrivate = isJson ? 'd' in (jwk as object) || 'k' in (jwk as object) : /PRIVATE KEY-----/.test(text)
  if (isPrivate)
    throw new PublicKeyRefused(
      'it has the private key, which must not leave your system: make a new pair, send the public key',
    )
  try {
    return isJson ? createPublicKey({ key: jwk as never, format: 'jwk' }) : createPublicKey(text)
  } catch {
    throw new PublicKeyRefused(`it cannot be read: ${expected}`)
  }
}
