// What time is it in the service? The time of this machine plus what a test adds; operator and service have one clock.

import { send } from './send.ts'

export interface Clock {
  /** Lets time pass at once. Only forwards. @returns the new time */
  advance(by: Duration): Promise<Date>
  now(): Promise<Date>
}

export interface Duration {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
}

interface ClockState {
  readonly now: string
}

const hoursIn = { days: 24, hours: 1, minutes: 1 / 60, seconds: 1 / 3600 } as const

export function clockOf(sandboxUrl: string): Clock {
  const path = `${sandboxUrl}/sandbox/clock`
  return {
    async advance(by) {
      const hours = hoursOf(by)
      return new Date((await send<ClockState>(`${path}/advance`, { body: { hours } })).now)
    },
    now: async () => new Date((await send<ClockState>(path)).now),
  }
}

/** @throws TypeError */
function hoursOf(by: Duration): number {
  const parts = Object.entries(by).map(([unit, count]) => count * (hoursIn[unit as keyof Duration] ?? Number.NaN))
  const hours = parts.reduce((sum, part) => sum + part, 0)
  if (parts.length > 0 && hours >= 0) return hours
  throw new TypeError('clock.advance takes { days, hours, minutes, seconds }, each zero or more')
}
