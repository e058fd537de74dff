// Has this question been answered already? Equal questions at the same time share one call; answers are stored for reuse and for rules.

import type { Consent } from '@ringfence/contract'
import type { Logger } from 'pino'
import type { CheckCall } from '../call.ts'
import type { Clock } from '../clock.ts'
import type { TenantKeys } from '../crypto/keyring.ts'
import type { TenantKeyring } from '../crypto/tenant-keyring.ts'
import type { Database } from '../storage/database.ts'
import {
  dropExpiredTelecomAnswers,
  keepTelecomAnswer,
  markTelecomLine,
  type StoredAnswer,
  type StoredAnswers,
  telecomAnswersAbout,
  telecomAnswersOfNumbers,
  telecomAnswersTo,
} from '../storage/telecom-answers.ts'
import { singleFlight } from '../upstream/single-flight.ts'
import { isOtherOperator, type LineState, lineName } from './freshness/line.ts'
import { purposeSuffix, withoutPurpose } from './purpose/stated-purpose.ts'

export interface Question {
  tenantId: string
  /** The phone number, as digits. */
  digits: string
  /** Identifies the question, e.g. `simSwap:240@acme`. Equal names have equal answers. */
  name: string
  /** How long an answer may be reused; 0 means never. */
  reuseSeconds: number
  /** The id of the operator that serves the number. An answer of another operator is not reused. */
  operator?: string | undefined
  /** Creates its signal only when a call waits for an upstream. May want a newer answer than `reuseSeconds` allows. */
  call: Pick<CheckCall, 'signal' | 'maxAgeSeconds' | 'consent' | 'stored'>
}

/** A question that one of several may answer. */
export interface SharedQuestion extends Omit<Question, 'name'> {
  /** The name of the question to each, in order of preference. */
  names: readonly string[]
}

export interface Answered<T> {
  answer: T
  /** Age of a reused answer in seconds; absent for a new one. */
  ageSeconds?: number
}

/** An answer, and the name of the question to who gave it. */
export interface Named<T> {
  answer: T
  name: string
}

/** A stored answer. */
export interface KnownAnswer {
  /** The name of the `Question`. */
  name: string
  answer: unknown
  ageSeconds: number
  /** What it was obtained for, as its call stated. */
  consent?: Consent
  /** The line changed since: it is not reused. */
  isOutdated?: true
}

export interface Answers {
  /** Returns a stored answer, or that of `query`, which callers with the same question share. Throws what `query` throws. */
  find<T>(question: Question, query: (signal: AbortSignal) => Promise<T>): Promise<Answered<T>>
  /** The same for a question that one of several answers; `name` says which one did. */
  findAmong<T>(
    question: SharedQuestion,
    query: (signal: AbortSignal) => Promise<Named<T>>,
  ): Promise<Answered<T> & Named<T>>
  /** Stored answers about many numbers, for calls that then need not read them one by one. */
  stored(tenantId: string, numbers: readonly string[]): Promise<StoredAnswers>
  /**
   * The stored answers about a number, newest first. Calls no operator. `reader`: what they are read for; where the tenant requires
   * purposes, answers for another one are left out.
   */
  known(tenantId: string, digits: string, reader?: Consent | 'any'): Promise<KnownAnswer[]>
  /** The line of the number changed, so what was answered before is not reused. `operator` is the id of the one that serves it now. */
  lineChanged(tenantId: string, digits: string, operator?: string): Promise<void>
  /** Deletes expired answers in slices, and returns their number. */
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
  /** Whether calls of the tenant must state a purpose. Absent: no tenant's. */
  isPurposeRequired?(tenantId: string): boolean
}

/** Stores answers encrypted. Sends equal questions at the same time only once. */
export function answers(resources: AnswersResources): Answers {
  const { database, tenantKeyring, clock, log, knownSeconds, isPurposeRequired = () => false } = resources
  const flights = singleFlight()
  const ageOf = (answeredAt: number) => Math.max(0, Math.floor((clock.now() - answeredAt) / 1000))

  /** The newest that may be reused. */
  async function findStored<T>(question: SharedQuestion): Promise<(Answered<T> & Named<T>) | undefined> {
    const { tenantId, digits, names, operator, reuseSeconds, call } = question
    const seconds = Math.min(reuseSeconds, call.maxAgeSeconds ?? reuseSeconds)
    if (seconds === 0) return undefined
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const open = <Stored>(row: StoredAnswer) => openAnswer<Stored>(row, keys, numberHash)
    const now = clock.now()
    const purpose = purposeSuffix(call.consent)
    const questions = [...names.map((name) => name + purpose), lineName]
    const read = call.stored?.get(digits)
    const rows = read
      ? read.filter(({ question: name }) => questions.includes(name))
      : await telecomAnswersTo(database, tenantId, numberHash, questions, now)
    const line = rows.find(({ question: name }) => name === lineName)
    if (line && isOtherOperator(open<LineState>(line).answer, operator)) {
      await lineChanged(tenantId, digits, operator)
      return undefined
    }
    const since = now - seconds * 1000
    const stored = rows
      .filter((row) => row !== line && row.answeredAt > since && row.answeredAt >= (line?.answeredAt ?? 0))
      .toSorted((a, b) => b.answeredAt - a.answeredAt)[0]
    if (!stored) return undefined
    return {
      answer: open<T>(stored).answer,
      ageSeconds: ageOf(stored.answeredAt),
      name: withoutPurpose(stored.question),
    }
  }

  async function store(question: Question, answer: unknown): Promise<void> {
    const { tenantId, digits, name, operator, reuseSeconds, call } = question
    const { consent } = call
    const storedSeconds = Math.max(reuseSeconds, await knownSeconds(tenantId))
    if (storedSeconds === 0) return
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const answeredAt = clock.now()
    const rowOf = (question: string, content: unknown, at: number) => ({
      ...{ tenantId, numberHash, question, answeredAt: at, expiresAt: answeredAt + storedSeconds * 1000 },
      sealed: keys.seal(JSON.stringify(content), contextOf(question, numberHash)),
    })
    // Beside the first answer, its operator: no change is known yet.
    const line = reuseSeconds > 0 && operator !== undefined ? rowOf(lineName, { operator }, 0) : undefined
    const content = { ...(answer as object), ...(consent && { consent }) }
    await keepTelecomAnswer(database, rowOf(name + purposeSuffix(consent), content, answeredAt), line)
  }

  async function lineChanged(tenantId: string, digits: string, operator?: string): Promise<void> {
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const state: LineState = operator === undefined ? {} : { operator }
    const sealed = keys.seal(JSON.stringify(state), contextOf(lineName, numberHash))
    await markTelecomLine(database, { tenantId, numberHash, question: lineName, sealed, answeredAt: clock.now() })
  }

  async function findAmong<T>(question: SharedQuestion, query: (signal: AbortSignal) => Promise<Named<T>>) {
    const { tenantId, digits, names, call } = question
    // An answer that cannot be read, or was moved here from another number, must not fail the call.
    const stored = await findStored<T>(question).catch((error) =>
      log.warn({ err: error }, 'cannot read a stored answer'),
    )
    if (stored) return stored
    const key = JSON.stringify([tenantId, digits, purposeSuffix(call.consent), ...names])
    return flights.join(key, call.signal, async (signal) => {
      const { answer, name } = await query(signal)
      // A failed write does not fail the call. null means unknown and is not stored: it may be known in a minute.
      if (answer !== null) {
        store({ ...question, name }, answer).catch((error) => log.warn({ err: error }, 'cannot store an answer'))
      }
      return { answer, name }
    })
  }

  return {
    findAmong,
    lineChanged,
    async find<T>({ name, ...question }: Question, query: (signal: AbortSignal) => Promise<T>) {
      const asked = { ...question, names: [name] }
      const { name: _, ...answered }: Answered<T> & Named<T> = await findAmong(asked, async (signal) => ({
        answer: await query(signal),
        name,
      }))
      return answered
    },

    async stored(tenantId, numbers) {
      const keys = await tenantKeyring.keysOf(tenantId)
      const byHash = new Map(numbers.map((digits) => [Buffer.from(keys.hash(digits)).toString('base64'), digits]))
      const found = new Map<string, StoredAnswer[]>(numbers.map((digits) => [digits, []]))
      const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'base64'))
      for (const { numberHash, ...answer } of await telecomAnswersOfNumbers(database, tenantId, hashes, clock.now())) {
        found.get(byHash.get(Buffer.from(numberHash).toString('base64'))!)!.push(answer)
      }
      return found
    },

    async known(tenantId, digits, reader) {
      const keys = await tenantKeyring.keysOf(tenantId)
      const numberHash = keys.hash(digits)
      const stored = await telecomAnswersAbout(database, tenantId, numberHash, clock.now())
      const changedAt = stored.find(({ question }) => question === lineName)?.answeredAt ?? 0
      const purpose = reader === 'any' || !isPurposeRequired(tenantId) ? undefined : purposeSuffix(reader)
      return stored.flatMap((row) => {
        const { question, answeredAt } = row
        const name = withoutPurpose(question)
        if (question === lineName || (purpose !== undefined && question !== name + purpose)) return []
        try {
          const { answer, consent } = openAnswer(row, keys, numberHash)
          const about = { ...(consent && { consent }), ...(answeredAt < changedAt && { isOutdated: true as const }) }
          return [{ name, answer, ageSeconds: ageOf(answeredAt), ...about }]
        } catch (error) {
          log.warn({ err: error }, 'cannot read a stored answer')
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

/** A stored answer, and what it was obtained for. */
export function openAnswer<Stored>(
  { question, sealed }: Pick<StoredAnswer, 'question' | 'sealed'>,
  keys: TenantKeys,
  numberHash: Uint8Array,
): { readonly answer: Stored; readonly consent?: Consent } {
  const { consent, ...answer } = JSON.parse(keys.open(sealed, contextOf(question, numberHash)))
  return { answer, ...(consent && { consent }) }
}

export const contextOf = (name: string, numberHash: Uint8Array) =>
  `telecom_answer ${name} ${Buffer.from(numberHash).toString('base64')}`
