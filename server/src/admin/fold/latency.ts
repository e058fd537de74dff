// How long did operators take? Counted in buckets, so that hours and days add up; a bucket is a quarter wider than the one before.

/** Where buckets end, in milliseconds: the preferred numbers of ISO 3, series R10. */
const bounds = [
  ...[1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 63, 80],
  ...[100, 125, 160, 200, 250, 315, 400, 500, 630, 800],
  ...[1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000],
  ...[10_000, 12_500, 16_000, 20_000, 25_000, 31_500, 40_000, 50_000, 63_000],
]

/** Where the bucket of a time ends. What is longer than all is in the last one. */
export const bucketOf = (ms: number): string => String(bounds.find((bound) => ms <= bound) ?? bounds.at(-1)!)

export interface Bucket {
  /** Of `bucketOf`. */
  readonly bucket: string
  readonly count: number
}

/** The time that this share of all took at most, within a bucket by its place; undefined without any. */
export function percentileOf(buckets: readonly Bucket[], share: number): number | undefined {
  const sorted = buckets
    .map(({ bucket, count }) => ({ end: Number(bucket), count }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => one.end - other.end)
  let left = share * sorted.reduce((sum, { count }) => sum + count, 0)
  for (const { end, count } of sorted) {
    if (left <= count) {
      const start = bounds[bounds.indexOf(end) - 1] ?? 0
      return start + (end - start) * (left / count)
    }
    left -= count
  }
  return sorted.at(-1)?.end
}
