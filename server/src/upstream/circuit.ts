// When does Ringfence stop calling an upstream that keeps failing, and when does it try again? A cockatiel circuit on our clock.

import { BrokenCircuitError, CircuitState, circuitBreaker, handleWhen, type IBackoff, type IBreaker } from 'cockatiel'
import type { Clock } from '../core/clock.ts'

const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** What an error says about the upstream. `healthy`: it works, and this was its answer. */
export type Health = 'healthy' | 'unhealthy' | 'unknown'

export interface CircuitOptions {
  clock: Clock
  /** Decides when the circuit opens. */
  breaker: IBreaker
  healthOf(error: unknown): Health
  onChange(state: 'open' | 'closed'): void
}

export interface Circuit {
  /** Runs `work` and rethrows its errors. Throws cockatiel's BrokenCircuitError at once while the circuit is open. */
  run<T>(work: () => Promise<T>): Promise<T>
  readonly closed: boolean
}

/** An open circuit lets one probe through after 1 s. Each probe that fails doubles the pause, up to 30 s. */
export function circuit({ clock, breaker, healthOf, onChange }: CircuitOptions): Circuit {
  const isProbing = () => policy.state === CircuitState.HalfOpen
  const policy = circuitBreaker(
    handleWhen((error) => healthOf(error) === 'unhealthy' || isProbing()),
    { breaker, halfOpenAfter: { next: () => pause(clock, firstPauseMs) } },
  )
  policy.onBreak(() => onChange('open'))
  policy.onReset(() => onChange('closed'))

  return {
    async run(work) {
      // cockatiel would make all other callers wait for the probe, past their deadlines.
      if (isProbing()) throw new BrokenCircuitError()
      const result = await policy.execute(() => settled(work(), (error) => healthOf(error) === 'healthy'))
      if ('error' in result) throw result.error
      return result.value
    },
    get closed() {
      return policy.state === CircuitState.Closed
    },
  }
}

/** Returns errors that `isSuccess` accepts as values, so that the breaker counts them as successes. */
async function settled<T>(
  work: Promise<T>,
  isSuccess: (error: unknown) => boolean,
): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await work }
  } catch (error) {
    if (isSuccess(error)) return { error }
    throw error
  }
}

/**
 * A pause on the injected clock. cockatiel measures with Date.now(), so `duration` is either infinite or already over.
 * When the clock jumps, in either direction, the probe only comes early.
 */
function pause(clock: Clock, durationMs: number): IBackoff<unknown> {
  const openedAt = clock.now()
  return {
    get duration() {
      const elapsedMs = clock.now() - openedAt
      return elapsedMs >= 0 && elapsedMs < durationMs ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    },
    next: () => pause(clock, Math.min(durationMs * 2, longestPauseMs)),
  }
}
