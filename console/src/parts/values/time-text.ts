// How long ago was it, or in how long will it be? In its largest unit, and a date after a day.

import { language, locale } from './locale.ts'

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always', style: 'narrow' })
const sameYear = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const otherYear = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric' })

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

function inFuture(ms: number): string {
  const [length, unit] =
    ms >= day ? ([day, 'day'] as const) : ms >= hour ? ([hour, 'hour'] as const) : ([minute, 'minute'] as const)
  return relative.format(Math.floor(ms / length), unit)
}

/** Text for a time, and for how many milliseconds it stays right; undefined: permanently. */
export function timeText(at: number, now: number): { text: string; validMs: number | undefined } {
  const ago = now - at
  if (ago < -minute) return { text: inFuture(-ago), validMs: undefined }
  if (ago < minute) return { text: 'just now', validMs: minute - Math.max(0, ago) }
  if (ago < hour)
    return { text: relative.format(-Math.floor(ago / minute), 'minute'), validMs: minute - (ago % minute) }
  if (ago < day) return { text: relative.format(-Math.floor(ago / hour), 'hour'), validMs: hour - (ago % hour) }
  return { text: dateText(at, now), validMs: undefined }
}

/** `Nov 29, 14:03`, and the year in place of the time when it is another one. */
export const dateText = (at: number, now: number): string =>
  (new Date(at).getFullYear() === new Date(now).getFullYear() ? sameYear : otherYear).format(at)

/** RFC 3339. */
export const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString()
