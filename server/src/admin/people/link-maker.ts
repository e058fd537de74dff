// May whoever made a one-time link still give what it gives? A link acts for them when somebody uses it, days later.

import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { permissionsOf } from '../roles.ts'
import { findMember } from '../store/members.ts'
import type { InvitationRow } from '../store/people.ts'
import { refuseHigherRole } from './manage.ts'

const person = 'person:'

/**
 * Refuses with `invitationUnknown` a link whose maker may not manage people any more, or not somebody with the role that it gives; a reset
 * counts as the role that its person has now. A link that a command on the server made is always good.
 */
export async function refuseFormerMaker(
  database: Queryable,
  { tenantId, role, personId, invitedBy }: InvitationRow,
): Promise<void> {
  if (invitedBy === null || invitedBy.startsWith('command:')) return
  if (!(await maySend())) throw new Refusal('invitationUnknown')

  async function maySend(): Promise<boolean> {
    if (!invitedBy!.startsWith(person)) return false
    const maker = await findMember(database, tenantId, invitedBy!.slice(person.length))
    const permissions = maker && (await permissionsOf(database, tenantId, maker.role))
    if (!maker || !permissions?.has('people.write')) return false
    const given = personId === null ? role : (await findMember(database, tenantId, personId))?.role
    if (given === undefined) return false
    // Somebody left with a role that does not exist any more has no power that a reset could give.
    if (personId !== null && !(await permissionsOf(database, tenantId, given))) return true
    return refuseHigherRole(database, { tenantId, role: maker.role, permissions }, given).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refusal) return false
        throw error
      },
    )
  }
}
