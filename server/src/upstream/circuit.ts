// When does Ringfence stop calling an upstream that keeps failing, and when does it try again?

import { CircuitState, type IBreaker } from 'cockatiel'
import type { Clock } from '../core/clock.ts'

const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** What an error says about the upstream. `healthy`: it works, and this was its answer. */
export type Health = 'healthy' | 'unhealthy' | 'unknown'

export interface CircuitOptions {
  clock: Clock
  /** Decides when the circuit opens. */
  breaker: IBreaker
  onChange(state: 'open' | 'closed'): void
}

/** What a call was when it began. */
export type Begun = CircuitState.Closed | CircuitState.HalfOpen

/**
 * An open circuit lets one probe through after 1 s. Each probe that fails doubles the pause, up to 30 s. When the clock jumps, in either
 * direction, the probe only comes early.
 */
export class Circuit {
  readonly #options: CircuitOptions
  #state = CircuitState.Closed
  #openedAt = 0
  #pauseMs = firstPauseMs

  constructor(options: CircuitOptions) {
    this.#options = options
  }

  get closed(): boolean {
    return this.#state === CircuitState.Closed
  }

  /** Undefined: no call may be made. Each call that begins must `end`. */
  begin(): Begun | undefined {
    if (this.#state === CircuitState.Closed) return CircuitState.Closed
    // Only one probes, and the others do not wait for it.
    if (this.#state === CircuitState.HalfOpen || this.#isPausing()) return undefined
    this.#state = CircuitState.HalfOpen
    return CircuitState.HalfOpen
  }

  /** A probe closes the circuit only when the upstream is healthy. Other calls that began before it opened change nothing. */
  end(begun: Begun, health: Health): void {
    const { breaker } = this.#options
    const isProbe = begun === CircuitState.HalfOpen
    if (health === 'healthy') {
      breaker.success(begun)
      if (isProbe) this.#change(CircuitState.Closed)
    } else if (isProbe) {
      breaker.failure(begun)
      this.#open(Math.min(this.#pauseMs * 2, longestPauseMs))
    } else if (health === 'unhealthy' && breaker.failure(begun) && this.closed) this.#open(firstPauseMs)
  }

  #isPausing(): boolean {
    const elapsedMs = this.#options.clock.now() - this.#openedAt
    return elapsedMs >= 0 && elapsedMs < this.#pauseMs
  }

  #open(pauseMs: number): void {
    this.#openedAt = this.#options.clock.now()
    this.#pauseMs = pauseMs
    this.#change(CircuitState.Open)
  }

  #change(state: CircuitState.Open | CircuitState.Closed): void {
    this.#state = state
    this.#options.onChange(state === CircuitState.Open ? 'open' : 'closed')
  }
}
