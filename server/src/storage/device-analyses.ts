// Which devices were analysed, and what was pushed for each? Found by the SDK's request id, and by dfrId; sealed by the tenant's keys.

import type { Queryable } from './database.ts'

export interface StoredAnalysis {
  tenantId: string
  requestId: string
  appId: string
  sessionId: string
  bodyHash: Uint8Array
  sealed: Uint8Array
  analysedAt: number
  expiresAt: number
}

export interface StoredReport {
  tenantId: string
  dfrId: string
  requestId: string
  bodyHash: Uint8Array
  sealed: Uint8Array
  pushedAt: number
  expiresAt: number
}

/** The session's challenge that an analysis takes, and the one that comes next; SHA-256 of each. */
export interface ChallengeClaim {
  readonly session: Uint8Array
  readonly challengeHash: Uint8Array
  readonly nextHash: Uint8Array
}

/**
 * Keeps an analysis, if its challenge is the session's next one. False: it is not. Throws a UniqueViolation when another analysis has
 * taken the challenge, in whatever process, or the tenant has one with this request id.
 */
export async function insertAnalysis(
  database: Queryable,
  analysis: StoredAnalysis,
  { session, challengeHash }: Pick<ChallengeClaim, 'session' | 'challengeHash'>,
): Promise<boolean> {
  const { tenantId, requestId, appId, sessionId, bodyHash, sealed, analysedAt, expiresAt } = analysis
  const inserted = await database.query(
    `insert into device_analysis
       (tenant_id, request_id, app_id, session_id, body_hash, sealed, analysed_at, expires_at, challenge_hash)
     select $1, $2, $3, $4, $5, $6, $7, $8, challenge_hash from sdk_session where hash = $9 and challenge_hash = $10
     returning request_id`,
    [tenantId, requestId, appId, sessionId, bodyHash, sealed, analysedAt, expiresAt, session, challengeHash],
  )
  return inserted.length === 1
}

/** The session's challenge was taken; from now on the next one is. */
export async function advanceChallenge(
  database: Queryable,
  { session, challengeHash, nextHash }: ChallengeClaim,
): Promise<void> {
  await database.query('update sdk_session set challenge_hash = $3 where hash = $1 and challenge_hash = $2', [
    session,
    challengeHash,
    nextHash,
  ])
}

/** Unless it has expired. */
export async function findAnalysis(
  database: Queryable,
  tenantId: string,
  requestId: string,
  now: number,
): Promise<StoredAnalysis | undefined> {
  const [analysis] = await database.query<StoredAnalysis>(
    `select tenant_id as "tenantId", request_id as "requestId", app_id as "appId", session_id as "sessionId",
            body_hash as "bodyHash", sealed, analysed_at as "analysedAt", expires_at as "expiresAt"
       from device_analysis where tenant_id = $1 and request_id = $2 and expires_at > $3`,
    [tenantId, requestId, now],
  )
  return analysis
}

/** Whether it is the first with this dfrId; one that is there stays as it is. */
export async function insertReport(database: Queryable, report: StoredReport): Promise<boolean> {
  const { tenantId, dfrId, requestId, bodyHash, sealed, pushedAt, expiresAt } = report
  const inserted = await database.query(
    `insert into device_report (tenant_id, dfr_id, request_id, body_hash, sealed, pushed_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (tenant_id, dfr_id) do nothing returning dfr_id`,
    [tenantId, dfrId, requestId, bodyHash, sealed, pushedAt, expiresAt],
  )
  return inserted.length === 1
}

/** Unless it has expired. */
export async function findReport(
  database: Queryable,
  tenantId: string,
  dfrId: string,
  now: number,
): Promise<StoredReport | undefined> {
  const [report] = await database.query<StoredReport>(
    `select tenant_id as "tenantId", dfr_id as "dfrId", request_id as "requestId", body_hash as "bodyHash", sealed,
            pushed_at as "pushedAt", expires_at as "expiresAt"
       from device_report where tenant_id = $1 and dfr_id = $2 and expires_at > $3`,
    [tenantId, dfrId, now],
  )
  return report
}

/** The next reports of a tenant by dfrId that have not expired. */
export async function reportsAfter(
  database: Queryable,
  tenantId: string,
  dfrId: string,
  { now, limit }: { now: number; limit: number },
): Promise<StoredReport[]> {
  return database.query<StoredReport>(
    `select tenant_id as "tenantId", dfr_id as "dfrId", request_id as "requestId", body_hash as "bodyHash", sealed,
            pushed_at as "pushedAt", expires_at as "expiresAt"
       from device_report where tenant_id = $1 and dfr_id > $2 and expires_at > $3 order by dfr_id limit ${limit}`,
    [tenantId, dfrId, now],
  )
}

/** Drops at most `limit` analyses that have expired, and says how many. */
export async function dropExpiredAnalyses(database: Queryable, now: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from device_analysis where (tenant_id, request_id) in
       (select tenant_id, request_id from device_analysis where expires_at <= $1 limit ${limit})
     returning request_id`,
    [now],
  )
  return dropped.length
}

/** Drops at most `limit` reports that have expired, and says how many. */
export async function dropExpiredReports(database: Queryable, now: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from device_report where (tenant_id, dfr_id) in
       (select tenant_id, dfr_id from device_report where expires_at <= $1 limit ${limit})
     returning dfr_id`,
    [now],
  )
  return dropped.length
}
