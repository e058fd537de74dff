// What if an upstream is overloaded, or asked for a pause? A live check fails then; a batch has time, and asks again.

import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '../../core/errors.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'

/** When nothing was answered for this long, the next failures count: the upstream is down, not busy. */
const patienceMs = 120_000
const [firstPauseMs, longestPauseMs] = [250, 5000]

/** Waits, and lets others go first. */
type Pause = (wait: () => Promise<boolean>) => Promise<boolean>

export interface Patience {
  /** Runs a check again while its upstream refuses it as overloaded: it was not answered, and costs nothing. */
  run<Answer>(check: () => Promise<Answer>, pause: Pause): Promise<Answer>
  /** Waits before another attempt. False: no more attempts. */
  again(attempt: number): Promise<boolean>
}

/** Shared by the numbers of a batch. */
export function patience(isEnding: () => boolean): Patience {
  let answeredAt = performance.now()
  const again: Patience['again'] = async (attempt) => {
    if (isEnding() || performance.now() - answeredAt > patienceMs) return false
    await wait(Math.min(longestPauseMs, firstPauseMs * 2 ** attempt) * (0.5 + Math.random() / 2))
    return !isEnding()
  }
  return {
    again,
    async run(check, pause) {
      for (let attempt = 0; ; attempt++) {
        try {
          const answered = await check()
          answeredAt = performance.now()
          return answered
        } catch (error) {
          if (!isOverloaded(error instanceof Refusal ? error.cause : error) || !(await pause(() => again(attempt))))
            throw error
        }
      }
    },
  }
}

export const isOverloaded = (error: unknown): boolean => error instanceof UpstreamError && error.reason === 'overloaded'
