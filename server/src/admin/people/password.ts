// Is this the password? Argon2id (RFC 9106) with the parameters that OWASP recommends.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { slowHash } from '../../core/crypto/slow-hash.ts'

/** base64 of salt and tag, with the parameters that made it. */
export interface PasswordHash {
  readonly memoryKib: number
  readonly passes: number
  readonly salt: string
  readonly tag: string
}

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const parameters = { memoryKib: 19_456, passes: 2 } as const

/** `beside`: another of the same email address, whose salt it gets. */
export async function hashPassword(password: string, beside?: PasswordHash): Promise<PasswordHash> {
  const salt = beside ? Buffer.from(beside.salt, 'base64') : randomBytes(16)
  const tag = await tagOf(password, { ...parameters, salt })
  return { ...parameters, salt: salt.toString('base64'), tag: tag.toString('base64') }
}

/**
 * Of which of these is it the password? It takes as long for several with one salt as for one, and for none: nothing shows how many accounts
 * an email address has.
 */
export async function whosePassword<T>(
  password: string,
  accounts: readonly { readonly of: T; readonly hash: PasswordHash }[],
): Promise<T[]> {
  const bySalt = Map.groupBy(accounts, ({ hash: { salt, memoryKib, passes } }) => `${salt} ${memoryKib} ${passes}`)
  if (bySalt.size === 0) await tagOf(password, { ...parameters, salt: randomBytes(16) })
  const found: T[] = []
  for (const same of bySalt.values()) {
    const { salt, memoryKib, passes } = same[0]!.hash
    const tag = await tagOf(password, { memoryKib, passes, salt: Buffer.from(salt, 'base64') })
    for (const { of, hash } of same) if (isSame(tag, Buffer.from(hash.tag, 'base64'))) found.push(of)
  }
  return found
}

const isSame = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)

/** NFKC, since keyboards write one character in several ways (NIST SP 800-63B, 5.1.1.2). */
const tagOf = (
  password: string,
  { memoryKib, passes, salt }: { memoryKib: number; passes: number; salt: Uint8Array },
): Promise<Buffer> => slowHash({ text: password.normalize('NFKC'), salt, argon2id: { memoryKib, passes } })
