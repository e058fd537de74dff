// Who writes first? Work of one key, one after the other in this process: side by side, all but one would be done again.

export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Starts when all earlier work of the key has ended: at the latest by the deadlines of those calls. Without any, at once. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const result = before === undefined ? work() : before.then(work)
    const ended = result
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(key) === ended) this.#last.delete(key)
      })
    this.#last.set(key, ended)
    return result
  }
}
