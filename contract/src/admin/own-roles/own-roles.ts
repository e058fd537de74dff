// Which roles has a tenant? The built-in ones, and those that its administrators make from the list of permissions.

import Type, { type Static } from 'typebox'
import { closed } from '../../schema-parts.ts'
import { permissionNames, roleNames } from '../permissions.ts'

/** How many roles a tenant may make. */
export const mostOwnRoles = 50

const Name = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,31}$',
  description: 'Name of the role: lower-case letters, digits and hyphens, such as `fraud-lead`',
})
const Description = Type.String({
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'What the role is for',
})
const PermissionName = Type.Enum([...permissionNames])
const Permissions = Type.Array(PermissionName, {
  maxItems: 100,
  description: 'What the role allows. You need each of them yourself',
})

export const ListedRole = Type.Object(
  {
    name: Type.String({ description: `${roleNames.join(', ')}, or the name of an own role` }),
    description: Type.String({ description: 'What the role is for' }),
    permissions: Type.Array(PermissionName, { description: 'What the role allows' }),
    isBuiltIn: Type.Boolean({ description: 'Every tenant has it, and nobody can change it' }),
    version: Type.Optional(Type.Integer({ description: 'For If-Match. Absent for a built-in role' })),
    people: Type.Integer({ description: 'How many people have it' }),
    keys: Type.Integer({ description: 'How many client keys have it' }),
    invitations: Type.Integer({ description: 'How many open one-time links give it' }),
  },
  { $id: 'ListedRole', ...closed, description: 'A role of the tenant' },
)
export type ListedRole = Static<typeof ListedRole>

export const Roles = Type.Object(
  {
    roles: Type.Array(ListedRole, {
      description: `Built-in roles first, then own ones by name; at most ${mostOwnRoles}`,
    }),
    permissions: Type.Array(
      Type.Object({ name: PermissionName, allows: Type.String({ description: 'In words that follow "may"' }) }, closed),
      { description: 'From which roles are made' },
    ),
  },
  { $id: 'Roles', ...closed, description: 'The roles of the tenant, and all permissions' },
)
export type Roles = Static<typeof Roles>

export const CreateRoleRequest = Type.Object(
  { name: Name, description: Type.Optional(Description), permissions: Permissions },
  { $id: 'CreateRoleRequest' },
)
export type CreateRoleRequest = Static<typeof CreateRoleRequest>

export const EditRoleRequest = Type.Object(
  { name: Name, description: Type.Optional(Description), permissions: Type.Optional(Permissions) },
  { $id: 'EditRoleRequest', description: 'What is left out stays as it is' },
)
export type EditRoleRequest = Static<typeof EditRoleRequest>

export const RoleRequest = Type.Object({ name: Name }, { $id: 'RoleRequest' })
export type RoleRequest = Static<typeof RoleRequest>

export const OwnRole = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    permissions: Type.Array(PermissionName, { description: 'What the role allows now' }),
    version: Type.Integer({ description: 'For the next change' }),
  },
  { $id: 'OwnRole', ...closed, description: 'A role that the tenant has made' },
)
export type OwnRole = Static<typeof OwnRole>

export const RemovedRole = Type.Object(
  { name: Type.String(), removed: Type.Boolean() },
  { $id: 'RemovedRole', ...closed, description: 'The role does not exist any more' },
)
export type RemovedRole = Static<typeof RemovedRole>
