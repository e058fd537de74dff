// Where is it remembered that the line behind a number changed? In a row beside the stored answers of the number.

import type { Logger } from 'pino'
import type { Clock } from '../../core/clock.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import type { Database } from '../../core/storage/database.ts'
import { markTelecomLine, type StoredAnswer, telecomAnswersTo } from '../store/telecom-answers.ts'
import { isOtherOperator, type LineRow, type LineState, lineAfter, lineName, type Observation } from './line.ts'

export interface Lines {
  /** The line of the number changed, so what was answered before is not reused. `operator` is the id of the one that serves it now. */
  changed(tenantId: string, digits: string, operator?: string): Promise<void>
  /**
   * Says who serves the number: after a port, what was answered before is not reused.
   *
   * @param askedAt since then remote sources state it; absent: local data do
   */
  servedBy(of: LineOfCall, operator: string, askedAt?: number): Promise<void>
  /**
   * Says what an answer says of changes of the line.
   *
   * @returns when the line changed, as far as answers count as older; undefined: the answer says nothing new
   */
  observe(of: LineOfCall, observation: Observation, operator?: string): Promise<number | undefined>
  /** The state in a row, if there is one. One that cannot be read has its time, and no state. */
  read(keys: TenantKeys, numberHash: Uint8Array, line: StoredAnswer | undefined, of: NotedLine): LineState
}

/** A line as a call has read it. */
export interface ReadLine extends LineRow {
  readonly sealed: Uint8Array
}

/** The lines that a call has read or changed, by their digits: it reads each once. Undefined: nothing is stored about the line. */
export type LinesOfCall = Map<string, Promise<ReadLine | undefined>>

interface NotedLine {
  readonly digits: string
  /** Absent: the line is read when it is needed. */
  readonly lines?: LinesOfCall | undefined
}

export interface LineOfCall extends NotedLine {
  readonly tenantId: string
}

/** The call has read the line; what it noted before may be newer. */
export function noteLine({ digits, lines }: NotedLine, line: StoredAnswer | undefined, state: LineState): void {
  if (!lines || lines.has(digits)) return
  lines.set(digits, Promise.resolve(line && { changedAt: line.answeredAt, state, sealed: line.sealed }))
}

/** Of a change that others make at the same time. Also where no answer is stored: then nothing is. */
const mostAttempts = 3

interface LinesResources {
  database: Database
  tenantKeyring: TenantKeyring
  clock: Clock
  log: Logger
}

export function lineStore({ database, tenantKeyring, clock, log }: LinesResources): Lines {
  async function read(tenantId: string, digits: string): Promise<ReadLine | undefined> {
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const [line] = await telecomAnswersTo(database, tenantId, numberHash, [lineName], clock.now())
    return line && { changedAt: line.answeredAt, state: openLine(keys, numberHash, line), sealed: line.sealed }
  }

  function lineOf({ tenantId, digits, lines }: LineOfCall): Promise<ReadLine | undefined> {
    const known = lines?.get(digits)
    if (known) return known
    const reading = read(tenantId, digits)
    lines?.set(digits, reading)
    reading.catch(() => lines?.delete(digits))
    return reading
  }

  /** `before`: the line must be as it was read, or absent if it was. @returns whether something was stored */
  async function mark(
    { tenantId, digits, lines }: LineOfCall,
    after: LineRow,
    before: ReadLine | undefined | 'any',
  ): Promise<boolean> {
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const sealed = keys.seal(JSON.stringify(after.state), contextOf(lineName, numberHash))
    const row = { tenantId, numberHash, question: lineName, sealed, answeredAt: after.changedAt }
    const condition = before === 'any' ? before : { sealed: before?.sealed, now: clock.now() }
    const isStored = await markTelecomLine(database, row, condition)
    if (isStored) lines?.set(digits, Promise.resolve({ ...after, sealed }))
    return isStored
  }

  /** Changes a line from what the call knows of it, and from the store where another call was faster. */
  async function change(
    of: LineOfCall,
    next: (line: LineRow | undefined) => LineRow | undefined,
  ): Promise<LineRow | undefined> {
    for (let attempt = 1; ; attempt++) {
      const known = await lineOf(of)
      const after = next(known)
      if (!after || (await mark(of, after, known)) || attempt === mostAttempts) return after
      of.lines?.delete(of.digits)
    }
  }

  return {
    async changed(tenantId, digits, operator) {
      const state = operator === undefined ? {} : { operator }
      await mark({ tenantId, digits }, { changedAt: clock.now(), state }, 'any')
    },

    async servedBy(of, operator, askedAt) {
      const state = { operator, ...(askedAt !== undefined && { portabilitySince: askedAt }) }
      await change(of, (line) =>
        line && isOtherOperator(line.state, operator) ? { changedAt: clock.now(), state } : undefined,
      )
    },

    async observe(of, observation, operator) {
      const after = await change(of, (line) => {
        // Without stored answers nothing can be older.
        if (!line && !observation.isChange) return undefined
        const before = line ?? { changedAt: 0, state: operator === undefined ? {} : { operator } }
        return lineAfter(before, observation, clock.now())
      })
      return after?.changedAt
    },

    read(keys, numberHash, line, of) {
      try {
        const state = line ? openLine(keys, numberHash, line) : {}
        noteLine(of, line, state)
        return state
      } catch (error) {
        log.warn({ err: error }, 'cannot read a stored answer')
        return {}
      }
    },
  }
}

/** Throws for a row that cannot be read. */
export const openLine = (keys: TenantKeys, numberHash: Uint8Array, { sealed }: StoredAnswer): LineState =>
  JSON.parse(keys.open(sealed, contextOf(lineName, numberHash)))

/** What the sealed text of an answer is bound to. */
export const contextOf = (name: string, numberHash: Uint8Array) =>
  `telecom_answer ${name} ${Buffer.from(numberHash).toString('base64')}`
