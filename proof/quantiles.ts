// Which value lies in the middle, and which at a share of all?

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value that this share of all are below; NaN of none. */
export function quantile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
