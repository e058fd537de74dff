// When are the answers of one call stored? Together, in one commit: at the end of the call, or as soon as one of them has waited.

import type { TelecomAnswer } from './store/telecom-answers.ts'

/** An answer, and the row that says whose answers are stored. */
export interface AnswerToStore {
  readonly answer: TelecomAnswer
  readonly line?: TelecomAnswer | undefined
}

/** Another call may want the answer of a fast operator while this one waits for a slow one. */
const longestWaitMs = 50

/** Stores the answers about one number. */
export class AnswersOfCall {
  readonly #store: (answers: readonly AnswerToStore[]) => Promise<void>
  #waiting: AnswerToStore[] = []
  #stored: Promise<void> | undefined
  #flush = () => {}
  #isOver = false

  constructor(store: (answers: readonly AnswerToStore[]) => Promise<void>) {
    this.#store = store
  }

  /** Resolves when it is stored. */
  add(answer: AnswerToStore): Promise<void> {
    this.#waiting.push(answer)
    this.#stored ??= this.#soon()
    return this.#stored
  }

  /** Another call wants the answers. */
  flush(): void {
    this.#flush()
  }

  /** The call ends. What comes later, since another call waits for it too, is stored at once. */
  end(): void {
    this.#isOver = true
    this.#flush()
  }

  async #soon(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, longestWaitMs)
      this.#flush = () => {
        clearTimeout(timer)
        // An answer may be on its way here; the next call cannot arrive before this.
        setImmediate(resolve)
      }
      if (this.#isOver) this.#flush()
    })
    const waiting = this.#waiting
    this.#waiting = []
    this.#stored = undefined
    this.#flush = () => {}
    await this.#store(waiting)
  }
}
