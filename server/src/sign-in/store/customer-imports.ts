// Which import of customers runs? A tenant has one at a time, and every write of it says that it still runs.

import type { Queryable } from '../../core/storage/database.ts'

export interface RunningImport {
  readonly importId: string
  readonly beats: number
}

export async function runningImport(database: Queryable, tenantId: string): Promise<RunningImport | undefined> {
  const [row] = await database.query<RunningImport>(
    'select import_id as "importId", beats from customer_import where tenant_id = $1',
    [tenantId],
  )
  return row
}

/** @returns whether none was running */
export async function beginImport(database: Queryable, tenantId: string, importId: string): Promise<boolean> {
  const rows = await database.query(
    `insert into customer_import (tenant_id, import_id, beats) values ($1, $2, 0)
     on conflict (tenant_id) do nothing returning import_id`,
    [tenantId, importId],
  )
  return rows.length === 1
}

/** In place of one that was killed. @returns whether it has not written meanwhile */
export async function takeImportOver(
  database: Queryable,
  tenantId: string,
  { dead, importId }: { dead: RunningImport; importId: string },
): Promise<boolean> {
  const rows = await database.query(
    `update customer_import set import_id = $2, beats = 0 where tenant_id = $1 and import_id = $3 and beats = $4
      returning import_id`,
    [tenantId, importId, dead.importId, dead.beats],
  )
  return rows.length === 1
}

/** @returns whether this import may go on: nobody stopped it or took it over */
export async function importBeats(tx: Queryable, tenantId: string, importId: string): Promise<boolean> {
  const rows = await tx.query(
    'update customer_import set beats = beats + 1 where tenant_id = $1 and import_id = $2 returning beats',
    [tenantId, importId],
  )
  return rows.length === 1
}

export async function endImport(database: Queryable, tenantId: string, importId: string): Promise<void> {
  await database.query('delete from customer_import where tenant_id = $1 and import_id = $2', [tenantId, importId])
}

/** Whichever it is. */
export async function stopImport(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query('delete from customer_import where tenant_id = $1', [tenantId])
}
