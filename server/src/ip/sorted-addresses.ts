// Which of many sorted IP ranges is the last to begin at or before an IP address?

/**
 * @param starts the first address of each range, ascending, in the words of `Address`
 * @returns the row, or −1 when all ranges begin after the address
 */
export function lastRangeFrom(starts: Uint32Array, words: readonly number[]): number {
  const width = words.length
  let low = 0
  let high = starts.length / width
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isAtMost(starts, middle * width, words)) low = middle + 1
    else high = middle
  }
  return low - 1
}

function isAtMost(starts: Uint32Array, at: number, words: readonly number[]): boolean {
  for (let i = 0; i < words.length; i++) {
    if (starts[at + i]! !== words[i]!) return starts[at + i]! < words[i]!
  }
  return true
}

/** Negative when `a` is the lower address. */
export function compareAddresses(a: ArrayLike<number>, b: ArrayLike<number>): number {
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[i]!
    if (difference !== 0) return difference
  }
  return 0
}
