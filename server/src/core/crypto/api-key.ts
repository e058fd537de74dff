// What does an id or a secret look like? Prefix, random base62, and a CRC-32 that a leak scanner can check offline.

import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** base62, in ASCII order. */
export const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const checksumLength = 6

/**
 * `rfc_…`: client id, `rfa_…`: app id (128 random bits, public). `rfs_…`: client secret, `rfb_…`: session token of an SDK
 * (256 random bits).
 */
export type ApiKeyPrefix = 'rfc' | 'rfa' | 'rfs' | 'rfb'

const randomBits: Record<ApiKeyPrefix, number> = { rfc: 128, rfa: 128, rfs: 256, rfb: 256 }

/** A new id or secret: `<prefix>_<base62><6 characters of CRC-32>`. */
export function makeApiKey(prefix: ApiKeyPrefix): string {
  const bits = randomBits[prefix]
  const length = Math.ceil(bits / Math.log2(alphabet.length))
  const body = `${prefix}_${base62(BigInt(`0x${randomBytes(bits / 8).toString('hex')}`), length)}`
  return body + checksum(body)
}

/** Whether the text has the form and checksum of an id or secret. It need not exist. */
export function isApiKey(text: string, prefix?: ApiKeyPrefix): boolean {
  if (!/^rf[abcs]_[0-9A-Za-z]+$/.test(text) || (prefix && !text.startsWith(prefix))) return false
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

/** CRC-32 of the text as six base62 digits. */
export function checksum(body: string): string {
  let digits = ''
  for (let rest = crc32(body); digits.length < checksumLength; rest = Math.floor(rest / 62))
    digits = alphabet[rest % 62] + digits
  return digits
}

function base62(number: bigint, length: number): string {
  let digits = ''
  for (let rest = number; digits.length < length; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits
  return digits
}
