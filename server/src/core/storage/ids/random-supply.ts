// How are random bytes cheap? A call of the system's generator takes 3 µs, for 12 bytes as for 4,096.

import { randomBytes } from 'node:crypto'

const supplyBytes = 4096

/** Returns a function that gives this many random bytes (at most 4,096), no byte twice. */
export function randomSupply(): (size: number) => Buffer {
  let supply = Buffer.alloc(0)
  return (size) => {
    // A new buffer each time, since what was given still points into the old one.
    if (supply.length < size) supply = randomBytes(supplyBytes)
    const given = supply.subarray(0, size)
    supply = supply.subarray(size)
    return given
  }
}
