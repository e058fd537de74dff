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
