// Which id does an event get? A UUIDv7: its order is that of the time and, on one server, that of the calls.

import { randomSupply } from './random-supply.ts'

/** Counts within a millisecond, in the 12 bits after the version. (RFC 9562, 6.2, method 1) */
const mostPerMs = 0x1000

/**
 * Makes ids of 16 bytes, each greater than the one before, also when the clock is set back: then the last millisecond goes on.
 * @param now epoch milliseconds
 */
export function eventIds(): (now: number) => Uint8Array {
  let last = 0
  let count = 0
  const randomOf = randomSupply()
  return (now) => {
    if (now > last) [last, count] = [now, randomOf(1)[0]!]
    else if (++count === mostPerMs) [last, count] = [last + 1, 0]
    const id = randomOf(16)
    id.writeUIntBE(last, 0, 6)
    id.writeUInt16BE(0x7000 | count, 6)
    id[8] = (id[8]! & 0x3f) | 0x80
    return id
  }
}

/** Below every id of this millisecond, above those of earlier ones. */
export function lowestIdAt(epochMs: number): Uint8Array {
  const id = Buffer.alloc(16)
  id.writeUIntBE(Math.max(0, epochMs), 0, 6)
  return id
}

/** Epoch milliseconds of a UUIDv7. */
export const timeOf = (id: Uint8Array): number => Buffer.from(id.buffer, id.byteOffset, id.byteLength).readUIntBE(0, 6)
