// Is there more to do than can be done? Then the excess is refused at once, and what was accepted stays quick.

export interface Overload {
  /**
   * Takes a request in, or says no. Everything that is taken in must be given back by `leave` once.
   * A request is refused while too many are under way, or when it may have waited longer than `delayMs` to be read, unless this
   * is a mere rush or few are under way: it would be answered late, and so would the next ones.
   */
  enter(): boolean
  leave(): void
  underWay(): number
}

/** So long a process may be busy without a break before anything is refused: a burst, or the first requests after a start. */
const rushMs = 50
/** So few are soon done, however busy the process is: as many may ask again and again, and use all that it can do. */
const few = 64

export function overload({ concurrentRequests, delayMs }: { concurrentRequests: number; delayMs: number }): Overload {
  let underWay = 0
  // A request can have arrived right after the sockets were read the last time. It has then waited for all that was done in
  // that turn of the event loop, answers of operators included, and for what was done in this turn before it.
  let turning = false
  let busySince = 0
  let turnStartedAt = 0
  let turnBeforeMs = 0
  let cameInTurn = 0

  // An immediate runs when everything that was ready in a turn is done. While it is set, the loop does not sleep: turns follow
  // each other without a gap until one brings no request, and then nothing can be waiting.
  const nextTurn = () => {
    turning = cameInTurn > 0
    if (!turning) return
    const now = performance.now()
    turnBeforeMs = now - turnStartedAt
    turnStartedAt = now
    cameInTurn = 0
    setImmediate(nextTurn)
  }

  return {
    enter() {
      cameInTurn++
      if (!turning) {
        turning = true
        turnBeforeMs = 0
        // Performance time, not the injected clock: what is measured is this process, not the time of day.
        busySince = turnStartedAt = performance.now()
        setImmediate(nextTurn)
      } else {
        const now = performance.now()
        if (underWay >= few && now - busySince > rushMs && turnBeforeMs + now - turnStartedAt > delayMs) return false
      }
      if (underWay >= concurrentRequests) return false
      underWay++
      return true
    },
    leave() {
      underWay--
    },
    underWay: () => underWay,
  }
}
