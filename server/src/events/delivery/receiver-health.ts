// Is a receiver down? Then it gets one attempt from time to time, whatever waits for it.

const failuresUntilDown = 5
const firstPauseMs = 1000
const longestPauseMs = 300_000

export interface ReceiverHealth {
  /** How many attempts may run now: 0 while it is down, 1 to find out. */
  room(now: number): number
  /** Returns whether it was down. */
  succeeded(): boolean
  failed(now: number): void
}

/** Starts as one that works. Consecutive failures count, of whatever event. */
export function receiverHealth(mostAtOnce: number): ReceiverHealth {
  let failures = 0
  let pauseMs = firstPauseMs
  let downUntil = 0
  return {
    // A clock that was set back must not extend a pause.
    room: (now) =>
      failures < failuresUntilDown ? mostAtOnce : now >= downUntil || downUntil - now > longestPauseMs * 2 ? 1 : 0,
    succeeded() {
      const wasDown = failures >= failuresUntilDown
      failures = 0
      pauseMs = firstPauseMs
      return wasDown
    },
    failed(now) {
      failures++
      if (failures < failuresUntilDown) return
      downUntil = now + pauseMs * (0.9 + 0.2 * Math.random())
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    },
  }
}
