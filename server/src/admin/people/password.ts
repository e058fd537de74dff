// Is this the password? Argon2id (RFC 9106) with the parameters that OWASP recommends.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** base64 of salt and tag, with the parameters that made it. */
export interface PasswordHash {
  readonly memoryKib: number
  readonly passes: number
  readonly salt: string
  readonly tag: string
}

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const parameters = { memoryKib: 19_456, passes: 2 } as const
const derive = promisify(argon2)

export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16)
  const tag = await tagOf(password, { ...parameters, salt })
  return { ...parameters, salt: salt.toString('base64'), tag: tag.toString('base64') }
}

/** Without a hash, the answer is no and takes as long. */
export async function isPassword(password: string, hash: PasswordHash | undefined): Promise<boolean> {
  const { salt, tag, ...made } = hash ?? { ...parameters, salt: '', tag: '' }
  const found = await tagOf(password, { ...made, salt: hash ? Buffer.from(salt, 'base64') : randomBytes(16) })
  const expected = Buffer.from(tag, 'base64')
  return expected.length === found.length && timingSafeEqual(found, expected)
}

/** NFKC, since keyboards write one character in several ways (NIST SP 800-63B, 5.1.1.2). */
const tagOf = (
  password: string,
  { memoryKib, passes, salt }: { memoryKib: number; passes: number; salt: Uint8Array },
): Promise<Buffer> =>
  derive('argon2id', {
    message: password.normalize('NFKC'),
    nonce: salt,
    ...{ memory: memoryKib, passes, parallelism: 1, tagLength: 32 },
  })
