// When is an upstream left alone because it keeps failing, and when is it tried again? A cockatiel circuit on our own clock.

import { BrokenCircuitError, CircuitState, circuitBreaker, handleWhen, type IBackoff, type IBreaker } from 'cockatiel'
import type { Clock } from '../clock.ts'

const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** What an error says of the upstream: it is well and answered so, it is ill, or nothing. */
export type Verdict = 'well' | 'ill' | 'unknown'

export interface CircuitOptions {
  clock: Clock
  /** When it opens, by the outcomes so far. */
  breaker: IBreaker
  judge(error: unknown): Verdict
  onChange(state: 'open' | 'closed'): void
}

export interface Circuit {
  /** Runs `work`, and throws what it throws; cockatiel's BrokenCircuitError at once while the upstream is left alone. */
  run<T>(work: () => Promise<T>): Promise<T>
  readonly closed: boolean
}

/** Once open, it stays so for 1 s; then one call probes, and a probe that does not go well doubles the pause, up to 30 s. */
export function circuit({ clock, breaker, judge, onChange }: CircuitOptions): Circuit {
  const probing = () => policy.state === CircuitState.HalfOpen
  const policy = circuitBreaker(
    handleWhen((error) => judge(error) === 'ill' || probing()),
    { breaker, halfOpenAfter: { next: () => pause(clock, firstPauseMs) } },
  )
  policy.onBreak(() => onChange('open'))
  policy.onReset(() => onChange('closed'))

  return {
    async run(work) {
      // cockatiel would let everyone else wait for the probe, past their deadlines.
      if (probing()) throw new BrokenCircuitError()
      const outcome = await policy.execute(() => settled(work(), (error) => judge(error) === 'well'))
      if ('error' in outcome) throw outcome.error
      return outcome.value
    },
    get closed() {
      return policy.state === CircuitState.Closed
    },
  }
}

/** An error that is `fine` becomes a value, so that the breaker counts it for the upstream. */
async function settled<T>(
  work: Promise<T>,
  fine: (error: unknown) => boolean,
): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await work }
  } catch (error) {
    if (fine(error)) return { error }
    throw error
  }
}

/**
 * A pause by the injected clock: cockatiel measures by Date.now(), so it is told "for ever" or "long over".
 * A clock that jumps, either way, only lets the probe go early.
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
