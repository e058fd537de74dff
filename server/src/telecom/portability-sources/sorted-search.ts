// Which entry of an ascending list is the last one not above a value?

/** Index within [from, end) of the last entry ≤ `value`; `from - 1` when all are above it. */
export function lastAtMost(ascending: Float64Array, value: number, from = 0, end = ascending.length): number {
  let low = from
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
