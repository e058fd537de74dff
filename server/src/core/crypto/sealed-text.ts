// How is data encrypted for storage? With AES-256-GCM, bound to the place where it is stored.

import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

/** The version of a key that is never rotated. A sealed text: version of its key, 96-bit nonce, ciphertext, 128-bit tag. */
const onlyVersion = 1
const nonceBytes = 12
const tagBytes = 16
/** A sealed text is longer than its content by this many bytes. */
export const sealingBytes = 1 + nonceBytes + tagBytes

/**
 * Encrypts under a 256-bit key. `context` names the place of the data, so that it cannot be moved to another row.
 * The key is a KeyObject, since a raw buffer is several times slower on Node 24.
 */
export function seal(
  key: KeyObject,
  plain: Uint8Array,
  context: string,
  version = onlyVersion,
  randomOf: (size: number) => Uint8Array = randomBytes,
): Uint8Array {
  const nonce = randomOf(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([Buffer.of(version), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** The sealed data. @throws Error when data, context, key or version do not match */
export function open(key: KeyObject, sealed: Uint8Array, context: string, version = onlyVersion): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes[0] !== version || bytes.length < sealingBytes) throw new Error('not a sealed text of a known form')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-tagBytes))
  const plain = decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes))
  decipher.final() // with GCM it returns no bytes, but throws if the tag is wrong
  return plain
}

/** The version of the key that sealed the text. */
export const keyVersionOf = (sealed: Uint8Array): number => sealed[0] ?? 0
