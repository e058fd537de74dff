// What time is it? Asked of an injected clock, so that tests can stop and move it.

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
