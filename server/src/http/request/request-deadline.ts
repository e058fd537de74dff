// When is the response to a request due? An abort signal, created at its first use.

import type { IncomingHttpHeaders } from 'node:http'
import { deadlineMs } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'

/** Time to write and send the response before it is due. */
const sendingMs = 10
/** What is kept of a caller's deadline for the work after the wait. */
const answeringMs = 250
/** What a call that names in its body how long it waits for others needs beside, for its own work. */
const ownWorkMs = 1_000

/** The caller's `x-ringfence-deadline-ms`; undefined when it has none. */
function requestedDeadline(headers: IncomingHttpHeaders): number | 'invalid' | undefined {
  const text = headers['x-ringfence-deadline-ms']
  if (text === undefined) return undefined
  const value = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  return value >= deadlineMs.minimum && value <= deadlineMs.maximum ? value : 'invalid'
}

/** What a request says about its time: its header, and `deadlineMs` of its body. */
export interface Timed {
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** Milliseconds within which the caller wants the response. @throws Refusal when its deadline is wrong */
export function deadlineOf(request: Timed, defaultMs: number): number {
  const value = requestedDeadline(request.headers)
  if (value === 'invalid') throw new Refusal('invalidDeadline')
  return value ?? withoutHeader(request, defaultMs)
}

/** When the response must be made, on the clock of performance.now(). A wrong deadline is refused later, with the body. */
export function dueAt(request: Timed, arrivedAt: number, defaultMs: number): number {
  const requested = requestedDeadline(request.headers)
  return arrivedAt + (typeof requested === 'number' ? requested : withoutHeader(request, defaultMs)) - sendingMs
}

/** The caller's deadline without the time to answer, so that an answer names what came too late. Undefined without a header. */
export function waitsOf(headers: IncomingHttpHeaders): number | undefined {
  const requested = requestedDeadline(headers)
  return typeof requested === 'number' ? Math.max(requested / 2, requested - answeringMs) : undefined
}

/** A body that waits longer than the default is not cut off by it. */
function withoutHeader({ body }: Timed, defaultMs: number): number {
  const named = typeof body === 'object' && body !== null && 'deadlineMs' in body ? body.deadlineMs : undefined
  return typeof named === 'number' ? Math.max(defaultMs, named + ownWorkMs) : defaultMs
}

/** Most responses wait for no upstream, and AbortSignal.timeout would hold 2.5 KB for seconds for each. */
export class Deadline {
  readonly #atMs: number
  #controller: AbortController | undefined
  #timer: NodeJS.Timeout | undefined

  /** `atMs`: on the clock of performance.now(). */
  constructor(atMs: number) {
    this.#atMs = atMs
  }

  /** Aborts with a TimeoutError when the response is due, unless it was sent before. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController()
      const due = () => controller.abort(new DOMException('the response is due', 'TimeoutError'))
      this.#timer = setTimeout(due, Math.max(0, this.#atMs - sendingMs - performance.now()))
      this.#controller = controller
    }
    return this.#controller.signal
  }

  /** The caller closed the connection. */
  abandon(): void {
    clearTimeout(this.#timer)
    this.#controller?.abort(new DOMException('the caller closed the connection', 'AbortError'))
  }

  /** The response was made. */
  met(): void {
    clearTimeout(this.#timer)
  }
}
