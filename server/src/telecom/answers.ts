// Was this asked already? Equal questions at the same time share one upstream call; an answer may be reused for a settable time.

import type { Logger } from 'pino'
import type { Call } from '../call.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../storage/database.ts'
import { dropExpiredTelecomAnswers, findTelecomAnswer, keepTelecomAnswer } from '../storage/telecom-answers.ts'
import type { TenantKeyring } from '../tenant-keyring.ts'
import { singleFlight } from './single-flight.ts'

export interface Question {
  tenantId: string
  /** The number asked about, as digits. */
  digits: string
  /** What is asked, e.g. `sim-swap:240`; equal names mean equal answers. */
  name: string
  /** How long an answer may be reused; 0: never. */
  reuseSeconds: number
  /** Who asks: its signal is asked for only where somebody is waited for. */
  call: Pick<Call, 'signal'>
}

export interface Answered<T> {
  answer: T
  /** Seconds since the question was asked upstream; absent when it was asked now. */
  ageSeconds?: number
}

export interface Answers {
  /** The answer kept for reuse, or that of `ask`, which other callers with the same question then share. Throws what `ask` throws. */
  find<T>(question: Question, ask: (signal: AbortSignal) => Promise<T>): Promise<Answered<T>>
  /** Drops what has expired, in slices. */
  dropExpired(): Promise<number>
}

const expirySlice = 500

export interface AnswersResources {
  database: Database
  tenantKeyring: TenantKeyring
  clock: Clock
  log: Logger
}

export function answers({ database, tenantKeyring, clock, log }: AnswersResources): Answers {
  const flights = singleFlight()

  async function findKept<T>({ tenantId, digits, name }: Question): Promise<Answered<T> | undefined> {
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const kept = await findTelecomAnswer(database, tenantId, numberHash, name, clock.now())
    if (!kept) return undefined
    const answer: T = JSON.parse(keys.open(kept.sealed, contextOf(name, numberHash)))
    return { answer, ageSeconds: Math.max(0, Math.floor((clock.now() - kept.answeredAt) / 1000)) }
  }

  async function keep({ tenantId, digits, name, reuseSeconds }: Question, answer: unknown): Promise<void> {
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const answeredAt = clock.now()
    await keepTelecomAnswer(database, {
      tenantId,
      numberHash,
      question: name,
      sealed: keys.seal(JSON.stringify(answer), contextOf(name, numberHash)),
      answeredAt,
      expiresAt: answeredAt + reuseSeconds * 1000,
    })
  }

  return {
    async find<T>(question: Question, ask: (signal: AbortSignal) => Promise<T>) {
      const reusable = question.reuseSeconds > 0
      // What was kept but cannot be read, or was moved here from another number, is no reason to fail.
      const kept = reusable
        ? await findKept<T>(question).catch((error) => log.warn({ err: error }, 'kept answer not read'))
        : undefined
      if (kept) return kept
      const key = JSON.stringify([question.tenantId, question.digits, question.name])
      const answer = await flights.join(key, question.call.signal, async (signal) => {
        const fresh = await ask(signal)
        // Reuse saves a call; an answer that could not be kept is still an answer.
        // null, that nothing is known, is not kept: it may be known in a minute.
        if (reusable && fresh !== null)
          keep(question, fresh).catch((error) => log.warn({ err: error }, 'answer not kept for reuse'))
        return fresh
      })
      return { answer }
    },

    async dropExpired() {
      let dropped = 0
      for (let slice = expirySlice; slice === expirySlice; dropped += slice) {
        slice = await dropExpiredTelecomAnswers(database, clock.now(), expirySlice)
      }
      return dropped
    },
  }
}

const contextOf = (name: string, numberHash: Uint8Array) =>
  `telecom_answer ${name} ${Buffer.from(numberHash).toString('base64')}`
