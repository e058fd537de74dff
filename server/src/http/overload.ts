// Is the process overloaded? Then it refuses excess requests at once, and accepted requests stay fast.

export interface Overload {
  /**
   * Whether a request is accepted; each accepted one must call `leave` once.
   * A request is refused while too many are in flight, or when it may have waited longer than `delayMs` to be read: its answer, and
   * the next ones, would be late. The delay refuses no request of a short burst, and none while few are in flight.
   */
  enter(): boolean
  leave(): void
  inFlight(): number
}

/** A process may be busy for this long, for example in a burst or after a start, before it refuses a request. */
const burstMs = 50
/** The delay refuses no request while fewer than this are in flight: they are soon done, however busy the process is. */
const fewInFlight = 64

export interface OverloadLimits {
  concurrentRequests: number
  delayMs: number
  /** Milliseconds of a monotonic clock: it measures how busy the process is, not the time of day. */
  stopwatch?: () => number
}

export function overload({
  concurrentRequests,
  delayMs,
  stopwatch = () => performance.now(),
}: OverloadLimits): Overload {
  let inFlight = 0
  // A request may have arrived right after the event loop last read the sockets. Then it has waited for all work of the previous turn,
  // and for the work of this turn so far.
  let turning = false
  let busySince = 0
  let turnStartedAt = 0
  let previousTurnMs = 0
  let requestsInTurn = 0

  // An immediate runs at the end of a turn, and while one is set the loop does not sleep. So turns follow each other without a gap
  // until one has no request; then nothing is waiting.
  const nextTurn = () => {
    turning = requestsInTurn > 0
    if (!turning) return
    const now = stopwatch()
    previousTurnMs = now - turnStartedAt
    turnStartedAt = now
    requestsInTurn = 0
    setImmediate(nextTurn)
  }

  return {
    enter() {
      requestsInTurn++
      if (!turning) {
        turning = true
        previousTurnMs = 0
        busySince = turnStartedAt = stopwatch()
        setImmediate(nextTurn)
      } else {
        const now = stopwatch()
        if (inFlight >= fewInFlight && now - busySince > burstMs && previousTurnMs + now - turnStartedAt > delayMs)
          return false
      }
      if (inFlight >= concurrentRequests) return false
      inFlight++
      return true
    },
    leave() {
      inFlight--
    },
    inFlight: () => inFlight,
  }
}
