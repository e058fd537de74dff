// What time is it at the operator? A base clock plus a shift that tests and people can move.

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

/** The sandbox's own time: it goes on running after it was moved. */
export interface MovableClock extends Clock {
  /** The clock that was given at the start, which nobody moves. */
  readonly base: Clock
  /** How far this clock is ahead of its base (negative: behind). */
  shiftMs(): number
  /** Moves the clock forwards, or backwards with a negative number of hours. */
  advance(hours: number): void
  /** Makes it this moment now (milliseconds since the Unix epoch). */
  set(nowMs: number): void
  /** Back to the base clock. */
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
