// Which accepted calls are still running? Closing waits for them and refuses later ones.

export class InFlight {
  #running = 0
  #closing: Promise<void> | undefined
  #lastEnded: (() => void) | undefined

  /** Runs an accepted call. @throws Error after `close` */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new Error('The database is closed')
    this.#running++
    try {
      return await call()
    } finally {
      this.#running--
      if (this.#running === 0) this.#lastEnded?.()
    }
  }

  /** Returns when the last accepted call has ended. */
  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#lastEnded = resolve
      if (this.#running === 0) resolve()
    })
    return this.#closing
  }
}
