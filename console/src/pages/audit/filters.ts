// Which audit lines are shown? The filters are in the URL.

export interface AuditFilters {
  /** `person:…`, `client:…` or `command:…` */
  readonly actor?: string
  readonly action?: string
  /** Days where the person is: `2026-11-23`. */
  readonly from?: string
  readonly to?: string
}

const day = /^\d{4}-\d{2}-\d{2}$/

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && day.test(value) && !Number.isNaN(Date.parse(value))

/** What the URL says; anything else is left out. */
export function readAuditFilters({ actor, action, from, to }: Readonly<Record<string, unknown>>): AuditFilters {
  return {
    ...(typeof actor === 'string' && /^(person|client|command):\S{1,128}$/.test(actor) && { actor }),
    ...(typeof action === 'string' && /^[A-Za-z]{1,64}$/.test(action) && { action }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  }
}

/** As the call takes them: days begin at midnight of the person, and the last day counts as a whole. */
export const sentAuditFilters = ({ from, to, ...others }: AuditFilters) => ({
  ...others,
  ...(from !== undefined && { from: new Date(`${from}T00:00`).toISOString() }),
  ...(to !== undefined && { to: midnightAfter(to) }),
})

function midnightAfter(text: string): string {
  const time = new Date(`${text}T00:00`)
  // Not 24 hours later: clocks change twice a year.
  time.setDate(time.getDate() + 1)
  return time.toISOString()
}
