// When are the answers of one call stored? Together, in one commit: that of the call, at its end, or as soon as one of them has waited.
// The call knows them until it ends, so that it does not pay for one twice, whether or not they are stored.

import { type BatchStatement, LockTimeout } from '../core/storage/database.ts'
import type { LinesOfCall } from './freshness/line-store.ts'
import { type TelecomAnswer, telecomAnswersToStore } from './store/telecom-answers.ts'

/** An answer, and the row that says whose answers are stored. */
export interface AnswerToStore {
  readonly answer: TelecomAnswer
  readonly line?: TelecomAnswer | undefined
}

/** An answer that a call got from an operator. */
export interface OwnAnswer {
  /** The phone number. */
  readonly digits: string
  readonly question: string
  readonly answer: unknown
  readonly answeredAt: number
}

/** Answers that wait for the same commit. */
interface Waiting extends PromiseWithResolvers<void> {
  readonly answers: AnswerToStore[]
  readonly timer: NodeJS.Timeout
}

/** Another call may want the answer of a fast operator while this one waits for a slow one. */
export const longestWaitMs = 50

/** Stores the answers about the numbers of a call, and knows what it has read and learnt of them. */
export class AnswersOfCall {
  /** What it knows of the lines of its numbers. */
  readonly lines: LinesOfCall = new Map()
  readonly #store: (answers: readonly AnswerToStore[]) => Promise<void>
  readonly #known: OwnAnswer[] = []
  #waiting: Waiting | undefined
  #isOver = false

  constructor(store: (answers: readonly AnswerToStore[]) => Promise<void>) {
    this.#store = store
  }

  /** Resolves when it is stored. */
  add(answer: AnswerToStore): Promise<void> {
    this.#waiting ??= {
      ...Promise.withResolvers<void>(),
      answers: [],
      timer: setTimeout(() => this.#storeAlone(this.#taken()), longestWaitMs),
    }
    this.#waiting.answers.push(answer)
    if (this.#isOver) this.flush()
    return this.#waiting.promise
  }

  know(answer: OwnAnswer): void {
    this.#known.push(answer)
  }

  /** What it got about a number. */
  about(digits: string): readonly OwnAnswer[] {
    return this.#known.filter((answer) => answer.digits === digits)
  }

  /** Another call wants the answers. */
  flush(): void {
    // An answer may be on its way here; the next call cannot arrive before this.
    if (this.#waiting) setImmediate(() => this.#storeAlone(this.#taken()))
  }

  /**
   * Stores what waits in the commit of the call; on its own where that fails, since the operators were paid. Where an answer has to wait
   * for another writer, the call does not.
   */
  async storeWith(commit: (statements: readonly BatchStatement[]) => Promise<void>): Promise<void> {
    const taken = this.#taken()
    try {
      await commit(statementsOf(taken?.answers ?? []))
      taken?.resolve()
    } catch (error) {
      this.#storeAlone(taken)
      if (!taken || !(error instanceof LockTimeout)) throw error
      await commit([])
    }
  }

  /** The call ends. What comes later, since another call waits for it too, is stored at once. */
  end(): void {
    this.#isOver = true
    this.flush()
  }

  #taken(): Waiting | undefined {
    const taken = this.#waiting
    this.#waiting = undefined
    clearTimeout(taken?.timer)
    return taken
  }

  #storeAlone(taken: Waiting | undefined): void {
    if (taken) this.#store(taken.answers).then(taken.resolve, taken.reject)
  }
}

/** The last answer to each question about a number, and of its lines the one that is stored longest. */
export function statementsOf(answers: readonly AnswerToStore[]): BatchStatement[] {
  const rowOf = ({ numberHash, question }: TelecomAnswer) => `${Buffer.from(numberHash).toString('hex')} ${question}`
  const lines = answers.flatMap(({ line }) => line ?? []).toSorted((a, b) => a.expiresAt - b.expiresAt)
  const lastOf = (rows: readonly TelecomAnswer[]) => [...new Map(rows.map((row) => [rowOf(row), row])).values()]
  return telecomAnswersToStore(lastOf(answers.map(({ answer }) => answer)), lastOf(lines))
}
