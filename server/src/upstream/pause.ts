// An upstream asked for a pause (Retry-After): which calls wait until it is over? A few, for a short one, and they leave one after another.

import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { before } from './deadline.ts'
import { DeadlinePassed, unsent } from './upstream-error.ts'

/** Longer pauses are not waited for: a request has five seconds by default. */
const longestWaitMs = 1500
/** More calls fail at once. With the time between two of them, the last one leaves a second after the first. */
const mostWaiting = 20
const apartMs = 50
const tickMs = 20

export interface Pause {
  isOn(): boolean
  /** The upstream asks for a pause. One that lasts longer stays. */
  begin(ms: number): void
  /**
   * Waits until the pause is over, and for the calls that waited before. False: it is too long, too many wait, or the upstream has asked
   * for another one, so the call must not be sent. Throws at the deadline.
   */
  waitOut(call: string, deadline: AbortSignal): Promise<boolean>
}

export function pauses(clock: Clock): Pause {
  /** A clock that is set back ends it: it must not last an hour. */
  let pause = { fromMs: 0, untilMs: 0 }
  const isOn = () => clock.now() >= pause.fromMs && clock.now() < pause.untilMs
  let waiting = 0
  let lastLeft: Promise<unknown> = Promise.resolve()

  /** A clock that stands still must not hold a call for longer than the pause. */
  async function isOver(of: object): Promise<boolean> {
    const endsAt = performance.now() + pause.untilMs - clock.now() + tickMs
    while (isOn() && pause === of && performance.now() < endsAt) await delay(tickMs)
    return !isOn()
  }

  return {
    isOn,
    begin(ms) {
      const now = clock.now()
      if (ms > 0 && !(isOn() && pause.untilMs > now + ms)) pause = { fromMs: now, untilMs: now + ms }
    },
    async waitOut(call, deadline) {
      const now = clock.now()
      if (isOn() && (pause.untilMs - now > longestWaitMs || waiting >= mostWaiting)) return false
      const of = pause
      waiting++
      const turn = lastLeft.then(() => isOver(of)).finally(() => waiting--)
      // If the first one is refused again, those after it are not sent.
      lastLeft = turn.then(() => (pause === of ? delay(apartMs) : undefined))
      return before(deadline, turn, () => unsent(new DeadlinePassed(call)) as Error)
    },
  }
}
