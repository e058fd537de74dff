// Which texts are dates and times on the wire?

import Type from 'typebox'

const dateTime =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])[Tt]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)$'
const isDateTime = new RegExp(dateTime)
const calendarDate = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$'

/** RFC 3339 with a time zone, and with any number of fractional digits. */
export const DateTime = (description: string) =>
  Type.String({
    pattern: dateTime,
    maxLength: 64,
    description: `${description}; RFC 3339`,
  })

/** A calendar date, RFC 3339 full-date: 2026-10-31. A day that no month has is refused where it is read. */
export const CalendarDate = (description: string) =>
  Type.String({
    pattern: calendarDate,
    description: `${description}; YYYY-MM-DD`,
    examples: ['2025-11-01'],
  })

/** A calendar date that is not in the future; `outOfRange` checks that. */
export const PastDate = (description: string) => ({ ...CalendarDate(description), isPast: true })

/** Whether a schema is one of these. */
export const isTime = ({ pattern }: { readonly pattern?: string | undefined }) =>
  pattern === dateTime || pattern === calendarDate

/** Epoch milliseconds of an RFC 3339 date-time; NaN for any other text, and for a day that its month does not have. */
export function timeOf(text: string): number {
  if (!isDateTime.test(text) || !isDay(text.slice(0, 10))) return Number.NaN
  // JavaScript knows no leap second.
  return Date.parse(text.toUpperCase().replace(/:60(?=\D)/, ':59'))
}

/** Date.parse reads 30 February as 2 March. */
function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
