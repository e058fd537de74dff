// Which webhooks does a tenant have?

import type { Queryable } from '../database.ts'

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
