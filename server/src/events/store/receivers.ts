// Which webhooks does a tenant have?

import type { Queryable } from '../../core/storage/database.ts'

/** paused: events wait. disabled: it said that it is gone, or failed for days; events do not wait. */
export type ReceiverState = 'active' | 'paused' | 'disabled'

export interface ReceiverRow {
  readonly tenantId: string
  readonly id: string
  /** Types and groups, separated by spaces. */
  readonly types: string
  readonly state: ReceiverState
  readonly sealed: Uint8Array
  readonly createdAt: number
  readonly failingSince: number | null
  readonly failure: string | null
}

const columns = `tenant_id as "tenantId", id, types, state, sealed, created_at as "createdAt",
  failing_since as "failingSince", failure`

/** In the order of creation. */
export async function listReceivers(database: Queryable, tenantId: string): Promise<ReceiverRow[]> {
  return database.query<ReceiverRow>(
    `select ${columns} from event_receiver where tenant_id = $1 order by created_at, id`,
    [tenantId],
  )
}

export async function findReceiver(
  database: Queryable,
  tenantId: string,
  id: string,
): Promise<ReceiverRow | undefined> {
  const [row] = await database.query<ReceiverRow>(
    `select ${columns} from event_receiver where tenant_id = $1 and id = $2`,
    [tenantId, id],
  )
  return row
}

export async function insertReceiver(
  database: Queryable,
  { tenantId, id, types, state, sealed, createdAt }: Omit<ReceiverRow, 'failingSince' | 'failure'>,
): Promise<void> {
  await database.query(
    'insert into event_receiver (tenant_id, id, types, state, sealed, created_at) values ($1, $2, $3, $4, $5, $6)',
    [tenantId, id, types, state, sealed, createdAt],
  )
}

/** Of all tenants: how many there are, how many of the others fail, and how many are disabled. */
export async function troubledReceivers(
  database: Queryable,
): Promise<{ all: number; failing: number; disabled: number }> {
  const [row] = await database.query<{ all: number; failing: number; disabled: number }>(
    `select count(*) as "all",
            count(case when state = 'active' and failing_since is not null then 1 end) as "failing",
            count(case when state = 'disabled' then 1 end) as "disabled"
       from event_receiver`,
  )
  return row!
}

type ReceiverKey = Pick<ReceiverRow, 'tenantId' | 'id'>

export async function setReceiverState(
  database: Queryable,
  { tenantId, id }: ReceiverKey,
  state: ReceiverState,
): Promise<void> {
  await database.query(
    'update event_receiver set state = $3, failing_since = null, failure = null where tenant_id = $1 and id = $2',
    [tenantId, id, state],
  )
}

/** Disables a receiver that is active, and says why. */
export async function disableReceiver(
  database: Queryable,
  { tenantId, id }: ReceiverKey,
  failure: string,
): Promise<void> {
  await database.query(
    `update event_receiver set state = 'disabled', failure = $3 where tenant_id = $1 and id = $2 and state = 'active'`,
    [tenantId, id, failure],
  )
}

/** Records that no delivery succeeds since this time, unless it failed before. */
export async function recordFailing(
  database: Queryable,
  { tenantId, id }: ReceiverKey,
  since: number,
  failure: string,
): Promise<void> {
  await database.query(
    'update event_receiver set failing_since = coalesce(failing_since, $3), failure = $4 where tenant_id = $1 and id = $2',
    [tenantId, id, since, failure],
  )
}

export async function recordWorking(database: Queryable, { tenantId, id }: ReceiverKey): Promise<void> {
  await database.query(
    'update event_receiver set failing_since = null, failure = null where tenant_id = $1 and id = $2',
    [tenantId, id],
  )
}

/** False when somebody else has changed the content since it was read. */
export async function replaceReceiverContent(
  database: Queryable,
  { tenantId, id, sealed: before }: ReceiverKey & Pick<ReceiverRow, 'sealed'>,
  sealed: Uint8Array,
): Promise<boolean> {
  const changed = await database.query(
    'update event_receiver set sealed = $4 where tenant_id = $1 and id = $2 and sealed = $3 returning 1 as changed',
    [tenantId, id, before, sealed],
  )
  return changed.length > 0
}

export async function dropReceiver(database: Queryable, { tenantId, id }: ReceiverKey): Promise<boolean> {
  const dropped = await database.query(
    'delete from event_receiver where tenant_id = $1 and id = $2 returning 1 as dropped',
    [tenantId, id],
  )
  return dropped.length > 0
}
