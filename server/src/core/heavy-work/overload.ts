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

export class Overload {
  readonly #mostInFlight: number
  readonly #stopwatch: () => number
  readonly #line: WaitingLine
  #inFlight = 0
  #startedInTurn = 0
  /** The time of the event loop that one request takes, as an average of turns without a pause. */
  #costMs = turnMs / 64
  #isTurning = false
  #resting: NodeJS.Timeout | undefined
  #turnBeganAt = 0
  #lineBusySince = 0
  #refusedInTurnMs = 0
  #refusalsFrom = 0
  #pressedUntil = 0

  constructor({ delayMs, mostInFlight = 2000, stopwatch = () => performance.now() }: OverloadLimits) {
    this.#mostInFlight = mostInFlight
    this.#stopwatch = stopwatch
    this.#line = new WaitingLine({
      patienceMs: delayMs,
      lateMs: delayMs / 5,
      few: () => (this.#inFlight < mostInFlight ? fewWaiting : 1),
    })
  }

  /** Starts the request now, puts it in line, or refuses it. Each one that started must call `leave` once. */
  arrive(waiting: Waiting, flow: () => FlowName): Place | undefined {
    const line = this.#line
    if (line.size === 0 && this.#mayStart()) {
      this.#start(waiting)
      this.#nextTurn()
      return undefined
    }
    const name = flow()
    // Others would go first for longer than anybody waits for an answer.
    if (line.debtOf(name) > mostOwedMs) {
      waiting.refuse()
      return undefined
    }
    const place = line.add(waiting, name, this.#stopwatch())
    if (line.size > longestLine) line.takeOldest()!.waiting.refuse()
    if (!this.#resting) this.#nextTurn()
    return place
  }

  /** The caller is gone before its request started. */
  withdraw(place: Place): void {
    this.#line.remove(place)
  }

  leave(): void {
    this.#inFlight--
    if (this.#resting) this.#wake()
  }

  /** A request of this flow took the event loop for so long. While others wait, the flow lets them go first for as long. */
  charge(flow: FlowName, ms: number): void {
    if (ms > this.#costMs) this.#line.charge(flow, ms - this.#costMs)
  }

  inFlight(): number {
    return this.#inFlight
  }

  waiting(): number {
    return this.#line.size
  }

  /** Whether requests wait now, or waited in the last minute. */
  isPressed(): boolean {
    return this.#line.size > 0 || this.#stopwatch() < this.#pressedUntil
  }

  #mayStart(): boolean {
    return this.#startedInTurn * this.#costMs < turnMs && this.#inFlight < this.#mostInFlight
  }

  #start(waiting: Waiting): void {
    this.#inFlight++
    this.#startedInTurn++
    waiting.start()
  }

  #turn(): void {
    const line = this.#line
    const now = this.#stopwatch()
    this.#measureCost(now)
    const hadRequests = this.#startedInTurn > 0
    this.#startedInTurn = 0
    this.#refusedInTurnMs = 0
    while (line.size > 0 && this.#mayStart()) this.#start(line.next(now, this.#costMs)!.waiting)
    if (line.size > 0) this.#refuseOverdue()
    this.#lineBusySince = line.size > 0 ? now : 0
    if (line.size > 0) this.#pressedUntil = now + 60_000
    this.#isTurning = false
    if (line.size > 0 && this.#startedInTurn === 0) this.#rest()
    else if (line.size > 0 || hadRequests) this.#nextTurn()
  }

  /** Of the last turn. While requests wait, an immediate is always set and the loop does not sleep: all the time is spent on work. */
  #measureCost(now: number): void {
    if (this.#lineBusySince > 0 && this.#startedInTurn > 0) {
      const sample = (now - this.#turnBeganAt - this.#refusedInTurnMs) / this.#startedInTurn
      this.#costMs += 0.2 * (Math.min(sample, 4 * this.#costMs) - this.#costMs)
    }
    this.#turnBeganAt = now
  }

  #nextTurn(): void {
    if (this.#isTurning) return
    this.#isTurning = true
    setImmediate(() => this.#turn())
  }

  /** No request may start before another one leaves, so turns at full speed would only burn CPU time. */
  #rest(): void {
    this.#lineBusySince = 0
    this.#resting ??= setTimeout(() => this.#wake(), restMs).unref()
  }

  #wake(): void {
    clearTimeout(this.#resting)
    this.#resting = undefined
    this.#nextTurn()
  }

  #refuseOverdue(): void {
    const from = this.#stopwatch()
    if (from < this.#refusalsFrom) return
    let now = from
    for (let place = this.#line.overdue(now); place; place = this.#line.overdue(now)) {
      place.waiting.refuse()
      now = this.#stopwatch()
      if (now - from > longestRefusalsMs) break
    }
    this.#refusedInTurnMs = now - from
    this.#refusalsFrom = now + this.#refusedInTurnMs / (measuredShare * refusalShare)
  }
}
