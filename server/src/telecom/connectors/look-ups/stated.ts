// What does a vendor's field positively say? Empty texts, nulls and sentinels say nothing.

import { changedWithin, NotStated, type Window, WindowTooLong } from '@ringfence/contract'
import Type from 'typebox'
import type { OperatorId } from '../../portability-sources/source.ts'

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

/** A time without a zone is UTC. */
export const utc = (time: string) => (/(Z|[+-]\d{2}:?\d{2})$/i.test(time) ? time : `${time}Z`)

const dayMs = 86_400_000

/**
 * Whether a change on a day, of which the hour is not known, is within the window.
 *
 * @throws NotStated when the day does not say: the window begins on it
 */
export function changedOnDay(day: string, window: Window, nowMs: number) {
  const startMs = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(startMs)) throw new NotStated('impossible date')
  const first = changedWithin(new Date(startMs).toISOString(), window, nowMs)
  const last = changedWithin(
    new Date(Math.min(startMs + dayMs - 1, Math.max(nowMs, startMs))).toISOString(),
    window,
    nowMs,
  )
  if (first.swapped !== last.swapped) throw new NotStated('only the day of the change, on which the window begins')
  return { swapped: first.swapped, maxAgeHours: window.maxAge }
}

/**
 * A flag for a window that the caller cannot choose.
 *
 * @throws NotStated unless it is true or false
 * @throws WindowTooLong unless it is the window that is asked for: it does not answer another one
 */
export function flagForWindow(swapped: unknown, hours: number | undefined, { maxAge }: Window) {
  // Any other value is truthy or falsy by chance: "N" is no "not swapped".
  if (typeof swapped !== 'boolean') throw new NotStated('neither a date nor a flag')
  if (hours !== maxAge) throw new WindowTooLong('the answer is for another window', hours)
  return { swapped, maxAgeHours: maxAge }
}

/** Hours of an ISO 8601 duration of days and hours: "PT48H", "P5D". */
export function hoursOf(duration: string | null | undefined): number | undefined {
  const [, days = '0', hours = '0'] = /^P(?:(\d{1,4})D)?(?:T(\d{1,5})H)?$/.exec(duration ?? '') ?? []
  const total = Number(days) * 24 + Number(hours)
  return total > 0 ? total : undefined
}
