// Which devices were analysed, and what was reported of each? One row for an analysis, its report and the visit that it was.

import { hash } from 'node:crypto'
import type { Queryable } from './database.ts'

/** Where an analysis is kept, and for whom. */
export interface AnalysisKey {
  tenantId: string
  /** 32 hex digits. */
  dfrId: string
}

export interface StoredAnalysis extends AnalysisKey {
  /** Of the engine call, and of the push; no push yet: null. */
  bodyHash: Uint8Array
  pushHash: Uint8Array | null
  /** Epoch milliseconds. */
  analysedAt: number
  /** Keyed hashes of 8 bytes; null where nobody told. */
  deviceHash: Uint8Array | null
  accountHash: Uint8Array | null
  numberHash: Uint8Array | null
  /** Null where the address is not known, or not public. */
  ipPrefixHash: Uint8Array | null
  ipHash: Uint8Array | null
  country: string | null
  /** Names of those that fired, separated by spaces. */
  signals: string
  sealed: Uint8Array
}

/** Bytes of dfrId as they are kept. */
export const dfrIdBytes = (dfrId: string): Uint8Array => Buffer.from(dfrId, 'hex')

/** Eight bytes tell tenants apart, where their ids would be a tenth of a row. */
export const tenantHash = (tenantId: string): Uint8Array => hash('sha256', tenantId, 'buffer').subarray(0, 8)

/**
 * Keeps an analysis, which takes its challenge. Throws a UniqueViolation when another one, in whatever process, has taken it, or
 * the tenant has one of this dfrId.
 */
export async function insertAnalysis(
  database: Queryable,
  analysis: Omit<StoredAnalysis, 'pushHash'> & { challenge: Uint8Array },
): Promise<void> {
  await database.query(
    `insert into device_analysis (tenant_hash, dfr_id, challenge, body_hash, analysed_at, device_hash, account_hash,
                                  number_hash, ip_prefix_hash, ip_hash, country, signals, sealed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      tenantHash(analysis.tenantId),
      dfrIdBytes(analysis.dfrId),
      analysis.challenge,
      analysis.bodyHash,
      analysis.analysedAt,
      analysis.deviceHash,
      analysis.accountHash,
      analysis.numberHash,
      analysis.ipPrefixHash,
      analysis.ipHash,
      analysis.country,
      analysis.signals,
      analysis.sealed,
    ],
  )
}

/** Unless it was made before `since`. */
export async function findAnalysis(
  database: Queryable,
  { tenantId, dfrId }: AnalysisKey,
  since: number,
): Promise<StoredAnalysis | undefined> {
  const [found] = await database.query<Omit<StoredAnalysis, keyof AnalysisKey>>(
    `select body_hash as "bodyHash", push_hash as "pushHash", analysed_at as "analysedAt", device_hash as "deviceHash",
            account_hash as "accountHash", number_hash as "numberHash", ip_prefix_hash as "ipPrefixHash",
            ip_hash as "ipHash", country, signals, sealed
       from device_analysis
      where tenant_hash = $1 and dfr_id = $2 and analysed_at > $3 and sealed is not null`,
    [tenantHash(tenantId), dfrIdBytes(dfrId), since],
  )
  return found && { tenantId, dfrId, ...found }
}

/**
 * Keeps the report of an analysis, which from now on is a visit of its device. `sealed`: both. False: it has one, which stays as
 * it is.
 */
export async function keepReport(
  database: Queryable,
  { tenantId, dfrId, pushHash, sealed }: AnalysisKey & { pushHash: Uint8Array; sealed: Uint8Array },
): Promise<boolean> {
  const kept = await database.query(
    `update device_analysis set push_hash = $3, sealed = $4
      where tenant_hash = $1 and dfr_id = $2 and push_hash is null returning 1 as kept`,
    [tenantHash(tenantId), dfrIdBytes(dfrId), pushHash, sealed],
  )
  return kept.length === 1
}

/** The next analyses of a tenant by dfrId that have a report and were not made before `since`. */
export async function reportsAfter(
  database: Queryable,
  { tenantId, dfrId }: AnalysisKey,
  { since, limit }: { since: number; limit: number },
): Promise<(AnalysisKey & Pick<StoredAnalysis, 'sealed'>)[]> {
  const found = await database.query<{ dfrId: Uint8Array; sealed: Uint8Array }>(
    `select dfr_id as "dfrId", sealed from device_analysis
      where tenant_hash = $1 and dfr_id > $2 and analysed_at > $3 and push_hash is not null and sealed is not null
      order by dfr_id limit ${limit}`,
    [tenantHash(tenantId), dfrIdBytes(dfrId), since],
  )
  return found.map((row) => ({ ...row, tenantId, dfrId: Buffer.from(row.dfrId).toString('hex') }))
}

/** Forgets the content of at most `limit` analyses that were made at this time or before, and says of how many. Visits stay. */
export async function forgetContents(database: Queryable, before: number, limit: number): Promise<number> {
  const forgotten = await database.query(
    `update device_analysis set sealed = null where (tenant_hash, dfr_id) in
       (select tenant_hash, dfr_id from device_analysis where sealed is not null and analysed_at <= $1 limit ${limit})
     returning dfr_id`,
    [before],
  )
  return forgotten.length
}

/** Drops at most `limit` analyses without a report that were made at this time or before, and says how many: they were no visits. */
export async function dropUnreported(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from device_analysis where (tenant_hash, dfr_id) in
       (select tenant_hash, dfr_id from device_analysis
         where sealed is not null and analysed_at <= $1 and push_hash is null limit ${limit})
     returning dfr_id`,
    [before],
  )
  return dropped.length
}

/** Drops at most `limit` analyses that have no content any more and were made before this time, and says how many. */
export async function dropForgotten(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from device_analysis where (tenant_hash, dfr_id) in
       (select tenant_hash, dfr_id from device_analysis where sealed is null and analysed_at < $1 limit ${limit})
     returning dfr_id`,
    [before],
  )
  return dropped.length
}
