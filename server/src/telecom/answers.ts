// Has this question been answered already? Equal questions at the same time share one call; answers are stored for reuse and for rules.

import type { Consent } from '@ringfence/contract'
import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import type { TenantKeyring } from '../core/crypto/tenant-keyring.ts'
import type { Database } from '../core/storage/database.ts'
import { singleFlight } from '../upstream/single-flight.ts'
import { AnswersOfCall, type AnswerToStore, statementsOf } from './answers-of-call.ts'
import type { CheckCall } from './check-call.ts'
import { isOtherOperator, type LineState, lineName } from './freshness/line.ts'
import { contextOf, type Lines, type LinesOfCall, lineStore, noteLine, openLine } from './freshness/line-store.ts'
import { purposeSuffix, withoutPurpose } from './purpose/stated-purpose.ts'
import { readQuestionName } from './question-name.ts'
import {
  dropExpiredTelecomAnswers,
  type StoredAnswer,
  type StoredAnswers,
  telecomAnswersAbout,
  telecomAnswersOfNumbers,
  telecomAnswersTo,
} from './store/telecom-answers.ts'

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
  call: Pick<CheckCall, 'signal' | 'maxAgeSeconds' | 'consent' | 'beforeRequest' | 'stored' | 'storing'>
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
  /** Not older than the change of the line that it taught. Absent: as old as its question. */
  answeredAt?: number | undefined
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
  /** The id of the operator of the stored answers; absent: it is not known. */
  operator?: string
}

export interface Answers {
  readonly lines: Lines
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
   * purposes, answers for another one are left out. `lines`: gets the line of the number.
   */
  known(tenantId: string, digits: string, reader?: Consent | 'any', lines?: LinesOfCall): Promise<KnownAnswer[]>
  /** For a call that stores several answers together. */
  ofCall(): AnswersOfCall
  /** From now on answers stay known for so many seconds, by tenant, also where they are not reused: rules read them. */
  keptFor(seconds: (tenantId: string) => Promise<number>): void
  /** Deletes expired answers in slices, and returns their number. */
  dropExpired(): Promise<number>
}

const expirySlice = 500

export interface AnswersResources {
  database: Database
  tenantKeyring: TenantKeyring
  clock: Clock
  log: Logger
  /** Whether calls of the tenant must state a purpose. Absent: no tenant's. */
  isPurposeRequired?(tenantId: string): boolean
}

export const answers = (resources: AnswersResources): Answers => new SharedAnswers(resources)

/** Stores answers encrypted. Sends equal questions at the same time only once. */
class SharedAnswers implements Answers {
  readonly lines
  readonly #resources
  readonly #flights = singleFlight()
  readonly #storing = new StoringNow()
  #knownSeconds: (tenantId: string) => Promise<number> = async () => 0

  constructor(resources: AnswersResources) {
    this.#resources = resources
    this.lines = lineStore(resources)
  }

  keptFor(seconds: (tenantId: string) => Promise<number>): void {
    this.#knownSeconds = seconds
  }

  async find<T>({ name, ...question }: Question, query: (signal: AbortSignal) => Promise<T>): Promise<Answered<T>> {
    const asked = { ...question, names: [name] }
    const { name: _, ...answered }: Answered<T> & Named<T> = await this.findAmong(asked, async (signal) => ({
      answer: await query(signal),
      name,
    }))
    return answered
  }

  async findAmong<T>(
    question: SharedQuestion,
    query: (signal: AbortSignal) => Promise<Named<T>>,
  ): Promise<Answered<T> & Named<T>> {
    const { tenantId, digits, names, call } = question
    const { clock, log } = this.#resources
    // An answer that cannot be read, or was moved here from another number, must not fail the call.
    const found = await this.#find<T>(question).catch((error) =>
      log.warn({ err: error }, 'cannot read a stored answer'),
    )
    if (found?.answered) return found.answered
    // Apart: a question that is asked after a change, and calls whose caller may keep a request from being sent.
    const apart = [purposeSuffix(call.consent), call.beforeRequest !== undefined, found?.changedAt ?? 0]
    const key = JSON.stringify([tenantId, digits, ...apart, ...names])
    const { answeredAt, ...answered } = await this.#flights.join(key, call.signal, async (signal) => {
      const askedAt = clock.now()
      const { answer, name, answeredAt = askedAt } = await query(signal)
      // A failed write does not fail the call. null means unknown and is not stored: it may be known in a minute.
      if (answer !== null) {
        const stored = this.#store({ ...question, name }, answer, answeredAt).catch((error) =>
          log.warn({ err: error }, 'cannot store an answer'),
        )
        this.#storing.note(tenantId, digits, { by: call.storing, stored })
      }
      return { answer, name, answeredAt }
    })
    const { answer, name } = answered
    call.storing?.know({ digits, question: name + purposeSuffix(call.consent), answer, answeredAt })
    return answered
  }

  ofCall(): AnswersOfCall {
    return new AnswersOfCall((answers) => this.#write(answers))
  }

  async stored(tenantId: string, numbers: readonly string[]): Promise<StoredAnswers> {
    const { database, tenantKeyring, clock } = this.#resources
    await Promise.all(numbers.map((digits) => this.#storing.over(tenantId, digits)))
    const keys = await tenantKeyring.keysOf(tenantId)
    const byHash = new Map(numbers.map((digits) => [Buffer.from(keys.hash(digits)).toString('base64'), digits]))
    const found = new Map<string, StoredAnswer[]>(numbers.map((digits) => [digits, []]))
    const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'base64'))
    for (const { numberHash, ...answer } of await telecomAnswersOfNumbers(database, tenantId, hashes, clock.now())) {
      found.get(byHash.get(Buffer.from(numberHash).toString('base64'))!)!.push(answer)
    }
    return found
  }

  async known(tenantId: string, digits: string, reader?: Consent | 'any', lines?: LinesOfCall): Promise<KnownAnswer[]> {
    const { database, tenantKeyring, clock, log, isPurposeRequired } = this.#resources
    await this.#storing.over(tenantId, digits)
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const purpose = reader === 'any' || !isPurposeRequired?.(tenantId) ? undefined : purposeSuffix(reader)
    const about = { tenantId, numberHash, now: clock.now(), purpose, line: lineName }
    const stored = await telecomAnswersAbout(database, about)
    const line = stored.find(({ question }) => question === lineName)
    const state = this.lines.read(keys, numberHash, line, { digits, lines })
    const { operator } = state
    return stored.flatMap((row) => {
      const { question, answeredAt } = row
      const name = withoutPurpose(question)
      if (question === lineName || (purpose !== undefined && question !== name + purpose)) return []
      try {
        const { answer, consent } = openAnswer(row, keys, numberHash)
        const known: KnownAnswer = {
          ...{ name, answer, ageSeconds: this.#ageOf(answeredAt) },
          ...(consent && { consent }),
          ...(isOutdated(row, line?.answeredAt ?? 0, state) && { isOutdated: true }),
          ...(operator !== undefined && { operator }),
        }
        return [known]
      } catch (error) {
        log.warn({ err: error }, 'cannot read a stored answer')
        return []
      }
    })
  }

  async dropExpired(): Promise<number> {
    const { database, clock } = this.#resources
    let dropped = 0
    for (let slice = expirySlice; slice === expirySlice; dropped += slice) {
      slice = await dropExpiredTelecomAnswers(database, clock.now(), expirySlice)
    }
    return dropped
  }

  /** The newest that the call got itself or may reuse, and when the line changed. Undefined: there is none to look for. */
  async #find<T>(
    question: SharedQuestion,
  ): Promise<{ answered?: Answered<T> & Named<T>; changedAt: number } | undefined> {
    const { tenantId, digits, names, operator, reuseSeconds, call } = question
    const { database, tenantKeyring, clock } = this.#resources
    const purpose = purposeSuffix(call.consent)
    const questions = [...names.map((name) => name + purpose), lineName]
    // However short answers are reused: it has paid for them.
    const own = call.storing?.about(digits).filter(({ question: name }) => questions.includes(name)) ?? []
    const seconds = Math.min(reuseSeconds, call.maxAgeSeconds ?? reuseSeconds)
    if (seconds <= 0 && own.length === 0) return undefined
    await this.#storing.over(tenantId, digits, call.storing)
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const now = clock.now()
    const read = call.stored?.get(digits)
    const stored = read ?? (await telecomAnswersTo(database, tenantId, numberHash, questions, now))
    const rows = stored.filter(({ question: name }) => questions.includes(name))
    const line = rows.find(({ question: name }) => name === lineName)
    const state = line ? openLine(keys, numberHash, line) : {}
    noteLine({ digits, lines: call.storing?.lines }, line, state)
    if (line && isOtherOperator(state, operator)) {
      await this.lines.changed(tenantId, digits, operator)
      return { changedAt: now }
    }
    const since = now - seconds * 1000
    const changedAt = line?.answeredAt ?? 0
    const newest = [...own, ...rows.filter((row) => row !== line && row.answeredAt > since)]
      .filter((row) => !isOutdated(row, changedAt, state))
      .toSorted((a, b) => b.answeredAt - a.answeredAt)[0]
    if (!newest) return { changedAt }
    const { answer } = 'sealed' in newest ? openAnswer<T>(newest, keys, numberHash) : (newest as { answer: T })
    const name = withoutPurpose(newest.question)
    return { answered: { answer, ageSeconds: this.#ageOf(newest.answeredAt), name }, changedAt }
  }

  /** Resolves when it is in the store. */
  async #store(question: Question, answer: unknown, answeredAt: number): Promise<void> {
    const { tenantId, digits, name, operator, reuseSeconds, call } = question
    const { tenantKeyring } = this.#resources
    const { consent } = call
    const storedSeconds = Math.max(reuseSeconds, await this.#knownSeconds(tenantId))
    if (storedSeconds === 0) return
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const rowOf = (question: string, content: unknown, at: number) => ({
      ...{ tenantId, numberHash, question, answeredAt: at, expiresAt: answeredAt + storedSeconds * 1000 },
      sealed: keys.seal(JSON.stringify(content), contextOf(question, numberHash)),
    })
    // Beside the first answer, its operator: no change is known yet.
    const line = operator !== undefined ? rowOf(lineName, { operator }, 0) : undefined
    const content = { ...(answer as object), ...(consent && { consent }) }
    const toStore = { answer: rowOf(name + purposeSuffix(consent), content, answeredAt), line }
    await (call.storing ? call.storing.add(toStore) : this.#write([toStore]))
  }

  async #write(answers: readonly AnswerToStore[]): Promise<void> {
    await this.#resources.database.batchSoon(statementsOf(answers))
  }

  #ageOf(answeredAt: number): number {
    return Math.max(0, Math.floor((this.#resources.clock.now() - answeredAt) / 1000))
  }
}

/** An answer on its way into the store. */
interface OnItsWay {
  /** The call that paid for it stores it with others; absent: it is stored on its own. */
  readonly by: AnswersOfCall | undefined
  /** Does not reject. */
  readonly stored: Promise<unknown>
}

/** The answers of this server that are on their way into the store: who asks next is to find them. */
class StoringNow {
  readonly #ofNumbers = new Map<string, OnItsWay[]>()

  note(tenantId: string, digits: string, one: OnItsWay): void {
    const key = `${tenantId} ${digits}`
    this.#ofNumbers.set(key, [...(this.#ofNumbers.get(key) ?? []), one])
    void one.stored.then(() => {
      const others = this.#ofNumbers.get(key)!.filter((each) => each !== one)
      if (others.length > 0) this.#ofNumbers.set(key, others)
      else this.#ofNumbers.delete(key)
    })
  }

  /** Stores them now. A call need not wait for its own, which it knows. */
  async over(tenantId: string, digits: string, own?: AnswersOfCall): Promise<void> {
    const others = this.#ofNumbers.get(`${tenantId} ${digits}`)?.filter(({ by }) => by === undefined || by !== own)
    if (!others) return
    for (const { by } of others) by?.flush()
    await Promise.all(others.map(({ stored }) => stored))
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

/** A portability answer that says of which operator the line is now is as new as that. */
function isOutdated(
  { question, answeredAt }: Omit<StoredAnswer, 'sealed'>,
  changedAt: number,
  { portabilitySince }: LineState,
) {
  const isPortability = readQuestionName(withoutPurpose(question))?.check === 'portability'
  return answeredAt < (isPortability ? (portabilitySince ?? changedAt) : changedAt)
}
