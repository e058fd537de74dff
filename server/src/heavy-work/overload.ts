// When does a request start, and which one is refused? Each turn of the event loop starts what it can finish; the others wait in line.

import { type FlowName, type Place, type Waiting, WaitingLine } from './waiting-line.ts'

/** A turn of the event loop starts as many requests as it finishes in this time. */
const turnMs = 4
/** While fewer than this wait, nobody is refused for waiting: they soon start, however busy the machine is. */
const fewWaiting = 64
/** At most this share of the time is spent on refusals. */
const refusalShare = 0.1
/** Of the time that a refusal costs, the stopwatch sees this share: reading and parsing happen before. */
const measuredShare = 0.6
const longestRefusalsMs = 0.5
/** More than this never wait. They are few: one for each connection. */
const longestLine = 10_000
/** How long the line rests while no request may start. */
const restMs = 5

/** A flow that owes the others more than this is refused while they wait. */
const mostOwedMs = 1_000

export interface Overload {
  /** Starts the request now, puts it in line, or refuses it. Each one that started must call `leave` once. */
  arrive(waiting: Waiting, flow: () => FlowName): Place | undefined
  /** The caller is gone before its request started. */
  withdraw(place: Place): void
  leave(): void
  /** A request of this flow took the event loop for so long. While others wait, the flow lets them go first for as long. */
  charge(flow: FlowName, ms: number): void
  inFlight(): number
  waiting(): number
  /** Whether requests wait now, or waited in the last minute. */
  isPressed(): boolean
}

export interface OverloadLimits {
  /**
   * A request that can start within this time is never refused. Once a caller's requests waited longer, the newest start first, and
   * those that waited longer than a fifth of it are refused.
   */
  delayMs: number
  /** Requests that have started and have not left; 2000 by default. More wait, since a store or an upstream may hang. */
  mostInFlight?: number
  /** Milliseconds of a monotonic clock: it measures how busy the process is, not the time of day. */
  stopwatch?: () => number
}

export function overload(limits: OverloadLimits): Overload {
  const { delayMs, mostInFlight = 2000, stopwatch = () => performance.now() } = limits
  let inFlight = 0
  const line = new WaitingLine({
    patienceMs: delayMs,
    lateMs: delayMs / 5,
    few: () => (inFlight < mostInFlight ? fewWaiting : 1),
  })
  let startedInTurn = 0
  /** The time of the event loop that one request takes, as an average of turns without a pause. */
  let costMs = turnMs / 64
  let isTurning = false
  let isResting: NodeJS.Timeout | undefined
  let turnBeganAt = 0
  let lineBusySince = 0
  let refusedInTurnMs = 0
  let refusalsFrom = 0
  let pressedUntil = 0

  const mayStart = () => startedInTurn * costMs < turnMs && inFlight < mostInFlight

  function start(waiting: Waiting): void {
    inFlight++
    startedInTurn++
    waiting.start()
  }

  function turn(): void {
    const now = stopwatch()
    // While requests wait, an immediate is always set and the loop does not sleep: all the time is spent on work.
    if (lineBusySince > 0 && startedInTurn > 0) {
      const sample = (now - turnBeganAt - refusedInTurnMs) / startedInTurn
      costMs += 0.2 * (Math.min(sample, 4 * costMs) - costMs)
    }
    turnBeganAt = now
    const hadRequests = startedInTurn > 0
    startedInTurn = 0
    refusedInTurnMs = 0
    while (line.size > 0 && mayStart()) start(line.next(now, costMs)!.waiting)
    if (line.size > 0) refuseOverdue()
    lineBusySince = line.size > 0 ? now : 0
    if (line.size > 0) pressedUntil = now + 60_000
    isTurning = false
    if (line.size > 0 && startedInTurn === 0) rest()
    else if (line.size > 0 || hadRequests) nextTurn()
  }

  function nextTurn(): void {
    if (isTurning) return
    isTurning = true
    setImmediate(turn)
  }

  /** No request may start before another one leaves, so turns at full speed would only burn CPU time. */
  function rest(): void {
    lineBusySince = 0
    isResting ??= setTimeout(wake, restMs).unref()
  }

  function wake(): void {
    clearTimeout(isResting)
    isResting = undefined
    nextTurn()
  }

  function refuseOverdue(): void {
    const from = stopwatch()
    if (from < refusalsFrom) return
    let now = from
    for (let place = line.overdue(now); place; place = line.overdue(now)) {
      place.waiting.refuse()
      now = stopwatch()
      if (now - from > longestRefusalsMs) break
    }
    refusedInTurnMs = now - from
    refusalsFrom = now + refusedInTurnMs / (measuredShare * refusalShare)
  }

  return {
    arrive(waiting, flow) {
      if (line.size === 0 && mayStart()) {
        start(waiting)
        nextTurn()
        return undefined
      }
      const name = flow()
      // Others would go first for longer than anybody waits for an answer.
      if (line.debtOf(name) > mostOwedMs) {
        waiting.refuse()
        return undefined
      }
      const place = line.add(waiting, name, stopwatch())
      if (line.size > longestLine) line.takeOldest()!.waiting.refuse()
      if (!isResting) nextTurn()
      return place
    },
    withdraw: (place) => line.remove(place),
    leave() {
      inFlight--
      if (isResting) wake()
    },
    charge(flow, ms) {
      if (ms > costMs) line.charge(flow, ms - costMs)
    },
    inFlight: () => inFlight,
    waiting: () => line.size,
    isPressed: () => line.size > 0 || stopwatch() < pressedUntil,
  }
}
