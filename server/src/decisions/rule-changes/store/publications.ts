// Who wants which version of the rules to be live, and who agreed?

import type { Queryable } from '../../../core/storage/database.ts'

export type PublicationState = 'open' | 'published' | 'rejected' | 'withdrawn'
export type SecondPerson = 'whenSeveral' | 'always'

export interface PublicationRow {
  readonly tenantId: string
  /** From 1. */
  readonly number: number
  readonly version: number
  /** The version that was live when it was requested. */
  readonly insteadOf: number
  readonly state: PublicationState
  readonly requestedAt: number
  /** Id of the person. */
  readonly requestedBy: string
  readonly decidedAt: number | null
  readonly decidedBy: string | null
  readonly sealed: Uint8Array
  readonly sealedDecision: Uint8Array | null
}

const columns = `tenant_id as "tenantId", number, version, instead_of as "insteadOf", state, requested_at as "requestedAt",
  requested_by as "requestedBy", decided_at as "decidedAt", decided_by as "decidedBy", sealed,
  sealed_decision as "sealedDecision"`

/** In a transaction: the number of the next request. */
export async function nextPublication(tx: Queryable, tenantId: string): Promise<number> {
  const [last] = await tx.query<{ number: number | null }>(
    'select max(number) as number from rule_publication where tenant_id = $1',
    [tenantId],
  )
  return (last?.number ?? 0) + 1
}

export async function insertPublication(
  tx: Queryable,
  row: Omit<PublicationRow, 'decidedAt' | 'decidedBy' | 'sealedDecision' | 'state'>,
): Promise<void> {
  await tx.query(
    `insert into rule_publication (tenant_id, number, version, instead_of, state, requested_at, requested_by, sealed)
     values ($1, $2, $3, $4, 'open', $5, $6, $7)`,
    [row.tenantId, row.number, row.version, row.insteadOf, row.requestedAt, row.requestedBy, row.sealed],
  )
}

export async function findPublication(
  database: Queryable,
  tenantId: string,
  number: number,
): Promise<PublicationRow | undefined> {
  const [row] = await database.query<PublicationRow>(
    `select ${columns} from rule_publication where tenant_id = $1 and number = $2`,
    [tenantId, number],
  )
  return row
}

/** Newest first. */
export async function listPublications(
  database: Queryable,
  tenantId: string,
  limit: number,
): Promise<PublicationRow[]> {
  return database.query<PublicationRow>(
    `select ${columns} from rule_publication where tenant_id = $1 order by number desc limit $2`,
    [tenantId, limit],
  )
}

/** Those that somebody else than this person asked for, and nobody decided. `since`: the oldest; null without one. */
export async function waitingPublications(
  database: Queryable,
  tenantId: string,
  personId: string | undefined,
): Promise<{ count: number; since: number | null }> {
  const [row] = await database.query<{ count: number; since: number | null }>(
    `select cast(count(*) as integer) as count, min(requested_at) as since from rule_publication
      where tenant_id = $1 and state = 'open' and requested_by <> $2`,
    [tenantId, personId ?? ''],
  )
  return row!
}

/** False when it was decided before. */
export async function decidePublication(
  tx: Queryable,
  {
    tenantId,
    number,
    state,
    decidedAt,
    decidedBy,
    sealedDecision,
  }: Pick<PublicationRow, 'tenantId' | 'number' | 'state' | 'decidedAt' | 'decidedBy' | 'sealedDecision'>,
): Promise<boolean> {
  const rows = await tx.query(
    `update rule_publication set state = $3, decided_at = $4, decided_by = $5, sealed_decision = $6
      where tenant_id = $1 and number = $2 and state = 'open' returning 1 as decided`,
    [tenantId, number, state, decidedAt, decidedBy, sealedDecision],
  )
  return rows.length > 0
}

export async function findSecondPerson(database: Queryable, tenantId: string): Promise<SecondPerson> {
  const [row] = await database.query<{ secondPerson: SecondPerson }>(
    'select second_person as "secondPerson" from rule_policy where tenant_id = $1',
    [tenantId],
  )
  return row?.secondPerson ?? 'whenSeveral'
}

export async function putSecondPerson(
  database: Queryable,
  tenantId: string,
  secondPerson: SecondPerson,
): Promise<void> {
  await database.query(
    `insert into rule_policy (tenant_id, second_person) values ($1, $2)
     on conflict (tenant_id) do update set second_person = excluded.second_person`,
    [tenantId, secondPerson],
  )
}
