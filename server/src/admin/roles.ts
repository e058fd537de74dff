// What does a role allow? One that every tenant has, or one that the tenant has made.

import { type Permission, permissionNames, type RoleName, roles } from '@ringfence/contract'
import type { Queryable } from '../core/storage/database.ts'
import { findOwnRole, listOwnRoles } from './store/own-roles.ts'

export type Permissions = ReadonlySet<Permission>

export const isBuiltIn = (name: string): name is RoleName => Object.hasOwn(roles, name)

/** Undefined when the tenant has no such role. An own role is read each time, so that a change holds from the next call on. */
export async function permissionsOf(
  database: Queryable,
  tenantId: string,
  role: string,
): Promise<Permissions | undefined> {
  if (isBuiltIn(role)) return new Set(roles[role].permissions)
  const own = await findOwnRole(database, tenantId, role)
  return own && storedPermissions(own)
}

/** What each role of the tenant allows. */
export async function rolesOfTenant(database: Queryable, tenantId: string): Promise<ReadonlyMap<string, Permissions>> {
  const own = await listOwnRoles(database, tenantId)
  return new Map([
    ...own.map((row) => [row.name, storedPermissions(row)] as const),
    ...Object.entries(roles).map(([name, { permissions }]) => [name, new Set<Permission>(permissions)] as const),
  ])
}

/** A permission that does not exist in this version allows nothing. */
export const storedPermissions = ({ permissions }: { readonly permissions: string }): Permissions =>
  new Set(permissions.split(' ').filter((name): name is Permission => known.has(name)))

const known: ReadonlySet<string> = new Set(permissionNames)
