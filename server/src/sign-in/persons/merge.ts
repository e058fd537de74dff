// POST /auth/v1/users/merge: two users of a backend are one person, or one gets another id.

import type { MergedUsers, MergeUsersRequest } from '@ringfence/contract'
import { moveAccountIn } from '../../accounts/move.ts'
import { effectiveUserIdIn, linksIn, mostPersons, personsIn, relinksIn } from '../../accounts/person.ts'
import { Refusal } from '../../core/errors.ts'
import { writeEvents } from '../../events/events.ts'
import { moveContactsIn } from '../customers/change-contacts.ts'
import { merged } from './person-events.ts'
import type { BackendCall, PersonsNeeds } from './room.ts'

/** Refuses with `mergeWithItself` and `usersLimited`. Repeating it moves nothing. */
export async function mergeUsers(
  { userId: fromId, into: intoId }: MergeUsersRequest,
  { caller: { tenantId }, requestId }: BackendCall,
  { database, tenantKeyring, events }: Pick<PersonsNeeds, 'database' | 'tenantKeyring' | 'events'>,
): Promise<MergedUsers> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const record = await events.recorder(tenantId)
  return database.transaction(async (tx) => {
    const from = await effectiveUserIdIn(tx, { tenantId, userId: fromId }, keys)
    const into = await effectiveUserIdIn(tx, { tenantId, userId: intoId }, keys)
    if (from === into) throw new Refusal('mergeWithItself')
    const persons = await personsIn(tx, { tenantId, userId: from }, keys)
    const already = await personsIn(tx, { tenantId, userId: into }, keys)
    if (persons.length > 0 && persons.length + already.length > mostPersons) throw new Refusal('usersLimited')
    const statements = persons.includes(from)
      ? await linksIn(tx, { tenantId, personId: from, customerId: into }, keys)
      : await relinksIn(tx, { tenantId, from, to: into }, keys)
    for (const { sql, params } of statements) await tx.query(sql, params)
    const devices = await moveAccountIn(tx, { tenantId, from, to: into }, keys)
    await moveContactsIn(tx, { tenantId, from, to: into }, keys)
    const moved = { persons: persons.length, devices }
    await writeEvents(tx, record([merged({ userId: into, mergedUserId: from, ...moved }, requestId)]))
    return { status: 'SUCCESS', userId: into, ...moved }
  })
}
