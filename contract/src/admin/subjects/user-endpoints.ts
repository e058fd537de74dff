// How does the console read everything of a user, and trust a device again?

import { TrustedDevice } from '../../account-devices.ts'
import { admin } from '../admin-endpoint.ts'
import { problem } from '../problem.ts'
import { ListedUsers, ListUsersRequest } from './entities.ts'
import { AdminTrustDeviceRequest, AdminUserRequest, ShownUser } from './user-subjects.ts'

const users = 'Console users'

export const userEndpoints = {
  listUsers: admin({
    method: 'POST',
    path: '/admin/v1/users/list',
    permission: 'users.read',
    effect: 'read',
    tag: users,
    summary: 'List users',
    description:
      'Returns users of the event log, a page at a time: when they were seen, decisions, labels and state. They are about half a minute behind.',
    request: ListUsersRequest,
    answer: ListedUsers,
  }),
  readUser: admin({
    method: 'POST',
    path: '/admin/v1/users/read',
    permission: 'users.read',
    effect: 'read',
    tag: users,
    summary: 'Read a user',
    description:
      'Returns identities, phone numbers, labels, what velocities count, and what the account knowledge says is usual. Devices and events have calls of their own. It is a POST so that no URL contains a user id.',
    request: AdminUserRequest,
    answer: ShownUser,
  }),
  trustUserDevice: admin({
    method: 'POST',
    path: '/admin/v1/users/devices/trust',
    permission: 'users.write',
    tag: users,
    summary: 'Trust a device of a user again',
    description:
      'Trusts a device of the account that was revoked: the installation of its newest visit is known to the account again.',
    request: AdminTrustDeviceRequest,
    answer: TrustedDevice,
    refusals: {
      404: problem('The user has no such device, or no visit of it is stored', 'account-device-unknown'),
    },
  }),
} as const
