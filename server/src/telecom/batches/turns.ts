// How do batches leave room for live traffic? So many numbers at a time call operators, and requests that wait go first.

import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Overload } from '../../http/overload/overload.ts'

/** Requests that wait hold a batch up for this long at most: it has to get on under steady overload too. */
const longestPauseMs = 50
const pauseMs = 5

export interface Turns {
  /** Lets everything else run that is ready; longer while requests wait. */
  breathe(): Promise<void>
  /** Waits until one more may begin, such as a number that calls operators. Call what it returns when it is done. */
  enter(): Promise<() => void>
}

export function turns(most: number, overload: Pick<Overload, 'waiting'>): Turns {
  let inUse = 0
  const waiting: (() => void)[] = []
  const leaveOnce = () => {
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      const next = waiting.shift()
      if (next) next()
      else inUse--
    }
  }
  return {
    async breathe() {
      await nextTurn()
      for (let waitedMs = 0; overload.waiting() > 0 && waitedMs < longestPauseMs; waitedMs += pauseMs)
        await wait(pauseMs)
    },
    async enter() {
      if (inUse < most) inUse++
      else await new Promise<void>((resolve) => waiting.push(resolve))
      return leaveOnce()
    },
  }
}
