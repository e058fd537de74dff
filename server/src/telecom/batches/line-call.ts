// When may a number of a batch call operators? In its turn. The deadline of a check begins with the turn, and ends with it.

import type { CheckCall } from '../check-call.ts'

/** The number does not need the turn any more that it got. */
class TurnTooLate extends Error {
  override name = 'TurnTooLate'
}

type About = Pick<CheckCall, 'requestId' | 'correlator' | 'caller' | 'consent' | 'stored'>

interface Resources {
  readonly deadlineMs: number
  /** Waits for a turn, and returns how to give it back. */
  enter(): Promise<() => void>
  /** Awaited in the turn, before an operator is called. Throws when none may be called. */
  admit(): Promise<void>
}

/** A class, so that all lines share one hidden class; see `PartOfCall`. */
export class LineCall implements CheckCall {
  readonly requestId
  readonly correlator
  readonly caller
  readonly consent
  readonly stored
  readonly provenance = { sandbox: false }
  readonly beforeRequest: () => Promise<void>
  readonly #resources: Resources
  /** Checks that may call operators, at first the look-up of the operator, and how many of them pause. */
  #running = 1
  #pausing = 0
  /** Counts turns: one that comes when it is not wanted any more is given back at once. */
  #turn = 0
  #taking: Promise<void> | undefined
  #giveBack: (() => void) | undefined
  #isTimed = false
  #untimed: AbortController[] = []
  #timers: NodeJS.Timeout[] = []

  constructor({ requestId, correlator, caller, consent, stored }: About, resources: Resources) {
    this.requestId = requestId
    this.correlator = correlator
    this.caller = caller
    this.consent = consent
    this.stored = stored
    this.#resources = resources
    this.beforeRequest = () => (this.#taking ??= this.#take())
  }

  /** So many checks may call operators from now on, side by side. */
  begin(checks: number): void {
    this.#running = checks
  }

  /** One of them has ended. */
  endCheck(): void {
    this.#running--
    if (this.#pausing >= this.#running) this.#leave()
  }

  /** Waits before another attempt. When all checks of the number wait, another number has the turn meanwhile. */
  async pause<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#pausing++
    if (this.#pausing >= this.#running) this.#leave()
    try {
      return await wait()
    } finally {
      this.#pausing--
    }
  }

  end(): void {
    this.#leave()
  }

  /** Each wait for an upstream has the deadline of a check. The wait for a turn has none. */
  get signal() {
    const controller = new AbortController()
    if (this.#isTimed) this.#time(controller)
    else this.#untimed.push(controller)
    return controller.signal
  }

  async #take(): Promise<void> {
    const turn = this.#turn
    const giveBack = await this.#resources.enter()
    if (turn !== this.#turn) {
      giveBack()
      throw new TurnTooLate()
    }
    this.#giveBack = giveBack
    await this.#resources.admit()
    this.#isTimed = true
    for (const controller of this.#untimed.splice(0)) this.#time(controller)
  }

  #leave(): void {
    this.#turn++
    this.#taking = undefined
    this.#isTimed = false
    this.#untimed = []
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
    this.#giveBack?.()
    this.#giveBack = undefined
  }

  #time(controller: AbortController): void {
    const due = () => controller.abort(new DOMException('the answer is due', 'TimeoutError'))
    this.#timers.push(setTimeout(due, this.#resources.deadlineMs))
  }
}
