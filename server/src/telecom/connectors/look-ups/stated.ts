// What does a vendor's field positively say? Empty texts, nulls and sentinels say nothing.

import { changedWithin, NotStated, timeOf, type Window } from '@ringfence/contract'
import Type from 'typebox'
import type { OperatorId, PortabilityAnswer } from '../../portability-sources/source.ts'
import { WindowUnsupported } from '../connector.ts'

/** A field that a vendor may leave out, empty, or null. */
export const Text = Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()]))
export const Flag = Type.Optional(Type.Union([Type.Boolean(), Type.Enum(['true', 'false', '']), Type.Null()]))

export const textOf = (value: string | null | undefined) => (value === '' || value === null ? undefined : value)

/** Also of vendors that write a flag as a text. */
export function flagOf(value: boolean | string | null | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

/** "310-410" of mobile country and network code (E.212); undefined unless both are stated. */
export function operatorIdOf(mcc: string | null | undefined, mnc: string | null | undefined): OperatorId | undefined {
  return /^\d{3}$/.test(mcc ?? '') && /^\d{2,3}$/.test(mnc ?? '') ? `${mcc}-${mnc}` : undefined
}

/** The same of one text with both: "20810". */
export const operatorIdOfBoth = (code: string | null | undefined) => operatorIdOf(code?.slice(0, 3), code?.slice(3))

/** What a vendor states of who serves a number; undefined: nothing. */
export function statedOperator(
  asOf: number,
  stated: {
    readonly operator?: OperatorId | undefined
    readonly homeOperator?: OperatorId | undefined
    readonly ported?: boolean | undefined
  },
): PortabilityAnswer | undefined {
  const known = Object.entries(stated).filter(([, value]) => value !== undefined)
  return known.length === 0 ? undefined : { asOf, ...Object.fromEntries(known) }
}

/** ISO 8601: a day, or a time with or without its zone. */
const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/** A time in RFC 3339, with this zone where it has none; undefined without one, and for a day alone. */
export function withZone(text: string, zone?: string): string | undefined {
  const [, day, minutes, seconds = ':00', own = zone] = written.exec(text) ?? []
  if (minutes === undefined || own === undefined) return undefined
  return `${day}T${minutes}${seconds}${own.replace(/(\d\d):?(\d\d)$/, '$1:$2')}`
}

/**
 * Whether a change is within the window. A time with its zone says so. A day, and a time whose zone is not known, are between two
 * times, and say so where both give the same answer: an operator in Auckland is half a day ahead of us, one in Honolulu behind.
 *
 * @param zone of times and days without one, where the vendor documents it: "Z", "+05:30"
 * @throws NotStated when they do not, and for any other text: 02-03-2026 is a day in February or in March
 */
export function changedAt(text: string, window: Window, nowMs: number, zone?: string) {
  const exact = withZone(text, zone)
  if (exact !== undefined) return changedWithin(exact, window, nowMs)
  const [, day, minutes, seconds = ':00'] = written.exec(text) ?? []
  if (day === undefined) throw new NotStated('a date that is not written as RFC 3339 or YYYY-MM-DD')
  const [start, end] = minutes === undefined ? ['00:00:00', '23:59:59.999'] : [minutes + seconds, minutes + seconds]
  const first = changedWithin(`${day}T${start}${zone ?? '+14:00'}`, window, nowMs)
  const latestMs = timeOf(`${day}T${end}${zone ?? '-12:00'}`)
  const last = changedWithin(
    new Date(Math.min(latestMs, Math.max(nowMs, timeOf(first.latestChange!)))).toISOString(),
    window,
    nowMs,
  )
  if (first.swapped !== last.swapped)
    throw new NotStated('the change may be in the window or before it: its hour or zone is missing')
  return { swapped: first.swapped, maxAgeHours: window.maxAge }
}

/**
 * A flag for a window that the caller cannot choose.
 *
 * @throws NotStated unless it is true or false
 * @throws WindowUnsupported unless it is the window that is asked for: it does not answer another one
 */
export function flagForWindow(swapped: unknown, hours: number | undefined, { maxAge }: Window) {
  // Any other value is truthy or falsy by chance: "N" is no "not swapped".
  if (typeof swapped !== 'boolean') throw new NotStated('neither a date nor a flag')
  if (hours !== maxAge) throw new WindowUnsupported('the answer is for another window', { onlyHours: hours })
  return { swapped, maxAgeHours: maxAge }
}

/** There was no swap for so many hours, as a vendor says without a date. Throws WindowUnsupported for a longer window. */
export function notSwappedWithin(hours: number, { maxAge }: Window) {
  if (maxAge > hours) throw new WindowUnsupported('the answer is for a shorter window', { limitHours: hours })
  return { swapped: false, maxAgeHours: maxAge }
}

/** Hours of an ISO 8601 duration of days and hours: "PT48H", "P5D". */
export function hoursOf(duration: string | null | undefined): number | undefined {
  const [, days = '0', hours = '0'] = /^P(?:(\d{1,4})D)?(?:T(\d{1,5})H)?$/.exec(duration ?? '') ?? []
  const total = Number(days) * 24 + Number(hours)
  return total > 0 ? total : undefined
}
