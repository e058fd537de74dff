// When does a timer of the product fire in a test? Timers of one length wait until the test lets them fire; all others run.

import type { TestContext } from 'node:test'

export interface HeldTimers {
  /** How many were started and have neither fired nor been cleared. */
  waiting(): number
  /** Fires those that wait. */
  fire(): void
}

/** Node's longest. */
const neverMs = 2 ** 31 - 1

/** Holds every `setTimeout` and `AbortSignal.timeout` of exactly so many milliseconds, or of some, in this process, until the test has ended. */
export function holdTimers({ mock }: Pick<TestContext, 'mock'>, ms: number | ((delay: number) => boolean)): HeldTimers {
  const isHeld = (delay = 0) => (typeof ms === 'number' ? delay === ms : ms(delay))
  const { setTimeout: start, clearTimeout: clear } = globalThis
  const { timeout } = AbortSignal
  const held = new Map<unknown, () => void>()
  const startOrHold = (work: (...given: unknown[]) => void, delay?: number, ...given: unknown[]) => {
    if (!isHeld(delay)) return start(work, delay, ...given)
    const timer = start(() => undefined, neverMs).unref()
    held.set(timer, () => work(...given))
    return timer
  }
  mock.method(globalThis, 'setTimeout', startOrHold as unknown as typeof setTimeout)
  mock.method(globalThis, 'clearTimeout', (timer?: NodeJS.Timeout) => {
    held.delete(timer)
    clear(timer)
  })
  mock.method(AbortSignal, 'timeout', (delay: number) => {
    if (!isHeld(delay)) return timeout.call(AbortSignal, delay)
    const over = new AbortController()
    startOrHold(() => over.abort(new DOMException('the test ended it', 'TimeoutError')), delay)
    return over.signal
  })
  return {
    waiting: () => held.size,
    fire() {
      const due = [...held]
      held.clear()
      for (const [timer, work] of due) {
        clear(timer as NodeJS.Timeout)
        work()
      }
    },
  }
}
