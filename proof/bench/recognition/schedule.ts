// When does a device come, and how? First visits over half a year, returns after hours to months, some without storage.

import type { How } from './device.ts'
import type { Random } from './random.ts'

export interface Appointment {
  readonly day: number
  /** The browser has lost its token: it was cleared, or this is a private window. */
  readonly isCleared: boolean
  readonly how: How
}

export interface Habits {
  readonly returns: number
  /** Part of the returns with storage cleared. */
  readonly cleared: number
  /** Part of the returns in private windows; these never have a token. */
  readonly privateWindows: number
}

/** The first visits of a population are spread over this time. */
const arrivalDays = 180

/** Days until a return: from six hours to ninety days, each order of magnitude equally likely, so fifteen on average. */
export const daysUntilReturn = (chance: number) => 0.25 * 360 ** chance

/** The visits of one device, in order; the first has no token. */
export function scheduleOf({ returns, cleared, privateWindows }: Habits, random: Random): Appointment[] {
  let day = random.next() * arrivalDays
  const its: Appointment[] = [{ day, isCleared: true, how: {} }]
  for (let left = returns; left > 0; left--) {
    day += daysUntilReturn(random.next())
    const isPrivate = random.chance(privateWindows)
    its.push({ day, isCleared: isPrivate || random.chance(cleared), how: { isPrivate } })
  }
  return its
}
