// When was it? Relative while it is recent, else the date; the exact time in the title.

import { useEffect, useState } from 'react'
import { locale } from './locale.ts'
import { timeText } from './time-text.ts'

const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' })
const clock = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** The time of day, to the second, for rows that follow each other quickly. */
export function ClockTime({ at }: { at: string }) {
  const time = Date.parse(at)
  if (new Date(time).toDateString() !== new Date().toDateString()) return <Time at={at} />
  return (
    <time dateTime={at} title={exact.format(time)} className="figures">
      {clock.format(time)}
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
