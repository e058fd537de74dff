// What is a token, where is it kept, and which key opens what was kept for it? All of it follows from the token's text.

import { createSecretKey, hash, type KeyObject, randomBytes } from 'node:crypto'
import { alphabet, checksum } from '../crypto/api-key.ts'
import type { TokenKey, TokenView } from '../storage/tokens.ts'

/*
 * `rft_`, the expiry's bucket (16 bits, 3 digits), 256 random bits (43 digits), CRC-32 (6 digits), all in base62: made
 * like our other secrets, so that a leak scanner finds it and a mistyped one is refused without asking the store.
 */
const prefix = 'rft_'
const bucketDigits = 3
const randomDigits = 43
const checksumDigits = 6
const form = new RegExp(`^${prefix}[0-9A-Za-z]{${bucketDigits + randomDigits + checksumDigits}}$`)

/** A bucket is short enough that expired tokens leave soon, and 2^16 of them last 455 days before one comes again. */
const bucketMs = 600_000
const bucketCount = 2 ** 16

/** See migration 0003. */
export const shardCount = 64

/** The bucket of a time: whole ten minutes since the Unix epoch. */
export const bucketOf = (timeMs: number) => Math.floor(timeMs / bucketMs)

/** A new token that expires at this time. */
export function makeToken(expiresAt: number): string {
  const body = `${prefix}${digitsOf(bucketOf(expiresAt) % bucketCount)}${randomText(randomDigits)}`
  return body + checksum(body)
}

/** Where a token is kept, or undefined for what cannot be a token. The bucket it names is the one nearest to `now`. */
export function tokenKey(token: string, now: number): TokenKey | undefined {
  if (!form.test(token)) return undefined
  if (checksum(token.slice(0, -checksumDigits)) !== token.slice(-checksumDigits)) return undefined
  const named = numberOf(token.slice(prefix.length, prefix.length + bucketDigits))
  if (named >= bucketCount) return undefined
  const digest = hash('sha256', token, 'buffer')
  return { shard: digest[0]! % shardCount, bucket: nearestBucket(named, bucketOf(now)), hash: digest.subarray(0, 16) }
}

/** The key under which the token's texts are sealed; it is derived from the token and kept nowhere. */
export function tokenSealingKey(token: string): KeyObject {
  return createSecretKey(hash('sha256', `ringfence token texts\n${token}`, 'buffer'))
}

/** What a sealed text is bound to beside its token. */
export const sealingContext = (tenantId: string, view: TokenView) => `token ${tenantId} ${view}`

function nearestBucket(named: number, current: number): number {
  const ahead = (named - (current % bucketCount) + bucketCount) % bucketCount
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

/** Digits of base62, each as likely as the others: bytes from 4 × 62 on would favour the first ones and are thrown away. */
function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length + 8)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
