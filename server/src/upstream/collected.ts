// How does a response become one text, in time? By undici's `dispatch`: `request` makes a stream of it, for a third more CPU time.

import type { Dispatcher } from 'undici'
import type { TraceHeaders } from '../core/call.ts'
import { DeadlinePassed, UpstreamFault } from './upstream-error.ts'

export interface HttpResponse {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

/** How one attempt is made. */
export interface Waiting {
  /** Aborted: not any longer. */
  readonly deadline: AbortSignal
  /** Of this attempt. Absent: until the deadline. */
  readonly timeoutMs?: number
  /** Headers that are sent beside those of the request. */
  readonly trace?: TraceHeaders
  /** There is a connection, and the request is written now. */
  onSending?(): void
}

/** What the error of undici stands for; `hasResponse`: the response had begun. */
export type FaultOf = (call: string, error: Error, hasResponse: boolean) => Error

/**
 * Collects one response, whose size the dispatcher bounds. A class with one listener and one timer: each closure, signal and promise of an
 * exchange lives as long as the upstream takes, and hundreds are in flight.
 */
export class Collected implements Dispatcher.DispatchHandler {
  /** Rejects with an UpstreamError. */
  readonly response: Promise<HttpResponse>
  readonly #call: string
  readonly #waiting: Waiting
  readonly #inFlight: Set<Collected>
  readonly #faultOf: FaultOf
  readonly #timer: NodeJS.Timeout | undefined
  readonly #chunks: Buffer[] = []
  #resolve!: (response: HttpResponse) => void
  #reject!: (error: Error) => void
  #controller: Dispatcher.DispatchController | undefined
  /** Why nobody waits any more. */
  #left: Error | undefined
  #status = 0
  #headers: HttpResponse['headers'] = {}

  /** @param inFlight the exchanges of the same client; this one is among them until it ends */
  constructor(call: string, waiting: Waiting, inFlight: Set<Collected>, faultOf: FaultOf) {
    this.#call = call
    this.#waiting = waiting
    this.#inFlight = inFlight.add(this)
    this.#faultOf = faultOf
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const { deadline, timeoutMs } = waiting
    deadline.addEventListener('abort', this)
    if (timeoutMs !== undefined) this.#timer = setTimeout(timedOut, timeoutMs, this, timeoutMs)
  }

  /** At the deadline. */
  handleEvent(): void {
    this.#leave(new DeadlinePassed(this.#call))
  }

  /** The client of the upstream is closed. */
  end(): void {
    this.#leave(new UpstreamFault('unreachable', `${this.#call}: the client was closed`))
  }

  timedOut(timeoutMs: number): void {
    this.#leave(new UpstreamFault('timeout', `${this.#call}: no complete response in ${timeoutMs} ms`))
  }

  /** Aborts the request. Without a connection it ends here, and is aborted as soon as there is one. */
  #leave(reason: Error): void {
    this.#left ??= reason
    if (this.#controller) this.#controller.abort(this.#left)
    else this.#fail(this.#left)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#left) controller.abort(this.#left)
    else this.#waiting.onSending?.()
  }

  onResponseStart(_controller: unknown, status: number, headers: HttpResponse['headers']): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#stopWaiting()
    const chunks = this.#chunks
    const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    this.#resolve({ status: this.#status, headers: this.#headers, text: whole.toString() })
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(this.#left ?? this.#faultOf(this.#call, error, this.#status >= 200))
  }

  #fail(error: Error): void {
    this.#stopWaiting()
    this.#reject(error)
  }

  #stopWaiting(): void {
    this.#inFlight.delete(this)
    clearTimeout(this.#timer)
    this.#waiting.deadline.removeEventListener('abort', this)
  }
}

const timedOut = (exchange: Collected, timeoutMs: number) => exchange.timedOut(timeoutMs)
