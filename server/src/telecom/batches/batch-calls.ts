// How far is a batch? Read, list and cancel batches.

import type {
  Batch,
  BatchPage,
  BatchStatus,
  CancelBatchRequest,
  ListBatchesRequest,
  ReadBatchRequest,
} from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { type BatchRow, cancelBatchRow, findBatch, listBatchRows } from '../store/batches.ts'
import { openHead, progressOf } from './batch-record.ts'

/** Refuses with `batchUnknown`. */
export async function readBatch({ batchId }: ReadBatchRequest, call: Call, needs: Core): Promise<Batch> {
  const { row, keys } = await ownBatch(batchId, call, needs)
  return shownBatch(row, keys)
}

/** A batch of the caller. Refuses with `batchUnknown`. */
export async function ownBatch(batchId: string, { caller: { tenantId }, provenance }: Call, needs: Core) {
  const { database, clock, tenantKeyring } = needs
  const row = await findBatch(database, { tenantId, id: uuidBytes(batchId), now: clock.now() })
  if (!row) throw new Refusal('batchUnknown')
  if (progressOf(row).sandbox) provenance.sandbox = true
  return { row, keys: await tenantKeyring.keysOf(tenantId) }
}

/** Batches of a page by default. */
const pageBatches = 20
/** Above all ids. */
const lastId = new Uint8Array(16).fill(255)

/** Refuses with `fieldInvalid`. */
export async function listBatches(
  { limit = pageBatches, cursor }: ListBatchesRequest,
  { caller: { tenantId }, provenance }: Call,
  { database, clock, tenantKeyring }: Core,
): Promise<BatchPage> {
  const before = cursor === undefined ? lastId : positionOf(cursor)
  const keys = await tenantKeyring.keysOf(tenantId)
  const rows = await listBatchRows(database, { tenantId, before, limit: limit + 1, now: clock.now() })
  const page = rows.slice(0, limit)
  if (page.some((row) => progressOf(row).sandbox)) provenance.sandbox = true
  return {
    batches: page.map((row) => shownBatch(row, keys)),
    ...(rows.length > limit && { nextCursor: Buffer.from(page.at(-1)!.id).toString('base64url') }),
  }
}

/** Refuses with `batchUnknown`. One that has ended stays as it is. */
export async function cancelBatch({ batchId }: CancelBatchRequest, call: Call, needs: Core): Promise<Batch> {
  await ownBatch(batchId, call, needs)
  await cancelBatchRow(needs.database, call.caller.tenantId, uuidBytes(batchId))
  return readBatch({ batchId }, call, needs)
}

function positionOf(cursor: string): Uint8Array {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length !== 16) throw new Refusal('fieldInvalid', { mistake: 'cursor must be `nextCursor` of a page' })
  return bytes
}

const isoTime = (epochMs: number) => new Date(epochMs).toISOString()

export function shownBatch(row: BatchRow, keys: TenantKeys): Batch {
  const { notation, consent, columns } = openHead(row, keys)
  const { next: _, errors, cost, sandbox, linesPerSecond, ...counts } = progressOf(row)
  const status = statusOf(row, counts.done)
  return {
    batchId: uuidText(row.id),
    status,
    checks: notation,
    ...(consent && { consent }),
    columns: [...columns],
    counts: { total: row.lines, ...counts },
    errors: { ...errors },
    ...(cost && { cost }),
    ...(sandbox && { sandbox }),
    ...(status === 'running' && linesPerSecond !== undefined && { linesPerSecond }),
    createdAt: isoTime(row.createdAt),
    ...(row.completedAt !== null && { completedAt: isoTime(row.completedAt) }),
    expiresAt: isoTime(row.expiresAt),
  }
}

function statusOf({ state, claim }: BatchRow, done: number): BatchStatus {
  if (state === 'canceling' || state === 'canceled' || state === 'completed') return state
  return claim !== null || done > 0 ? 'running' : 'queued'
}
