// What is a token? Its text determines where it is stored and which key opens its sealed content.

import { createSecretKey, hash, type KeyObject, randomBytes } from 'node:crypto'
import { alphabet, checksum } from '../../core/crypto/api-key.ts'
import type { TokenKey, TokenView } from '../store/tokens.ts'

/*
 * `rft_`, the bucket of the expiry (16 bits, 3 digits), 256 random bits (43 digits), CRC-32 (6
 * digits), all in base62. The prefix lets leak scanners find tokens. The checksum refuses mistyped
 * ones without a query.
 */
const prefix = 'rft_'
const bucketDigits = 3
const randomDigits = 43
const checksumDigits = 6
const form = new RegExp(`^${prefix}[0-9A-Za-z]{${bucketDigits + randomDigits + checksumDigits}}$`)

/** Ten minutes: expired tokens leave the store soon, and 2^16 buckets repeat only after 455 days. */
const bucketMs = 600_000
const bucketCount = 2 ** 16

/** See core/storage/schema/11-sign-in.sql. */
export const shardCount = 64

/** Full ten minutes since the Unix epoch. */
export const bucketOf = (timeMs: number) => Math.floor(timeMs / bucketMs)

/** `expiresAt`: epoch milliseconds. */
export function makeToken(expiresAt: number): string {
  const body = `${prefix}${digitsOf(bucketOf(expiresAt) % bucketCount)}${randomText(randomDigits)}`
  return body + checksum(body)
}

/**
 * Where the token is stored. Undefined when the text cannot be a token. Of equal bucket numbers,
 * the one nearest to `now`.
 */
export function tokenKey(token: string, now: number): TokenKey | undefined {
  if (!form.test(token)) return undefined
  if (checksum(token.slice(0, -checksumDigits)) !== token.slice(-checksumDigits)) return undefined
  const bucketNumber = numberOf(token.slice(prefix.length, prefix.length + bucketDigits))
  if (bucketNumber >= bucketCount) return undefined
  const digest = hash('sha256', token, 'buffer')
  return {
    shard: digest[0]! % shardCount,
    bucket: nearestBucket(bucketNumber, bucketOf(now)),
    hash: digest.subarray(0, 16),
  }
}

/** The key that seals the token's content. It is derived from the token and stored nowhere. */
export function tokenSealingKey(token: string): KeyObject {
  return createSecretKey(hash('sha256', `ringfence token texts\n${token}`, 'buffer'))
}

/** Binds sealed content to its tenant and endpoint. */
export const sealingContext = (tenantId: string, view: TokenView) => `token ${tenantId} ${view}`

function nearestBucket(bucketNumber: number, current: number): number {
  const ahead = (bucketNumber - (current % bucketCount) + bucketCount) % bucketCount
  return current + (ahead < bucketCount / 2 ? ahead : ahead - bucketCount)
}

function digitsOf(number: number): string {
  let digits = ''
  for (let rest = number; digits.length < bucketDigits; rest = Math.floor(rest / alphabet.length)) {
    digits = alphabet[rest % alphabet.length] + digits
  }
  return digits
}

function numberOf(digits: string): number {
  let number = 0
  for (const digit of digits) number = number * alphabet.length + alphabet.indexOf(digit)
  return number
}

/** Uniform base62 digits. Bytes from 4 × 62 on are dropped, because they would favour the first digits. */
function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length + 8)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
