// Who can be assigned a review? The people of the tenant who may resolve it.

import { openPerson } from '../people/person.ts'
import { rolesOfTenant } from '../roles.ts'
import type { AdminNeeds } from '../room.ts'
import { listMembers } from '../store/members.ts'

export interface Reviewer {
  readonly personId: string
  readonly name: string
}

/** By name. */
export async function reviewersOf(
  tenantId: string,
  { database, keyring }: Pick<AdminNeeds, 'database' | 'keyring'>,
): Promise<Reviewer[]> {
  const [members, roles] = await Promise.all([listMembers(database, tenantId), rolesOfTenant(database, tenantId)])
  return members
    .filter(({ role }) => roles.get(role)?.has('reviews.resolve'))
    .map((member) => ({ personId: member.id, name: openPerson(member, keyring).name }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}
