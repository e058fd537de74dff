// Which moment does a text mean? Only one that exists: `Date.parse` takes 30 February for 2 March.

/** Epoch milliseconds; undefined for what is no date, or none of the calendar. A date without a time begins in UTC. */
export function momentIn(text: string): number | undefined {
  const at = Date.parse(text)
  if (Number.isNaN(at)) return undefined
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? []
  if (year === undefined) return at
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() + 1 === Number(month) ? at : undefined
}
