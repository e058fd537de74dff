// Has the tenant an owner afterwards? Somebody must be able to decide who else is one.

import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { countWithRole, findMember } from '../store/members.ts'

/** Refuses with `lastOwner`, in the transaction that gives the person `next`, or no role. */
export async function refuseLastOwner(tx: Queryable, tenantId: string, personId: string, next?: string): Promise<void> {
  if (next === 'owner') return
  const member = await findMember(tx, tenantId, personId)
  if (member?.role === 'owner' && (await countWithRole(tx, tenantId, 'owner')) === 1) throw new Refusal('lastOwner')
}
