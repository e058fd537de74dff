// What stands for much data in a report? A short text that is the same for the same data.

/** FNV-1a over bytes, twice with different starts; 16 hex digits. It tells apart, and keeps no secret. */
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

/** The hash of anything that JSON can say. */
export const hashOf = (value: unknown): string => hash(new TextEncoder().encode(JSON.stringify(value)))

const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0')
