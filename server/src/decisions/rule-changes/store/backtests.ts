// Which backtests did people start, and how far are they?

import type { Queryable } from '../../../core/storage/database.ts'

export type BacktestState = 'running' | 'done' | 'cancelled' | 'failed'

export interface BacktestRow {
  readonly tenantId: string
  readonly id: string
  readonly state: BacktestState
  readonly startedAt: number
  readonly writtenAt: number
  readonly done: number
  readonly total: number
  readonly cancelled: number
  readonly sealed: Uint8Array
  readonly sealedResult: Uint8Array | null
}

const columns = `tenant_id as "tenantId", id, state, started_at as "startedAt", written_at as "writtenAt", done, total,
  cancelled, sealed, sealed_result as "sealedResult"`

export async function insertBacktest(
  database: Queryable,
  { tenantId, id, startedAt, total, sealed }: Pick<BacktestRow, 'tenantId' | 'id' | 'startedAt' | 'total' | 'sealed'>,
): Promise<void> {
  await database.query(
    `insert into backtest (tenant_id, id, state, started_at, written_at, done, total, cancelled, sealed)
     values ($1, $2, 'running', $3, $3, 0, $4, 0, $5)`,
    [tenantId, id, startedAt, total, sealed],
  )
}

/** @returns whether a person wants it to end */
export async function putBacktestProgress(
  database: Queryable,
  { tenantId, id, done, writtenAt }: Pick<BacktestRow, 'tenantId' | 'id' | 'done' | 'writtenAt'>,
): Promise<boolean> {
  const [row] = await database.query<{ cancelled: number }>(
    `update backtest set done = $3, written_at = $4 where tenant_id = $1 and id = $2 and state = 'running'
     returning cancelled`,
    [tenantId, id, done, writtenAt],
  )
  return row === undefined || row.cancelled === 1
}

export async function endBacktest(
  database: Queryable,
  {
    tenantId,
    id,
    state,
    done,
    writtenAt,
    sealedResult,
  }: Pick<BacktestRow, 'tenantId' | 'id' | 'state' | 'done' | 'writtenAt' | 'sealedResult'>,
): Promise<void> {
  await database.query(
    `update backtest set state = $3, done = $4, written_at = $5, sealed_result = $6
      where tenant_id = $1 and id = $2 and state = 'running'`,
    [tenantId, id, state, done, writtenAt, sealedResult],
  )
}

/** False when it has ended, or there is none. */
export async function cancelBacktest(database: Queryable, tenantId: string, id: string): Promise<boolean> {
  const rows = await database.query(
    `update backtest set cancelled = 1 where tenant_id = $1 and id = $2 and state = 'running' returning 1 as cancelled`,
    [tenantId, id],
  )
  return rows.length > 0
}

export async function findBacktest(
  database: Queryable,
  tenantId: string,
  id: string,
): Promise<BacktestRow | undefined> {
  const [row] = await database.query<BacktestRow>(`select ${columns} from backtest where tenant_id = $1 and id = $2`, [
    tenantId,
    id,
  ])
  return row
}

/** Newest first, without results. */
export async function listBacktests(database: Queryable, tenantId: string, limit: number): Promise<BacktestRow[]> {
  return database.query<BacktestRow>(
    `select ${columns.replace('sealed_result as', 'null as')} from backtest where tenant_id = $1
      order by started_at desc, id limit $2`,
    [tenantId, limit],
  )
}

export async function dropBacktestsBefore(database: Queryable, startedAt: number): Promise<void> {
  await database.query('delete from backtest where started_at < $1', [startedAt])
}
