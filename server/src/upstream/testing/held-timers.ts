// How does a test decide when a time-out is over? Its timers wait for the test, so that no stall of the machine ends them too early.

import type { TestContext } from 'node:test'

export interface HeldTimers {
  /** How many wait. */
  count(): number
  /** Ends all that wait now. */
  end(): void
}

/** Holds timers of from `from` to `to` ms, and `AbortSignal.timeout` of such a time, until the test ends them. Others run as always. */
export function heldTimers({ mock }: Pick<TestContext, 'mock'>, from: number, to = from): HeldTimers {
  const held = new Map<unknown, () => void>()
  const isHeld = (ms: number | undefined) => ms !== undefined && ms >= from && ms <= to
  const { setTimeout, clearTimeout } = globalThis
  const { timeout } = AbortSignal
  const hold = (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const timer = setTimeout(work, ms, ...args)
    if (!isHeld(ms)) return timer
    clearTimeout(timer)
    held.set(timer, () => work(...args))
    return timer
  }
  mock.method(globalThis, 'setTimeout', hold as typeof setTimeout)
  mock.method(globalThis, 'clearTimeout', (timer?: NodeJS.Timeout) => {
    held.delete(timer)
    clearTimeout(timer)
  })
  mock.method(AbortSignal, 'timeout', (ms: number) => {
    if (!isHeld(ms)) return timeout.call(AbortSignal, ms)
    const controller = new AbortController()
    held.set(controller, () => controller.abort(new DOMException('the test ended it', 'TimeoutError')))
    return controller.signal
  })
  return {
    count: () => held.size,
    end() {
      const due = [...held.values()]
      held.clear()
      for (const run of due) run()
    },
  }
}
