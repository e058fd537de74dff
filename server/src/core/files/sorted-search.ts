// Which entry of an ascending list is the last one that is not above a value?

/** Returns an index within [from, end), or `from - 1` when all entries are above `value`. */
export function lastAtMost(
  ascending: Float64Array | Uint32Array,
  value: number,
  from = 0,
  end = ascending.length,
): number {
  let low = from
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
