// What is a one-time password here? Random digits, of which a keyed hash is kept, bound to their transaction.

import { randomInt, timingSafeEqual } from 'node:crypto'
import type { TenantKeys } from '../../crypto/keyring.ts'

/** As many digits as asked for, each combination as likely as any other, leading zeros included. */
export const newOtp = (digits: number) => String(randomInt(10 ** digits)).padStart(digits, '0')

/** HMAC-SHA-256 under the tenant's key: a copy of the store does not allow to try all of them. */
export const hashOfOtp = (keys: TenantKeys, transactionId: string, otp: string): Uint8Array =>
  keys.hash(`otp ${transactionId} ${otp}`)

/** Whether it is one of these; takes the same time whichever, and whatever was given. */
export function isOtp(offered: Uint8Array, hashes: readonly (Uint8Array | null)[]): boolean {
  let right = false
  for (const hash of hashes) {
    const same = timingSafeEqual(offered, hash ?? Buffer.alloc(offered.length))
    right ||= hash !== null && same
  }
  return right
}
