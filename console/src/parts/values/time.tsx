// When was it? Relative while it is recent, else the date; the exact time in the title.

import { useEffect, useState } from 'react'
import { locale } from './locale.ts'
import { dateText, timeText } from './time-text.ts'

const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' })
const clock = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** When it was, never how long ago: rows that follow each other quickly are compared. */
export function ClockTime({ at }: { at: string }) {
  const time = Date.parse(at)
  const now = Date.now()
  const isToday = new Date(time).toDateString() === new Date(now).toDateString()
  return (
    <time dateTime={at} title={exact.format(time)} className="figures">
      {isToday ? clock.format(time) : dateText(time, now)}
    </time>
  )
}

export function Time({ at }: { at: string }) {
  const time = Date.parse(at)
  const [now, setNow] = useState(Date.now)
  const { text, validMs } = timeText(time, now)
  useEffect(() => {
    if (validMs === undefined) return
    const timer = setTimeout(() => setNow(Date.now()), validMs + 50)
    return () => clearTimeout(timer)
  }, [validMs])
  return (
    <time dateTime={at} title={exact.format(time)} className="figures">
      {text}
    </time>
  )
}

/** Date and time to the second, with the time zone of the person. */
export const exactTime = (at: string) => exact.format(Date.parse(at))
