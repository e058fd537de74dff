// What is an OTP here? Random digits. Only a keyed hash is stored, bound to the transaction.

import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import type { TenantKeys } from '../../../core/crypto/keyring.ts'

/** Uniformly random, including leading zeros. */
export const newOtp = (digits: number) => String(randomInt(10 ** digits)).padStart(digits, '0')

/** For a message that is held back: longer than any OTP that a person can enter. */
export const noOtp = () => randomUUID()

/** HMAC-SHA-256 with the tenant's key, so that a stolen store alone does not allow guessing. */
export const hashOfOtp = (keys: TenantKeys, transactionId: string, otp: string): Uint8Array =>
  keys.hash(`otp ${transactionId} ${otp}`)

/** Compares with each hash in constant time. */
export function isOtp(offered: Uint8Array, hashes: readonly (Uint8Array | null)[]): boolean {
  let matches = false
  for (const hash of hashes) {
    const same = timingSafeEqual(offered, hash ?? Buffer.alloc(offered.length))
    matches ||= hash !== null && same
  }
  return matches
}
