// Which decisions does a page of events name? Read by their ids, after their commit.

import type { Queryable } from '../../core/storage/database.ts'
import { dfrIdBytes, tenantHash } from '../../core/storage/short-keys.ts'
import { isUuid, uuidBytes } from '../../core/storage/uuid.ts'
import type { EventSubjects } from '../../events/store/search.ts'
import { inGroups, places } from './groups.ts'

/** What became of a decision. */
export interface DecisionState extends EventSubjects {
  readonly id: Uint8Array
  readonly decidedAt: number
  readonly challengePassedAt: number | null
  readonly challengeFailedAt: number | null
  readonly challengeExpiredAt: number | null
  readonly review: string | null
  readonly reviewDueAt: number | null
  readonly reviewOverdueAt: number | null
}

export type DecisionToFold = DecisionState & { readonly sealed: Uint8Array }

const stateColumns = `decision_id as "id", decided_at as "decidedAt", user_hash as "userHash", number_hash as "numberHash",
              device_hash as "deviceHash", challenge_passed_at as "challengePassedAt",
              challenge_failed_at as "challengeFailedAt", challenge_expired_at as "challengeExpiredAt", review,
              review_due_at as "reviewDueAt", review_overdue_at as "reviewOverdueAt"`

/** An id that is none is not found. */
export const decisionStates = (
  database: Queryable,
  tenantId: string,
  decisionIds: readonly string[],
): Promise<DecisionState[]> => decisionsById<DecisionState>(database, tenantId, decisionIds, stateColumns)

/** The same, to open them. */
export const decisionsToFold = (
  database: Queryable,
  tenantId: string,
  decisionIds: readonly string[],
): Promise<DecisionToFold[]> =>
  decisionsById<DecisionToFold>(database, tenantId, decisionIds, `${stateColumns}, sealed`)

const decisionsById = <Found>(
  database: Queryable,
  tenantId: string,
  decisionIds: readonly string[],
  columns: string,
): Promise<Found[]> =>
  inGroups(decisionIds.filter(isUuid), (ids) =>
    database.query<Found>(`select ${columns} from decision where tenant_hash = $1 and decision_id in (${places(2)})`, [
      tenantHash(tenantId),
      ...ids.map((id) => uuidBytes(id)),
    ]),
  )

/** At most ten. */
export async function decisionsOfReport(
  database: Queryable,
  tenantId: string,
  { dfrId, deviceHash }: { readonly dfrId: string; readonly deviceHash: Uint8Array },
): Promise<Uint8Array[]> {
  const rows = await database.query<{ id: Uint8Array }>(
    `select decision_id as "id" from decision
      where device_hash = $1 and dfr_id = $2 and tenant_hash = $3 order by decision_id limit 10`,
    [deviceHash, dfrIdBytes(dfrId), tenantHash(tenantId)],
  )
  return rows.map(({ id }) => id)
}
