// Which time range does the overview show? A length until now, in the URL.

export const ranges = {
  '15m': { name: '15 minutes', ms: 15 * 60_000 },
  '1h': { name: '1 hour', ms: 3_600_000 },
  '6h': { name: '6 hours', ms: 6 * 3_600_000 },
  '24h': { name: '24 hours', ms: 24 * 3_600_000 },
  '7d': { name: '7 days', ms: 7 * 24 * 3_600_000 },
  '30d': { name: '30 days', ms: 30 * 24 * 3_600_000 },
} as const
export type Range = keyof typeof ranges
export const defaultRange: Range = '24h'

/** What the URL says; anything else is left out. */
export const readRange = ({ range }: Readonly<Record<string, unknown>>): { range?: Range } =>
  typeof range === 'string' && range in ranges ? { range: range as Range } : {}

/** From when until when; `to` is the end of the minute, so that the same minute is the same question. */
export function timesOf(range: Range, now: number): { from: string; to: string } {
  const to = Math.ceil(now / 60_000) * 60_000
  return { from: new Date(to - ranges[range].ms).toISOString(), to: new Date(to).toISOString() }
}
