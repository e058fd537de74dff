// What does a receiver answer to one delivery? Within limits of time and size; redirects are failures.

import type { LookupFunction } from 'node:net'
import type { DeliveryResult } from '@ringfence/contract'
import type { Dispatcher } from 'undici'
import { TargetRefused } from './target.ts'

/** What an attempt to send may be; the others are of events that were not sent. */
export type SentResult = Exclude<DeliveryResult, 'unreadable' | 'key unknown' | 'given up'>

export interface DeliveryAnswer {
  readonly result: SentResult
  readonly status?: number
  readonly durationMs: number
  /** The first bytes of a refusal, or why there is no answer. */
  readonly text?: string
}

/** From the first packet to the status; a receiver should answer first and work afterwards. */
export const attemptTimeoutMs = 10_000
const mostAnswerBytes = 512
/** A refusal may explain itself for so long. */
const explanationMs = 1000

export interface Delivery {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Sender {
  /** One attempt. @throws the reason of `signal`; everything else is an answer */
  send(delivery: Delivery): Promise<DeliveryAnswer>
  /** Ends the attempts in flight and closes the connections. */
  close(): Promise<void>
}

interface SenderOptions {
  readonly connections: number
  /** Each connection goes to an IP address that it returned. */
  readonly lookup: LookupFunction
  /** Aborted, an attempt ends without a result. */
  readonly signal: AbortSignal
}

/**
 * Keep-alive connections to one receiver. Undici's `dispatch` costs half the CPU time of node:http, whose request and response are streams.
 */
export function sender({ connections, lookup, signal }: SenderOptions): Sender {
  // Without webhooks nobody loads it. Bundled, a CommonJS package has only a default export.
  const opening = import('undici').then(
    ({ default: undici }) =>
      new undici.Agent({
        connections,
        // The timer of the attempt ends first.
        connect: { lookup, timeout: attemptTimeoutMs + 1000 },
        maxHeaderSize: 8192,
        headersTimeout: 0,
        bodyTimeout: 0,
        allowH2: false,
      }),
  )
  return {
    async send(delivery) {
      const agent = await opening
      signal.throwIfAborted()
      const answer = await new Promise<DeliveryAnswer>((resolve) => {
        const { url, headers, body } = delivery
        const request = {
          ...{ origin: url.origin, path: url.pathname + url.search, method: 'POST' as const, body },
          headers: { 'content-type': 'application/json', ...headers },
        }
        agent.dispatch(request, new Attempt(resolve))
      })
      signal.throwIfAborted()
      return answer
    },
    close: async () => (await opening).destroy(),
  }
}

class Attempt implements Dispatcher.DispatchHandler {
  readonly #settle: (answer: DeliveryAnswer) => void
  readonly #startedAt = performance.now()
  #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  /** Of the answer, once it has begun. */
  #status = 0
  #durationMs = 0
  #bytes = 0
  readonly #chunks: Buffer[] = []

  constructor(settle: (answer: DeliveryAnswer) => void) {
    this.#settle = settle
    this.#timer = setTimeout(() => {
      settle({ result: 'timeout', durationMs: this.#tookMs(), text: `no answer within ${attemptTimeoutMs} ms` })
      this.#end()
    }, attemptTimeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // It has waited for a connection until its time was over, and must not be sent now.
    if (this.#isOver) this.#end()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    // An early hint: the answer follows.
    if (status < 200) return
    clearTimeout(this.#timer)
    this.#status = status
    this.#durationMs = this.#tookMs()
    if (this.#isAccepted()) this.#settle({ result: 'accepted', status, durationMs: this.#durationMs })
    // A short body leaves the connection usable; a long or slow one ends it.
    this.#timer = setTimeout(() => this.#explained(), explanationMs)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (!this.#isAccepted()) this.#chunks.push(chunk)
    if (this.#bytes > mostAnswerBytes) this.#explained()
  }

  onResponseEnd(): void {
    this.#refused()
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  onResponseError(_: unknown, error: Error): void {
    clearTimeout(this.#timer)
    if (this.#isOver) return
    if (this.#status > 0) this.#refused()
    else this.#settle({ result: resultOf(error), durationMs: this.#tookMs(), text: reasonOf(error) })
    this.#isOver = true
  }

  /** Nothing more of the answer is read. */
  #explained(): void {
    this.#refused()
    this.#end()
  }

  #refused(): void {
    const status = this.#status
    if (this.#isAccepted() || this.#isOver) return
    const result = status === 410 ? 'gone' : status >= 300 && status < 400 ? 'redirected' : 'refused'
    const text = Buffer.concat(this.#chunks).subarray(0, mostAnswerBytes).toString()
    this.#settle({ result, status, durationMs: this.#durationMs, text })
  }

  #end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#controller?.abort(new Error('the attempt is over'))
  }

  #isAccepted = () => this.#status >= 200 && this.#status < 300
  #tookMs = () => Math.round(performance.now() - this.#startedAt)
}

/** A message of undici's parser; not all of its errors have a code. */
const isGarbage = ({ name, code = '' }: NodeJS.ErrnoException) =>
  name === 'HTTPParserError' || /^(HPE_|UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)$)/.test(code)

const switchesProtocols = 'bad upgrade'

function resultOf(error: NodeJS.ErrnoException): SentResult {
  if (error instanceof TargetRefused) return 'target'
  return isGarbage(error) || error.message === switchesProtocols ? 'garbage' : 'unreachable'
}

/** Happy eyeballs reports one error for each address. */
function reasonOf(error: Error): string {
  if (error.message === switchesProtocols) return 'it answered 101 Switching Protocols'
  const errors = error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error]
  const messages: string[] = errors.map(({ message }) => message)
  return messages.join('; ').slice(0, mostAnswerBytes)
}
