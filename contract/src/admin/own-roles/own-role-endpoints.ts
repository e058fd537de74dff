// How does a tenant make its own roles?

import { admin } from '../admin-endpoint.ts'
import { problem } from '../problem.ts'
import { NoFields } from '../session.ts'
import { CreateRoleRequest, EditRoleRequest, OwnRole, RemovedRole, RoleRequest, Roles } from './own-roles.ts'

const tag = 'Console people'

const unknown = problem('The tenant has made no role with this name', 'role-unknown')
const tooHigh = problem(
  'The role allows something that yours does not, or your role lacks the permission',
  'permission-missing',
  'request-forged',
  'client-restricted',
  'role-too-high',
)

const givesPower = problem(
  'A client key may not, the role allows something that yours does not, or your role lacks the permission',
  'person-required',
  'permission-missing',
  'request-forged',
  'client-restricted',
  'role-too-high',
)

export const ownRoleEndpoints = {
  listRoles: admin({
    method: 'GET',
    path: '/admin/v1/roles',
    permission: 'people.read',
    tag,
    summary: 'List roles',
    description: 'Returns the built-in roles and the own roles of the tenant, with who has them, and all permissions.',
    request: NoFields,
    answer: Roles,
  }),
  createRole: admin({
    method: 'POST',
    path: '/admin/v1/roles/create',
    permission: 'people.write',
    tag,
    summary: 'Make a role',
    description: 'Makes a role from permissions, each of which you have yourself. A tenant makes at most 50.',
    request: CreateRoleRequest,
    answer: OwnRole,
    refusals: { 403: givesPower, 409: problem('The name is taken, or there are 50', 'role-exists', 'limit-reached') },
  }),
  editRole: admin({
    method: 'POST',
    path: '/admin/v1/roles/{name}/edit',
    permission: 'people.write',
    ifMatch: true,
    tag,
    summary: 'Change an own role',
    description:
      'Changes description or permissions, for everybody who has the role, from their next call on. You need each permission that the role has and gets. When it loses one, open one-time links made by people with this role end.',
    request: EditRoleRequest,
    fieldFailures: { name: 'roleUnknown' },
    answer: OwnRole,
    refusals: { 403: givesPower, 404: unknown },
  }),
  removeRole: admin({
    method: 'POST',
    path: '/admin/v1/roles/{name}/remove',
    permission: 'people.write',
    ifMatch: true,
    tag,
    summary: 'Remove an own role',
    description: 'Removes a role that no person, client key or open one-time link has.',
    request: RoleRequest,
    fieldFailures: { name: 'roleUnknown' },
    answer: RemovedRole,
    refusals: { 403: tooHigh, 404: unknown, 409: problem('Somebody has the role', 'role-held') },
  }),
} as const
