// Which device analyses exist? A row is an analysis, and after its push also a report and a visit.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { dfrIdBytes, tenantHash } from '../../core/storage/short-keys.ts'

/** Identifies an analysis. */
export interface AnalysisKey {
  tenantId: string
  /** 32 hex digits. */
  dfrId: string
}

/** What a visit shows: keyed hashes of 8 bytes; null if unknown. */
export interface VisitColumns {
  deviceHash: Uint8Array | null
  installationHash: Uint8Array | null
  /** Of a phone: 1 where its hardware attested the key, else 0. None of a browser. */
  attested?: number | null | undefined
  /** Null if the IP address is unknown or not public. */
  ipPrefixHash: Uint8Array | null
  ipHash: Uint8Array | null
  accountHash: Uint8Array | null
  numberHash: Uint8Array | null
  country: string | null
  /** Names of the signals that fired, separated by spaces. */
  signals: string
}

/** The accounts and numbers of a device are in its history, once; the row of an analysis has the rest. */
export interface StoredAnalysis extends AnalysisKey, Omit<VisitColumns, 'accountHash' | 'numberHash'> {
  /** Hashes of the engine call and of the push; null before the push. */
  bodyHash: Uint8Array
  pushHash: Uint8Array | null
  /** Epoch milliseconds. */
  analysedAt: number
  sealed: Uint8Array
  /** Packed hashes of those whose decisions named the report; null before the first. */
  subjects: Uint8Array | null
}

/** What is known of a visit beside its content. */
export type AnalysisColumns = AnalysisKey & VisitColumns & Pick<StoredAnalysis, 'analysedAt'>

/**
 * Stores an analysis, and uses up its challenge. With a `pushHash` it has its report already. Fails with a UniqueViolation when the
 * challenge was used up, on any server, or the tenant has an analysis with this dfrId.
 */
export const analysisInsert = (
  analysis: Omit<StoredAnalysis, 'subjects'> & { readonly challenge: Uint8Array },
): BatchStatement => ({
  sql: `insert into device_analysis (tenant_hash, dfr_id, challenge, body_hash, push_hash, analysed_at, device_hash,
                                     installation_hash, attested, ip_prefix_hash, ip_hash, country, signals, sealed)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
  params: [
    tenantHash(analysis.tenantId),
    dfrIdBytes(analysis.dfrId),
    analysis.challenge,
    analysis.bodyHash,
    analysis.pushHash,
    analysis.analysedAt,
    analysis.deviceHash,
    analysis.installationHash,
    analysis.attested ?? null,
    analysis.ipPrefixHash,
    analysis.ipHash,
    analysis.country,
    analysis.signals,
    analysis.sealed,
  ],
})

/** Whether an analysis has used up this challenge. */
export async function isChallengeUsed(database: Queryable, challenge: Uint8Array): Promise<boolean> {
  const used = await database.query('select 1 as used from device_analysis where challenge = $1', [challenge])
  return used.length > 0
}

/** Undefined when it is older than `since` or has no content any more. */
export async function findAnalysis(
  database: Queryable,
  { tenantId, dfrId }: AnalysisKey,
  since: number,
): Promise<StoredAnalysis | undefined> {
  const [found] = await database.query<Omit<StoredAnalysis, keyof AnalysisKey>>(
    `select body_hash as "bodyHash", push_hash as "pushHash", analysed_at as "analysedAt", device_hash as "deviceHash",
            installation_hash as "installationHash", ip_prefix_hash as "ipPrefixHash", ip_hash as "ipHash", country,
            signals, sealed, subjects
       from device_analysis
      where tenant_hash = $1 and dfr_id = $2 and analysed_at > $3 and sealed is not null`,
    [tenantHash(tenantId), dfrIdBytes(dfrId), since],
  )
  return found && { tenantId, dfrId, ...found }
}

/** The analysis that used up a challenge. Undefined as in `findAnalysis`. */
export async function findAnalysisByChallenge(
  database: Queryable,
  tenantId: string,
  challenge: Uint8Array,
  since: number,
): Promise<StoredAnalysis | undefined> {
  const [found] = await database.query<{ dfrId: Uint8Array }>(
    `select dfr_id as "dfrId" from device_analysis where challenge = $1 and tenant_hash = $2`,
    [challenge, tenantHash(tenantId)],
  )
  return found && findAnalysis(database, { tenantId, dfrId: Buffer.from(found.dfrId).toString('hex') }, since)
}

/**
 * Stores the report of an analysis, which from now on is also a visit. `sealed` contains analysis and report. A condition, which fails
 * when the analysis has a report already.
 */
export const reportUpdate = ({
  tenantId,
  dfrId,
  pushHash,
  sealed,
}: AnalysisKey & { readonly pushHash: Uint8Array; readonly sealed: Uint8Array }): BatchStatement => ({
  sql: `update device_analysis set push_hash = $3, sealed = $4
         where tenant_hash = $1 and dfr_id = $2 and push_hash is null returning 1 as stored`,
  params: [tenantHash(tenantId), dfrIdBytes(dfrId), pushHash, sealed],
  required: true,
})

/** The next analyses of a tenant, by dfrId, that have a report and are not older than `since`. */
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

/** Deletes the content of at most `limit` analyses of this time or before. Their visits stay. @returns how many */
export async function deleteContents(database: Queryable, before: number, limit: number): Promise<number> {
  const emptied = await database.query(
    `update device_analysis set sealed = null, subjects = null where (tenant_hash, dfr_id) in
       (select tenant_hash, dfr_id from device_analysis where sealed is not null and analysed_at <= $1 limit ${limit})
     returning dfr_id`,
    [before],
  )
  return emptied.length
}

/** Deletes at most `limit` analyses without a report, which are no visits, of this time or before. @returns how many */
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

/** Deletes at most `limit` analyses without content from before this time. @returns how many */
export async function dropWithoutContent(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from device_analysis where (tenant_hash, dfr_id) in
       (select tenant_hash, dfr_id from device_analysis where sealed is null and analysed_at < $1 limit ${limit})
     returning dfr_id`,
    [before],
  )
  return dropped.length
}
