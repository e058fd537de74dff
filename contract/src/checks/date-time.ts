// Which texts are dates and times on the wire?

import Type, { type TSchema } from 'typebox'

const dateTime =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])[Tt]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)$'
const isDateTime = new RegExp(dateTime)

/** RFC 3339 with a time zone, and with any number of fractional digits. */
export const DateTime = (description: string) =>
  Type.String({
    pattern: dateTime,
    maxLength: 64,
    description: `${description}; RFC 3339`,
  })

/** A calendar date that exists, RFC 3339 full-date: 2026-10-31. */
export const CalendarDate = (description: string) =>
  Type.String({ format: 'date', description: `${description}; YYYY-MM-DD`, examples: ['2025-11-01'] })

/** Marks a date that is not in the future. A schema knows no clock: `dateMistake` checks it. */
const pastKeyword = 'x-past'

/** A calendar date on which something has happened. */
export const PastDate = (description: string) =>
  Type.String({ ...CalendarDate(`${description}; not in the future`), [pastKeyword]: true })

/** Whether a schema is one of these. */
export const isTime = ({ pattern, format }: { readonly pattern?: string; readonly format?: string }) =>
  pattern === dateTime || format === 'date'

type Fields = Readonly<Record<string, TSchema>>

/**
 * What is wrong with the first date among these fields; undefined when nothing is. Tomorrow is not in the future: where the caller is,
 * it may have begun.
 */
export function dateMistake(fields: Fields, values: object, nowMs: number): string | undefined {
  for (const [name, schema] of Object.entries(fields)) {
    const value: unknown = Reflect.get(values, name)
    if (value === undefined || Reflect.get(schema, 'format') !== 'date') continue
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value) || !isDay(value))
      return `${name} must be a date that exists, as YYYY-MM-DD`
    if (Reflect.get(schema, pastKeyword) === true && value > dayOf(nowMs + dayMs))
      return `${name} must not be in the future: send a date until today, as YYYY-MM-DD`
  }
  return undefined
}

const dayMs = 24 * 3_600_000
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

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
