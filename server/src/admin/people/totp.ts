// Is this the code of the authenticator app? Time-based one-time passwords (RFC 6238) with SHA-1, 30 seconds and six digits.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { readCode } from '../../sign-in/authentication/one-time-code.ts'

const stepMs = 30_000
const digits = 6
/** Clocks of phones may be this many steps away. */
const skewSteps = 1
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code as the app shows it, however it was typed. Refuses with `fieldInvalid`, before anything is counted. */
export function readTotp(typed: string): string {
  const code = readCode(typed, digits)
  if (code !== undefined) return code
  throw new Refusal('fieldInvalid', { mistake: `code must be the ${digits} digits of the authenticator app` })
}

/** The step whose code this is, now or a step before or after; undefined for a wrong code. */
export function stepOfCode(code: string, secret: Uint8Array, now: number): number | undefined {
  const current = Math.floor(now / stepMs)
  const steps = Array.from({ length: 2 * skewSteps + 1 }, (_, i) => current - skewSteps + i)
  // Every step is compared, so that the time says nothing.
  return steps.filter((step) => areEqual(code, codeOf(secret, step))).at(0)
}

/** The code of a step (RFC 4226, 5.3). */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.at(-1)! & 15
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** RFC 4648, 6, without padding. */
export function base32Of(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits
    .match(/.{1,5}/g)!
    .map((five) => base32[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

/** What an authenticator app reads from a QR code. */
export function totpUri(secret: Uint8Array, account: string): string {
  const issuer = 'Ringfence'
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32Of(secret)}&issuer=${encodeURIComponent(issuer)}`
}

const areEqual = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
