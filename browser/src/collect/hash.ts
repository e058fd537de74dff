// How is a large value reported? As a short hash that is equal for equal data.

/**
 * Two FNV-1a style hashes with different seeds; 16 hex digits. For comparison only: it is not
 * cryptographic.
 */
export function hash(data: ArrayLike<number>): string {
  let first = 0x811c9dc5
  let second = 0x01000193
  for (let index = 0; index < data.length; index++) {
    const byte = data[index] as number
    first = Math.imul(first ^ byte, 0x01000193)
    second = Math.imul(second ^ byte ^ (first >>> 24), 0x85ebca6b)
  }
  return hex(first) + hex(second)
}

/** The hash of a value's JSON. */
export const hashOf = (value: unknown): string => hash(new TextEncoder().encode(JSON.stringify(value)))

const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0')
