// How many rows has a statement? One of a few sizes, so that few texts are prepared.

/** Parts of these sizes, which descend to 1. */
export function inSizes<T>(all: readonly T[], sizes: readonly number[]): T[][] {
  const parts: T[][] = []
  for (let from = 0; from < all.length; ) {
    const size = sizes.find((each) => each <= all.length - from)!
    parts.push(all.slice(from, from + size))
    from += size
  }
  return parts
}

/** As many rows as a padded statement has at most. */
export const paddedAtOnce = 16
export const paddedSizes: readonly number[] = [1, 4, paddedAtOnce]

/** Rows for a statement to which a repeated row makes no difference: the last one is repeated up to the next of a few sizes. */
export function padded<T>(rows: readonly T[]): T[] {
  const size = paddedSizes.find((each) => each >= rows.length)!
  return Array.from({ length: size }, (_, i) => rows[Math.min(i, rows.length - 1)]!)
}
