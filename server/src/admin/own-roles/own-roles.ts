// /admin/v1/roles: the roles that a tenant makes from the list of permissions. Nobody gives what they do not have themselves.

import {
  permissions as allPermissions,
  roles as builtInRoles,
  type CreateRoleRequest,
  type EditRoleRequest,
  type ListedRole,
  mostOwnRoles,
  type NoFields,
  type OwnRole,
  type Permission,
  permissionNames,
  type RemovedRole,
  type RoleRequest,
  type Roles,
} from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import type { ActorCall } from '../call.ts'
import { refuseMissingPermissions } from '../people/manage.ts'
import { personRequired } from '../person-required.ts'
import { isBuiltIn, storedPermissions } from '../roles.ts'
import type { AdminNeeds } from '../room.ts'
import {
  countHolders,
  deleteInvitationsByRole,
  deleteOwnRole,
  findOwnRole,
  type Holders,
  insertOwnRole,
  listOwnRoles,
  type OwnRoleRow,
  replaceOwnRole,
} from '../store/own-roles.ts'
import { answerVersion, refuseOtherVersion } from '../versions.ts'

export const ownRoleContext = (tenantId: string, name: string) => `own_role ${tenantId} ${name}`

export async function adminListRoles(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  { database, tenantKeyring, clock }: AdminNeeds,
): Promise<Roles> {
  const [keys, own, holders] = await Promise.all([
    tenantKeyring.keysOf(tenantId),
    listOwnRoles(database, tenantId),
    countHolders(database, tenantId, clock.now()),
  ])
  const held = (name: string) => {
    const { people = 0, keys: ofRole = 0, invitations = 0 } = holders.find(({ role }) => role === name) ?? {}
    return { people, keys: ofRole, invitations }
  }
  const builtIn = Object.entries(builtInRoles).map(
    ([name, { description, permissions }]): ListedRole => ({
      ...{ name, description, permissions: [...permissions], isBuiltIn: true },
      ...held(name),
    }),
  )
  return {
    roles: [...builtIn, ...own.map((row) => ({ ...shown(row, keys), isBuiltIn: false, ...held(row.name) }))],
    permissions: permissionNames.map((name) => ({ name, allows: allPermissions[name] })),
  }
}

export async function adminCreateRole(
  { name, description = '', permissions }: CreateRoleRequest,
  call: ActorCall,
  { database, tenantKeyring, clock }: AdminNeeds,
): Promise<OwnRole> {
  const { actor } = call
  personRequired(actor)
  const { tenantId } = actor
  if (isBuiltIn(name)) throw new Refusal('roleExists')
  refuseMissingPermissions(actor, name, permissions)
  const keys = await tenantKeyring.keysOf(tenantId)
  const row: OwnRoleRow = {
    ...{ tenantId, name, permissions: inOrder(permissions), version: 1, createdAt: clock.now() },
    sealed: keys.seal(description, ownRoleContext(tenantId, name)),
  }
  await database.transaction(async (tx) => {
    const all = await listOwnRoles(tx, tenantId)
    if (all.some((other) => other.name === name)) throw new Refusal('roleExists')
    if (all.length >= mostOwnRoles) throw new Refusal('limitReached', { mistake: `${mostOwnRoles} roles; remove one` })
    // Whoever was left with a role of this name must not get what the new one allows.
    await refuseHeld(tx, tenantId, name, clock.now())
    await insertOwnRole(tx, row)
  })
  answerVersion(call, row.version)
  return shown(row, keys)
}

export async function adminEditRole(
  { name, description, permissions }: EditRoleRequest,
  call: ActorCall,
  { database, tenantKeyring }: AdminNeeds,
): Promise<OwnRole> {
  const { actor } = call
  personRequired(actor)
  const { tenantId } = actor
  const keys = await tenantKeyring.keysOf(tenantId)
  const next = await database.transaction(async (tx) => {
    const row = await ownRole(tx, call, name)
    if (permissions) refuseMissingPermissions(actor, name, permissions)
    const changed = {
      ...row,
      version: row.version + 1,
      ...(permissions && { permissions: inOrder(permissions) }),
      ...(description !== undefined && { sealed: keys.seal(description, ownRoleContext(tenantId, name)) }),
    }
    const after = storedPermissions(changed)
    // Links give what their maker could give. Whoever may give less must not leave any behind.
    if (!storedPermissions(row).isSubsetOf(after)) await deleteInvitationsByRole(tx, tenantId, name)
    await replaceOwnRole(tx, changed)
    return changed
  })
  answerVersion(call, next.version)
  return shown(next, keys)
}

export async function adminRemoveRole(
  { name }: RoleRequest,
  call: ActorCall,
  { database, clock }: AdminNeeds,
): Promise<RemovedRole> {
  const { tenantId } = call.actor
  await database.transaction(async (tx) => {
    await ownRole(tx, call, name)
    await refuseHeld(tx, tenantId, name, clock.now())
    await deleteOwnRole(tx, tenantId, name)
  })
  return { name, removed: true }
}

/** One that the actor may change, as it was when it was read. Refuses with `roleUnknown`, `roleTooHigh` and `versionChanged`. */
async function ownRole(tx: Queryable, call: ActorCall, name: string): Promise<OwnRoleRow> {
  const { actor } = call
  const row = await findOwnRole(tx, actor.tenantId, name)
  if (!row) throw new Refusal('roleUnknown')
  refuseMissingPermissions(actor, name, storedPermissions(row))
  refuseOtherVersion(call, row.version)
  return row
}

/** Refuses with `roleHeld`, and says who has the role. */
async function refuseHeld(tx: Queryable, tenantId: string, name: string, now: number): Promise<void> {
  const holders = (await countHolders(tx, tenantId, now)).find(({ role }) => role === name)
  if (holders) throw new Refusal('roleHeld', { mistake: inWords(holders) })
}

function inWords({ people, keys, invitations }: Holders): string {
  const counted = [
    counting(people, 'person', 'people'),
    counting(keys, 'client key', 'client keys'),
    counting(invitations, 'open invitation', 'open invitations'),
  ]
  return counted.flat().join(', ')
}

const counting = (count: number, one: string, many: string) =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

/** Each once, in the order of the list. */
function inOrder(chosen: readonly Permission[]): string {
  const wanted = new Set(chosen)
  return permissionNames.filter((name) => wanted.has(name)).join(' ')
}

function shown(row: OwnRoleRow, keys: { open(sealed: Uint8Array, context: string): string }): OwnRole {
  const { tenantId, name, version, sealed } = row
  const description = keys.open(sealed, ownRoleContext(tenantId, name))
  return { name, description, permissions: [...storedPermissions(row)], version }
}
