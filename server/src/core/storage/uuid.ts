// How does a UUID become 16 bytes, and text again (RFC 9562)? How does a key begin with its day?

import { randomUUID } from 'node:crypto'

const form = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether the text is a UUID in lower case, of any version. */
export const isUuid = (text: string): boolean => form.test(text)

/** 16 bytes for each UUID. */
export const uuidBytes = (...uuids: readonly string[]): Buffer => Buffer.from(uuids.join('').replaceAll('-', ''), 'hex')

/** Of 16 bytes. */
export function uuidText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  // A regular expression would take three times as long, and most requests read several.
  const hex = Buffer.from(buffer, byteOffset, byteLength).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A random UUID of version 7, which begins with its time. `now`: epoch milliseconds. */
export function newUuidAt(now: number): string {
  const time = now.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Whether two ids, or two hashes, have the same bytes. */
export const isSameId = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** A UUID of version 8, a custom format (RFC 9562), from the first 16 bytes of a keyed hash. */
export const uuidOfHash = (hash: Uint8Array): string =>
  Buffer.from(hash.subarray(0, 16))
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')

const dayMs = 86_400_000

/**
 * Two bytes of the day (UTC), which last until 2149, then a hash or random bits: rows of a day lie together. (decision 98)
 */
export function dayKey(epochMs: number, rest: Uint8Array): Uint8Array {
  const day = Buffer.alloc(2)
  day.writeUInt16BE(Math.floor(epochMs / dayMs) & 0xffff)
  return Buffer.concat([day, rest])
}
