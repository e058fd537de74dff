// What did a tenant's own traffic teach about recognition, and is it used? One row for each tenant that ever used it.

import type { Queryable } from '../../core/storage/database.ts'
import type { Learned } from '../learning/shifts.ts'

/** `off`: the weights of the release are used. `used`: learned ones are, and go on learning. `frozen`: they are used as they are. */
export type LearningState = 'off' | 'used' | 'frozen'

export interface LearningRow {
  readonly state: LearningState
  /** It only rises: each set of weights has its own. */
  readonly revision: number
  readonly learned: Learned
  /** Epoch milliseconds. */
  readonly learnedAt: number
}

type Stored = Omit<LearningRow, 'learned'> & { readonly content: string }

const opened = ({ content, ...row }: Stored): LearningRow => ({ ...row, learned: JSON.parse(content) as Learned })

export async function findLearning(database: Queryable, tenantId: string): Promise<LearningRow | undefined> {
  const [row] = await database.query<Stored>(
    'select state, revision, content, learned_at as "learnedAt" from device_learning where tenant_id = $1',
    [tenantId],
  )
  return row && opened(row)
}

/** Stores a new revision, unless another one was stored since. `before`: the revision as it was read, 0 for none. */
export async function putLearning(
  database: Queryable,
  tenantId: string,
  { state, learned, learnedAt }: Omit<LearningRow, 'revision'>,
  before: number,
): Promise<boolean> {
  const params = [tenantId, state, before + 1, JSON.stringify(learned), learnedAt, before]
  const stored = await database.query(
    `insert into device_learning (tenant_id, state, revision, content, learned_at)
     select $1, $2, cast($3 as integer), $4, cast($5 as bigint)
      where $6 = 0 or exists (select 1 from device_learning where tenant_id = $1)
     on conflict (tenant_id) do update
        set state = excluded.state, revision = excluded.revision, content = excluded.content, learned_at = excluded.learned_at
      where device_learning.revision = $6
     returning revision`,
    params,
  )
  return stored.length > 0
}

/** A tenant that learns and last did so before this moment; from now on no other server takes it. */
export async function claimLearning(
  database: Queryable,
  before: number,
  now: number,
): Promise<(LearningRow & { readonly tenantId: string }) | undefined> {
  const [row] = await database.query<Stored & { readonly tenantId: string }>(
    `update device_learning set learned_at = $2
      where tenant_id in (select tenant_id from device_learning where state = 'used' and learned_at < $1
                           order by learned_at limit 1)
        and learned_at < $1 and state = 'used'
     returning tenant_id as "tenantId", state, revision, content, learned_at as "learnedAt"`,
    [before, now],
  )
  if (!row) return undefined
  const { tenantId, ...its } = row
  return { tenantId, ...opened(its) }
}
