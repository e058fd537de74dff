// Whose session is it? Starts, finds and ends sessions of the console.

import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { Database, Queryable } from '../../core/storage/database.ts'
import {
  type ConsoleSessionRow,
  endConsoleSession,
  findConsoleSession,
  insertConsoleSession,
  sessionsOfPerson,
  touchConsoleSession,
} from '../store/console-sessions.ts'

/** OWASP ASVS 5, 7.3: without a call for so long it ends, and at the latest after so long. */
export const idleMinutes = 30
/** For so long after somebody proved who they are, they may change how they sign in (ASVS 5, 7.5.1). */
export const confirmedMs = 10 * 60_000
const idleMs = idleMinutes * 60_000
const mostMs = 12 * 3_600_000
const lastUsedPrecisionMs = 60_000

export interface ConsoleSessions {
  /** Starts a session in the transaction of a sign-in. @returns its token, which is nowhere stored */
  start(tx: Queryable, personId: string): Promise<string>
  /** The live session of a token. It counts as used, unless the call `isIdle`: one that the page makes without its person. */
  find(token: string, options?: { isIdle: boolean }): Promise<ConsoleSessionRow | undefined>
  /** Newest first. */
  list(personId: string): Promise<ConsoleSessionRow[]>
  /** In a transaction. False when it had ended. */
  endOf(tx: Queryable, token: string): Promise<boolean>
  /** False when it had ended. */
  end(row: Pick<ConsoleSessionRow, 'tokenHash'>): Promise<boolean>
}

export function consoleSessions({ database, clock }: { database: Database; clock: Clock }): ConsoleSessions {
  const isLive = ({ lastUsedAt, endsAt }: ConsoleSessionRow) => clock.now() < Math.min(endsAt, lastUsedAt + idleMs)

  return {
    async start(tx, personId) {
      const token = randomBytes(32).toString('base64url')
      const now = clock.now()
      const times = { startedAt: now, lastUsedAt: now, endsAt: now + mostMs }
      await insertConsoleSession(tx, { tokenHash: hashOf(token), personId, ...times })
      return token
    },
    async find(token, { isIdle } = { isIdle: false }) {
      const row = await findConsoleSession(database, hashOf(token))
      if (!row || !isLive(row)) return undefined
      const now = clock.now()
      if (!isIdle && now - row.lastUsedAt >= lastUsedPrecisionMs)
        await touchConsoleSession(database, row.tokenHash, now)
      return row
    },
    async list(personId) {
      return (await sessionsOfPerson(database, personId)).filter(isLive)
    },
    endOf: (tx, token) => endConsoleSession(tx, hashOf(token)),
    end: ({ tokenHash }) => endConsoleSession(database, tokenHash),
  }
}

/** Public: it cannot be turned back into the token. */
export const sessionIdOf = ({ tokenHash }: Pick<ConsoleSessionRow, 'tokenHash'>): string =>
  Buffer.from(tokenHash.subarray(0, 16)).toString('base64url')

/** A page that cannot read the cookie gets it from `GET /admin/v1/me`; another site cannot. */
export const csrfTokenOf = (token: string): string => createHash('sha256').update(`csrf ${token}`).digest('base64url')

const hashOf = (token: string) => createHash('sha256').update(token).digest()
