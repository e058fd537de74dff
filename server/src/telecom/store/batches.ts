// Which batches of phone numbers did a tenant send, and which of them has a server to work on? A server claims one at a time.

import type { BatchStatement, Database, Queryable } from '../../core/storage/database.ts'

/** `receiving`: its lines are still arriving. */
export type BatchState = 'receiving' | 'waiting' | 'canceling' | 'canceled' | 'completed'

export interface BatchRow {
  readonly tenantId: string
  /** 16 bytes. */
  readonly id: Uint8Array
  readonly bodyHash: Uint8Array
  readonly state: BatchState
  readonly createdAt: number
  readonly completedAt: number | null
  readonly expiresAt: number
  readonly lines: number
  readonly parts: number
  /** JSON. */
  readonly progress: string
  readonly sealed: Uint8Array
  readonly claim: Uint8Array | null
}

const columns = `tenant_id as "tenantId", id, body_hash as "bodyHash", state, created_at as "createdAt",
  completed_at as "completedAt", expires_at as "expiresAt", lines, parts, progress, sealed, claim`

/** Later than any time of the clock: no server has anything to do. */
const never = Number.MAX_SAFE_INTEGER

/** What a tenant has: batches that have not expired, also those that arrive now. */
export interface StoredBatches {
  readonly batches: number
  /** One that arrives has as many as it may have. */
  readonly lines: number
  readonly receiving: number
}

/**
 * Before its lines arrive. Nobody can read it yet. `lines`: as many as it may have.
 * @returns what is stored before it; it begins only when `mayBegin` accepts that, also when several servers ask at the same time
 */
export function beginBatch(
  database: Database,
  {
    tenantId,
    id,
    createdAt,
    expiresAt,
    lines,
    sealed,
  }: Pick<BatchRow, 'tenantId' | 'id' | 'createdAt' | 'expiresAt' | 'lines' | 'sealed'>,
  mayBegin: (stored: StoredBatches) => boolean,
): Promise<StoredBatches> {
  return database.transaction(async (tx) => {
    const stored = await storedBatches(tx, tenantId, createdAt)
    if (!mayBegin(stored)) return stored
    await tx.query(
      `insert into telecom_batch (tenant_id, id, body_hash, state, created_at, expires_at, lines, parts, due_at, progress, sealed)
       values ($1, $2, $3, 'receiving', $4, $5, $6, 0, ${never}, '{}', $7)`,
      [tenantId, id, new Uint8Array(0), createdAt, expiresAt, lines, sealed],
    )
    return stored
  })
}

async function storedBatches(database: Queryable, tenantId: string, now: number): Promise<StoredBatches> {
  const [row] = await database.query<StoredBatches>(
    `select cast(count(*) as bigint) as "batches", cast(coalesce(sum(lines), 0) as bigint) as "lines",
            cast(coalesce(sum(case when state = 'receiving' then 1 else 0 end), 0) as bigint) as "receiving"
       from telecom_batch where tenant_id = $1 and expires_at > $2`,
    [tenantId, now],
  )
  return row!
}

/** Its lines have arrived: servers may work on it. @throws UniqueViolation when another batch has this Idempotency-Key */
export async function acceptBatch(
  database: Queryable,
  row: Pick<
    BatchRow,
    'tenantId' | 'id' | 'bodyHash' | 'createdAt' | 'expiresAt' | 'lines' | 'parts' | 'progress' | 'sealed'
  > & {
    readonly idempotencyHash: Uint8Array | null
  },
): Promise<boolean> {
  const rows = await database.query(
    `update telecom_batch set state = 'waiting', idempotency_hash = $3, body_hash = $4, created_at = $5, expires_at = $6, lines = $7,
        parts = $8, progress = $9, sealed = $10, due_at = $5
      where tenant_id = $1 and id = $2 and state = 'receiving' returning state`,
    [
      ...[row.tenantId, row.id, row.idempotencyHash, row.bodyHash, row.createdAt, row.expiresAt, row.lines, row.parts],
      ...[row.progress, row.sealed],
    ],
  )
  return rows.length > 0
}

/** One that nobody can read yet is left out. */
export async function findBatch(
  database: Queryable,
  { tenantId, id, now }: { tenantId: string; id: Uint8Array; now: number },
): Promise<BatchRow | undefined> {
  const [row] = await database.query<BatchRow>(
    `select ${columns} from telecom_batch
      where tenant_id = $1 and id = $2 and expires_at > $3 and state <> 'receiving'`,
    [tenantId, id, now],
  )
  return row
}

export async function findBatchByKey(
  database: Queryable,
  tenantId: string,
  idempotencyHash: Uint8Array,
): Promise<BatchRow | undefined> {
  const [row] = await database.query<BatchRow>(
    `select ${columns} from telecom_batch where tenant_id = $1 and idempotency_hash = $2`,
    [tenantId, idempotencyHash],
  )
  return row
}

/** Newest first, those before `before`. Ids are in the order of time. */
export async function listBatchRows(
  database: Queryable,
  { tenantId, before, limit, now }: { tenantId: string; before: Uint8Array; limit: number; now: number },
): Promise<BatchRow[]> {
  return database.query<BatchRow>(
    `select ${columns} from telecom_batch
      where tenant_id = $1 and id < $2 and expires_at > $3 and state <> 'receiving' order by id desc limit $4`,
    [tenantId, before, now, limit],
  )
}

/** A server works on batches of at most so many tenants at a time. */
export const mostBusyTenants = 4

/**
 * Claims the batch that waits longest, leaving out those of `busy` tenants. Until `until` no other server claims it; then its server
 * has died. @returns undefined when none is due, or another server was first
 */
export async function claimBatch(
  database: Queryable,
  { claim, now, until, busy }: { claim: Uint8Array; now: number; until: number; busy: readonly string[] },
): Promise<BatchRow | undefined> {
  const next = await dueBatch(database, { now, busy })
  if (!next) return undefined
  const [row] = await database.query<BatchRow>(
    `update telecom_batch set claim = $1, due_at = $2
      where tenant_id = $3 and id = $4 and due_at <= $5 returning ${columns}`,
    [claim, until, next.tenantId, next.id, now],
  )
  return row
}

/** The batch that waits longest, leaving out those of `busy` tenants. */
export async function dueBatch(
  database: Queryable,
  { now, busy }: { now: number; busy: readonly string[] },
): Promise<{ tenantId: string; id: Uint8Array } | undefined> {
  const others = Array.from({ length: mostBusyTenants }, (_, place) => busy[place] ?? '')
  const [next] = await database.query<{ tenantId: string; id: Uint8Array }>(
    `select tenant_id as "tenantId", id from telecom_batch
      where due_at <= $1 and expires_at > $1 and tenant_id not in ($2, $3, $4, $5) order by due_at limit 1`,
    [now, ...others],
  )
  return next
}

export interface Claimed {
  readonly tenantId: string
  readonly id: Uint8Array
  readonly claim: Uint8Array
}

/** For a batch of statements that must not be written once another server has the claim. */
export const renewStatement = ({ tenantId, id, claim }: Claimed, until: number, progress?: string): BatchStatement => ({
  sql: `update telecom_batch set due_at = $4, progress = coalesce($5, progress)
         where tenant_id = $1 and id = $2 and claim = $3 returning state`,
  params: [tenantId, id, claim, until, progress ?? null],
  required: true,
})

/** @returns its state now; undefined: another server has it, or it was deleted */
export async function renewClaim(
  database: Queryable,
  { tenantId, id, claim }: Claimed,
  until: number,
): Promise<BatchState | undefined> {
  const [row] = await database.query<{ state: BatchState }>(
    'update telecom_batch set due_at = $4 where tenant_id = $1 and id = $2 and claim = $3 returning state',
    [tenantId, id, claim, until],
  )
  return row?.state
}

/** Another server may go on at once. */
export async function releaseClaim(database: Queryable, { tenantId, id, claim }: Claimed, now: number): Promise<void> {
  await database.query(
    'update telecom_batch set due_at = $4, claim = null where tenant_id = $1 and id = $2 and claim = $3',
    [tenantId, id, claim, now],
  )
}

/** Statement of the end of a batch, for a batch of statements with its event. */
export const endStatement = (
  { tenantId, id, claim }: Claimed,
  { state, now, progress }: { state: 'completed' | 'canceled'; now: number; progress: string },
): BatchStatement => ({
  sql: `update telecom_batch set state = $4, completed_at = $5, progress = $6, due_at = ${never}, claim = null
         where tenant_id = $1 and id = $2 and claim = $3 returning state`,
  params: [tenantId, id, claim, state, now, progress],
  required: true,
})

/** Its server notices when it renews its claim. @returns whether it was still to be done */
export async function cancelBatchRow(database: Queryable, tenantId: string, id: Uint8Array): Promise<boolean> {
  const rows = await database.query(
    `update telecom_batch set state = 'canceling' where tenant_id = $1 and id = $2 and state = 'waiting' returning state`,
    [tenantId, id],
  )
  return rows.length > 0
}

/** Batches that have expired; those whose lines stopped arriving do so soon. */
export async function expiredBatches(
  database: Queryable,
  now: number,
  limit: number,
): Promise<{ tenantId: string; id: Uint8Array }[]> {
  return database.query('select tenant_id as "tenantId", id from telecom_batch where expires_at <= $1 limit $2', [
    now,
    limit,
  ])
}

/** The batch first, so that nobody writes another part; then its parts in slices. */
export async function deleteBatch(database: Database, tenantId: string, id: Uint8Array): Promise<void> {
  await database.query('delete from telecom_batch where tenant_id = $1 and id = $2', [tenantId, id])
  for (let deleted = 1; deleted > 0; ) {
    const rows = await database.query(
      `delete from telecom_batch_part where tenant_id = $1 and batch_id = $2 and part in
         (select part from telecom_batch_part where tenant_id = $1 and batch_id = $2 limit 100)
       returning part`,
      [tenantId, id],
    )
    deleted = rows.length
  }
}
