// Is there more to do than can be done? Then the excess is refused at once, and what was accepted stays quick.

export interface Overload {
  /**
   * Takes a request in, or says no. Everything that is taken in must be given back by `leave` once.
   * A request is refused while too many are under way, or when the requests that arrived with it in the same turn of the
   * event loop have used up `delayMs` before it: it has waited that long already, and so would the next ones.
   */
  enter(): boolean
  leave(): void
  underWay(): number
}

export function overload({ concurrentRequests, delayMs }: { concurrentRequests: number; delayMs: number }): Overload {
  let underWay = 0
  let turnStartedAt: number | undefined
  const endTurn = () => {
    turnStartedAt = undefined
  }
  return {
    enter() {
      // Immediates run after every request that is ready in this turn was read, so the first request starts the turn's clock.
      // Performance time, not the injected clock: what is measured is this process, not the time of day.
      if (turnStartedAt === undefined) {
        turnStartedAt = performance.now()
        setImmediate(endTurn)
      } else if (performance.now() - turnStartedAt > delayMs) {
        return false
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
