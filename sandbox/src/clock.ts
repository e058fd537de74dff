// What time is it at the operator? The base clock, plus a shift that tests and people can change.

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

/** The sandbox's clock: it keeps running after it was moved. */
export interface MovableClock extends Clock {
  /** The clock given at the start; it cannot be moved. */
  readonly base: Clock
  /** How far this clock is ahead of its base (negative: behind). */
  shiftMs(): number
  /** Moves the clock forward, or backward with a negative number of hours. */
  advance(hours: number): void
  /** Sets the current time (milliseconds since the Unix epoch). */
  set(nowMs: number): void
  /** Removes the shift: the base clock again. */
  reset(): void
}

export const hourMs = 3_600_000

export function movableClock(base: Clock): MovableClock {
  let shiftMs = 0
  return {
    base,
    now: () => base.now() + shiftMs,
    shiftMs: () => shiftMs,
    advance: (hours) => {
      shiftMs += hours * hourMs
    },
    set: (nowMs) => {
      shiftMs = nowMs - base.now()
    },
    reset: () => {
      shiftMs = 0
    },
  }
}
