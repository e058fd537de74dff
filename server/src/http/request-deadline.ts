// When is the answer to a request due? A signal that is made when somebody first asks for it, and ends with the answer.

/** The answer has to be put in words and sent before it is due. */
const wordingMs = 10

/** Most answers come from what is known here and wait for nobody; AbortSignal.timeout would keep 2.5 KB for seconds for each. */
export class Deadline {
  readonly #atMs: number
  #controller: AbortController | undefined
  #timer: NodeJS.Timeout | undefined

  /** `atMs`: in the time of performance.now(). */
  constructor(atMs: number) {
    this.#atMs = atMs
  }

  /** Aborted with a TimeoutError when the answer is due, unless the request was answered before. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController()
      const due = () => controller.abort(new DOMException('the answer is due', 'TimeoutError'))
      this.#timer = setTimeout(due, Math.max(0, this.#atMs - wordingMs - performance.now()))
      this.#controller = controller
    }
    return this.#controller.signal
  }

  /** The caller has gone: nobody waits for the answer. */
  abandon(): void {
    clearTimeout(this.#timer)
    this.#controller?.abort(new DOMException('the caller has gone', 'AbortError'))
  }

  /** The request was answered. */
  met(): void {
    clearTimeout(this.#timer)
  }
}
