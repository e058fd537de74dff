// Which texts are dates and times on the wire?

import Type from 'typebox'

const dateTime = '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d)$'
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

/** Whether a schema is one of these. */
export const isTime = ({ pattern }: { readonly pattern?: string | undefined }) =>
  pattern === dateTime || pattern === calendarDate
