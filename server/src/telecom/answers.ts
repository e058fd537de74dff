// Was this asked already? Equal questions at the same time share one upstream call; answers are kept for reuse, and for rules to know.

import type { Logger } from 'pino'
import type { Call } from '../call.ts'
import type { Clock } from '../clock.ts'
import type { TenantKeyring } from '../crypto/tenant-keyring.ts'
import type { Database } from '../storage/database.ts'
import {
  dropExpiredTelecomAnswers,
  findTelecomAnswer,
  keepTelecomAnswer,
  telecomAnswersAbout,
} from '../storage/telecom-answers.ts'
import { singleFlight } from '../upstream/single-flight.ts'

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

/** An answer that is kept. */
export interface KnownAnswer {
  /** What was asked, as `Question` names it. */
  name: string
  answer: unknown
  ageSeconds: number
}

export interface Answers {
  /** The answer kept for reuse, or that of `ask`, which other callers with the same question then share. Throws what `ask` throws. */
  find<T>(question: Question, ask: (signal: AbortSignal) => Promise<T>): Promise<Answered<T>>
  /** All that is kept about a number, the newest first; nobody is asked. */
  known(tenantId: string, digits: string): Promise<KnownAnswer[]>
  /** Drops what has expired, in slices. */
  dropExpired(): Promise<number>
}

const expirySlice = 500

export interface AnswersResources {
  database: Database
  tenantKeyring: TenantKeyring
  clock: Clock
  log: Logger
  /** How long answers about this tenant's numbers have to be known, reused or not. */
  knownSeconds(tenantId: string): Promise<number>
}

/** Keeps answers sealed in the store; of equal questions at once one is asked. */
export function answers({ database, tenantKeyring, clock, log, knownSeconds }: AnswersResources): Answers {
  const flights = singleFlight()
  const ageOf = (answeredAt: number) => Math.max(0, Math.floor((clock.now() - answeredAt) / 1000))

  async function findKept<T>({ tenantId, digits, name, reuseSeconds }: Question): Promise<Answered<T> | undefined> {
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const now = clock.now()
    const since = now - reuseSeconds * 1000
    const kept = await findTelecomAnswer(database, tenantId, numberHash, name, { since, now })
    if (!kept) return undefined
    const answer: T = JSON.parse(keys.open(kept.sealed, contextOf(name, numberHash)))
    return { answer, ageSeconds: ageOf(kept.answeredAt) }
  }

  async function keep({ tenantId, digits, name, reuseSeconds }: Question, answer: unknown): Promise<void> {
    const keptSeconds = Math.max(reuseSeconds, await knownSeconds(tenantId))
    if (keptSeconds === 0) return
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const answeredAt = clock.now()
    await keepTelecomAnswer(database, {
      tenantId,
      numberHash,
      question: name,
      sealed: keys.seal(JSON.stringify(answer), contextOf(name, numberHash)),
      answeredAt,
      expiresAt: answeredAt + keptSeconds * 1000,
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
        // An answer that could not be kept is still an answer.
        // null, that nothing is known, is not kept: it may be known in a minute.
        if (fresh !== null) keep(question, fresh).catch((error) => log.warn({ err: error }, 'answer not kept'))
        return fresh
      })
      return { answer }
    },

    async known(tenantId, digits) {
      const keys = await tenantKeyring.keysOf(tenantId)
      const numberHash = keys.hash(digits)
      const kept = await telecomAnswersAbout(database, tenantId, numberHash, clock.now())
      return kept.flatMap(({ question: name, sealed, answeredAt }) => {
        try {
          const answer: unknown = JSON.parse(keys.open(sealed, contextOf(name, numberHash)))
          return [{ name, answer, ageSeconds: ageOf(answeredAt) }]
        } catch (error) {
          log.warn({ err: error }, 'kept answer not read')
          return []
        }
      })
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
