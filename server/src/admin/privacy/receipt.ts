// What proves that somebody was erased? A receipt with a signature of the tenant, without the person.

import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto'
import type { ErasureReceipt, PrivacySubject } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { slowHash } from '../../core/crypto/slow-hash.ts'

/** PKCS #8 of an Ed25519 key (RFC 8410) before its 32 bytes, and SPKI of a public key before its own. */
const privateKeyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicKeyPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Follows from the look-up key of the tenant, which never rotates: an old receipt can always be verified. */
const privateKeyOf = (keys: Pick<TenantKeys, 'hash'>): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([privateKeyPrefix, keys.hash('signing key of erasure receipts')]),
    format: 'der',
    type: 'pkcs8',
  })

/** 32 bytes in base64url. */
export const receiptKeyOf = (keys: Pick<TenantKeys, 'hash'>): string =>
  createPublicKey(privateKeyOf(keys)).export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64url')

/** Slow on purpose: whoever has a receipt could otherwise try all phone numbers. */
const hashOf = async (value: string, salt: Uint8Array): Promise<string> =>
  (await slowHash({ text: value, salt, scrypt: { cost: 32_768 } })).toString('base64url')

export async function hiddenSubject({ kind, value }: PrivacySubject): Promise<ErasureReceipt['subject']> {
  const salt = randomBytes(16)
  return { kind, salt: salt.toString('base64url'), hash: await hashOf(value, salt) }
}

/** Whether a receipt is about this value. */
export const isAbout = async ({ subject }: ErasureReceipt, value: string): Promise<boolean> =>
  (await hashOf(value, Buffer.from(subject.salt, 'base64url'))) === subject.hash

export function signedReceipt(
  receipt: Omit<ErasureReceipt, 'version' | 'publicKey' | 'signature'>,
  keys: Pick<TenantKeys, 'hash'>,
): ErasureReceipt {
  const unsigned = { version: 1 as const, ...receipt, publicKey: receiptKeyOf(keys) }
  const signature = sign(null, Buffer.from(signedText(unsigned)), privateKeyOf(keys)).toString('base64url')
  return { ...unsigned, signature }
}

/** Whether nobody has changed it since the owner of this public key signed it. */
export function isSigned({ signature, ...receipt }: ErasureReceipt, publicKey: string): boolean {
  const bytes = Buffer.from(publicKey, 'base64url')
  if (receipt.publicKey !== publicKey || bytes.length !== 32) return false
  const key = createPublicKey({ key: Buffer.concat([publicKeyPrefix, bytes]), format: 'der', type: 'spki' })
  return verify(null, Buffer.from(signedText(receipt)), key, Buffer.from(String(signature), 'base64url'))
}

/** JSON with sorted names, so that a file that was formatted again is the same receipt. */
function signedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(signedText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, part]) => `${JSON.stringify(name)}:${signedText(part)}`).join(',')}}`
}
