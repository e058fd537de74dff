// What may somebody change about the other people of their tenant? Never more than they may do themselves.

import type { Permission } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import type { Actor } from '../actor.ts'
import type { ActorCall } from '../call.ts'
import { permissionsOf } from '../roles.ts'
import {
  changeMemberRole,
  deleteFactors,
  deleteInvitationsBy,
  deleteMember,
  deletePerson,
  deleteResetsOf,
  endSessionsOfPerson,
  findMember,
  type MemberRow,
  putSealedPerson,
} from '../store/members.ts'
import { rolesOfPerson } from '../store/people.ts'
import { refuseOtherVersion } from '../versions.ts'
import { refuseLastOwner } from './last-owner.ts'
import { openPerson, type Person, sealPerson } from './person.ts'

type Seals = Parameters<typeof sealPerson>[2]

/** Refuses with `roleTooHigh` when the role may do something that the actor may not, and with `fieldInvalid` when there is none. */
export async function refuseHigherRole(
  database: Queryable,
  actor: Pick<Actor, 'tenantId' | 'role' | 'permissions'>,
  role: string,
): Promise<void> {
  const permissions = await permissionsOf(database, actor.tenantId, role)
  if (!permissions) throw new Refusal('fieldInvalid', { mistake: 'role must be a role of the tenant' })
  if (role === 'owner' && actor.role !== 'owner') throw new Refusal('roleTooHigh', { mistake: 'owner' })
  refuseMissingPermissions(actor, role, permissions)
}

/** Refuses with `roleTooHigh` when the actor lacks a permission of a role. */
export function refuseMissingPermissions(
  actor: Pick<Actor, 'permissions'>,
  role: string,
  permissions: Iterable<Permission>,
): void {
  const more = [...permissions].find((permission) => !actor.permissions.has(permission))
  if (more !== undefined) throw new Refusal('roleTooHigh', { mistake: `${role} has ${more}` })
}

/** Somebody the actor may manage, as they were when they were read. Refuses with `personUnknown`, `roleTooHigh`, `versionChanged`. */
async function member(tx: Queryable, call: ActorCall, personId: string): Promise<MemberRow> {
  const { actor } = call
  const found = await findMember(tx, actor.tenantId, personId)
  if (!found) throw new Refusal('personUnknown')
  // A role that does not exist any more allows nothing: whoever manages people may take it away.
  const isKnown = (await permissionsOf(tx, actor.tenantId, found.role)) !== undefined
  if (isKnown) await refuseHigherRole(tx, actor, found.role)
  refuseOtherVersion(call, found.version)
  return found
}

/** @returns the new version */
export async function changeRole(
  tx: Queryable,
  call: ActorCall,
  { personId, role }: { personId: string; role: string },
): Promise<number> {
  const { actor } = call
  const { id, version } = await member(tx, call, personId)
  await refuseHigherRole(tx, actor, role)
  await refuseLastOwner(tx, actor.tenantId, id, role)
  await changeMemberRole(tx, { tenantId: actor.tenantId, id }, role)
  await deleteResetsOf(tx, actor.tenantId, id)
  await deleteInvitationsBy(tx, actor.tenantId, `person:${id}`)
  return version + 1
}

/** Roles in other tenants stay. Without any, the account is deleted and its sessions end. */
export async function removeMember(tx: Queryable, call: ActorCall, personId: string): Promise<void> {
  const { actor } = call
  const { id } = await member(tx, call, personId)
  await refuseLastOwner(tx, actor.tenantId, id)
  await deleteMember(tx, actor.tenantId, id)
  await deleteResetsOf(tx, actor.tenantId, id)
  await deleteInvitationsBy(tx, actor.tenantId, `person:${id}`)
  if ((await rolesOfPerson(tx, id)).length === 0) await deletePerson(tx, id)
}

/** Refuses with `personIsYou` and `personShared`. @returns the person, who can do nothing until a new link is used */
export async function withdrawFactors(
  tx: Queryable,
  call: ActorCall,
  personId: string,
  keyring: Seals,
): Promise<{ person: Person; role: string }> {
  const { actor } = call
  const found = await member(tx, call, personId)
  if (actor.id === `person:${found.id}`) throw new Refusal('personIsYou')
  if ((await rolesOfPerson(tx, found.id)).length > 1) throw new Refusal('personShared')
  return { person: await withoutFactors(tx, actor.tenantId, found, keyring), role: found.role }
}

/** Deletes password and second factors, ends sessions, and makes earlier links of a reset useless. */
export async function withoutFactors(
  tx: Queryable,
  tenantId: string,
  row: MemberRow,
  keyring: Parameters<typeof openPerson>[1],
): Promise<Person> {
  const { name, email } = openPerson(row, keyring)
  await putSealedPerson(tx, { ...row, sealed: sealPerson(row.id, { name, email }, keyring) })
  await deleteFactors(tx, row.id)
  await endSessionsOfPerson(tx, row.id)
  await deleteResetsOf(tx, tenantId, row.id)
  return { name, email }
}
