// How does a tenant manage who may use the console?

import { admin } from './admin-endpoint.ts'
import {
  ChangedPerson,
  ChangeRoleRequest,
  Invitations,
  InviteRequest,
  NewInvitation,
  People,
  PersonRequest,
  RemovedPerson,
  WithdrawInvitationRequest,
  WithdrawnInvitation,
} from './people.ts'
import { problem } from './problem.ts'
import { NoFields } from './session.ts'

const tag = 'Console people'

const unknown = problem('Nobody with this id has a role in the tenant', 'person-unknown')
const tooHigh = problem(
  'The role may do more than yours, or your role lacks the permission',
  'permission-missing',
  'request-forged',
  'client-restricted',
  'role-too-high',
)
const givesPower = problem(
  'A client key may not, the role may do more than yours, or your role lacks the permission',
  'person-required',
  'permission-missing',
  'request-forged',
  'client-restricted',
  'role-too-high',
)
const conflicts = problem(
  'The person is the last owner, has a role in another tenant too, is you, or signs in with an identity provider',
  'last-owner',
  'person-shared',
  'person-is-you',
  'person-by-sso',
)

export const peopleEndpoints = {
  listPeople: admin({
    method: 'GET',
    path: '/admin/v1/people',
    permission: 'people.read',
    tag,
    summary: 'List people',
    description: 'Returns who has a role in the tenant, with their second factors and last sign-in.',
    request: NoFields,
    answer: People,
  }),
  changeRole: admin({
    method: 'POST',
    path: '/admin/v1/people/{personId}/role',
    permission: 'people.write',
    ifMatch: true,
    tag,
    summary: 'Change the role of a person',
    description:
      'Gives a person another role, from their next call on. Only an owner makes or changes an owner, nobody gives or takes a role that may do more than their own, and the last owner stays one.',
    request: ChangeRoleRequest,
    answer: ChangedPerson,
    refusals: { 403: givesPower, 404: unknown, 409: conflicts },
  }),
  removePerson: admin({
    method: 'POST',
    path: '/admin/v1/people/{personId}/remove',
    permission: 'people.write',
    ifMatch: true,
    tag,
    summary: 'Remove a person',
    description:
      'Takes the role in the tenant from a person, at once. Somebody without a role in any other tenant is signed out everywhere, and their account is deleted.',
    request: PersonRequest,
    answer: RemovedPerson,
    refusals: { 403: tooHigh, 404: unknown, 409: conflicts },
  }),
  resetPerson: admin({
    method: 'POST',
    path: '/admin/v1/people/{personId}/reset',
    permission: 'people.write',
    ifMatch: true,
    tag,
    summary: 'Reset password and second factor',
    description:
      'Signs a person out everywhere, and deletes their password, authenticator app and recovery codes. Returns a one-time link with which they choose new ones; it works for 24 hours.',
    request: PersonRequest,
    answer: NewInvitation,
    refusals: { 403: givesPower, 404: unknown, 409: conflicts },
  }),
  listInvitations: admin({
    method: 'GET',
    path: '/admin/v1/invitations',
    permission: 'people.read',
    tag,
    summary: 'List invitations',
    description: 'Returns the one-time links of the tenant that nobody has used yet, without their secrets.',
    request: NoFields,
    answer: Invitations,
  }),
  invite: admin({
    method: 'POST',
    path: '/admin/v1/invitations/create',
    permission: 'people.write',
    tag,
    summary: 'Invite somebody',
    description: 'Makes a one-time link that gives a role. It is returned once.',
    request: InviteRequest,
    answer: NewInvitation,
    refusals: { 403: givesPower, 409: problem('The tenant has too many people and invitations', 'people-too-many') },
  }),
  withdrawInvitation: admin({
    method: 'POST',
    path: '/admin/v1/invitations/{invitationId}/withdraw',
    permission: 'people.write',
    tag,
    summary: 'Withdraw an invitation',
    description: 'Makes a one-time link useless. Repeating it is a success with withdrawn: false.',
    request: WithdrawInvitationRequest,
    answer: WithdrawnInvitation,
    refusals: { 403: tooHigh },
  }),
} as const
