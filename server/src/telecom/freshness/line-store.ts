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
  servedBy(tenantId: string, digits: string, operator: string, askedAt?: number): Promise<void>
  /**
   * Says what an answer says of changes of the line.
   *
   * @returns when the line changed, as far as answers count as older; undefined: the answer says nothing new
   */
  observe(tenantId: string, digits: string, observation: Observation, operator?: string): Promise<number | undefined>
  /** The state in a row. One that cannot be read has its time, and no state. */
  read(keys: TenantKeys, numberHash: Uint8Array, line: StoredAnswer): LineState
}

interface LinesResources {
  database: Database
  tenantKeyring: TenantKeyring
  clock: Clock
  log: Logger
}

export function lineStore({ database, tenantKeyring, clock, log }: LinesResources): Lines {
  async function rowOf(tenantId: string, digits: string): Promise<LineRow | undefined> {
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const [line] = await telecomAnswersTo(database, tenantId, numberHash, [lineName], clock.now())
    return line && { changedAt: line.answeredAt, state: openLine(keys, numberHash, line) }
  }

  async function mark(tenantId: string, digits: string, { changedAt, state }: LineRow): Promise<void> {
    const keys = await tenantKeyring.keysOf(tenantId)
    const numberHash = keys.hash(digits)
    const sealed = keys.seal(JSON.stringify(state), contextOf(lineName, numberHash))
    await markTelecomLine(database, { tenantId, numberHash, question: lineName, sealed, answeredAt: changedAt })
  }

  return {
    changed: (tenantId, digits, operator) =>
      mark(tenantId, digits, { changedAt: clock.now(), state: operator === undefined ? {} : { operator } }),

    async servedBy(tenantId, digits, operator, askedAt) {
      const line = await rowOf(tenantId, digits)
      if (!line || !isOtherOperator(line.state, operator)) return
      await mark(tenantId, digits, {
        changedAt: clock.now(),
        state: { operator, ...(askedAt !== undefined && { portabilitySince: askedAt }) },
      })
    },

    async observe(tenantId, digits, observation, operator) {
      const line = await rowOf(tenantId, digits)
      // Without stored answers nothing can be older.
      if (!line && !observation.isChange) return undefined
      const before = line ?? { changedAt: 0, state: operator === undefined ? {} : { operator } }
      const after = lineAfter(before, observation, clock.now())
      if (after) await mark(tenantId, digits, after)
      return after?.changedAt
    },

    read(keys, numberHash, line) {
      try {
        return openLine(keys, numberHash, line)
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
