// Who may use the console for a tenant? People with their roles, and one-time links for those to come.

import Type, { type Static } from 'typebox'
import { closed, time } from '../schema-parts.ts'
import { Email } from './session.ts'

const RoleOfPerson = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,31}$',
  description: 'owner, admin, analyst, support, viewer, or a role of the tenant',
})
const PersonId = Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', description: 'personId of a person' })
const InvitationId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'invitationId of an invitation',
})

export const ListedPerson = Type.Object(
  {
    personId: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: RoleOfPerson,
    version: Type.Integer({ description: 'For If-Match. It grows with each change of the role' }),
    state: Type.Enum(['active', 'resetPending', 'noAccess'], {
      description: 'resetPending: can only sign in by the link of a reset. noAccess: the role does not exist',
    }),
    isYou: Type.Boolean({ description: 'Whether this person makes the call' }),
    secondFactors: Type.Object(
      {
        authenticatorApp: Type.Boolean(),
        recoveryCodes: Type.Integer({ description: 'How many are left' }),
        passkeys: Type.Integer({ description: 'How many the person has; each is a way in without a password' }),
      },
      { ...closed, description: 'What the person can sign in with, besides the password' },
    ),
    singleSignOn: Type.Optional(
      Type.String({
        description: 'The issuer of the identity provider that the person signs in with; absent for others',
      }),
    ),
    joinedAt: time('When the person got a role in this tenant'),
    lastSignInAt: Type.Optional(time('The last sign-in; absent when it is not known')),
  },
  { $id: 'ListedPerson', ...closed, description: 'Somebody with a role in the tenant' },
)
export type ListedPerson = Static<typeof ListedPerson>

export const People = Type.Object(
  { people: Type.Array(ListedPerson, { description: 'In the order in which they joined; at most 1,000' }) },
  { $id: 'People', ...closed, description: 'The people of the tenant' },
)
export type People = Static<typeof People>

export const ChangeRoleRequest = Type.Object({ personId: PersonId, role: RoleOfPerson }, { $id: 'ChangeRoleRequest' })
export type ChangeRoleRequest = Static<typeof ChangeRoleRequest>

export const ChangedPerson = Type.Object(
  { personId: Type.String(), role: RoleOfPerson, version: Type.Integer({ description: 'For the next change' }) },
  { $id: 'ChangedPerson', ...closed, description: 'The role that the person has now' },
)
export type ChangedPerson = Static<typeof ChangedPerson>

export const PersonRequest = Type.Object({ personId: PersonId }, { $id: 'PersonRequest', ...closed })
export type PersonRequest = Static<typeof PersonRequest>

export const RemovedPerson = Type.Object(
  { personId: Type.String(), removed: Type.Boolean() },
  { $id: 'RemovedPerson', ...closed, description: 'The person has no role in the tenant any more' },
)
export type RemovedPerson = Static<typeof RemovedPerson>

export const ListedInvitation = Type.Object(
  {
    invitationId: Type.String(),
    role: RoleOfPerson,
    email: Type.Optional(Type.String({ description: 'Absent: whoever has the link chooses' })),
    personId: Type.Optional(Type.String({ description: 'Whose password and second factor the link resets' })),
    invitedBy: Type.Optional(Type.String({ description: 'Who made it' })),
    createdAt: Type.Optional(time('When it was made')),
    expiresAt: time('When the link ends'),
  },
  { $id: 'ListedInvitation', ...closed, description: 'A one-time link that nobody has used yet' },
)
export type ListedInvitation = Static<typeof ListedInvitation>

export const Invitations = Type.Object(
  { invitations: Type.Array(ListedInvitation, { description: 'Those that end last first; at most 200' }) },
  { $id: 'Invitations', ...closed, description: 'One-time links that nobody has used yet' },
)
export type Invitations = Static<typeof Invitations>

export const InviteRequest = Type.Object(
  {
    role: RoleOfPerson,
    email: Type.Optional(Email),
    hours: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 168, description: 'How long the link works. Default: 24' }),
    ),
  },
  { $id: 'InviteRequest', ...closed },
)
export type InviteRequest = Static<typeof InviteRequest>

export const NewInvitation = Type.Object(
  {
    url: Type.String({ description: 'The one-time link. It is shown once; send it to nobody else' }),
    invitation: ListedInvitation,
  },
  { $id: 'NewInvitation', ...closed, description: 'A one-time link' },
)
export type NewInvitation = Static<typeof NewInvitation>

export const WithdrawInvitationRequest = Type.Object(
  { invitationId: InvitationId },
  { $id: 'WithdrawInvitationRequest' },
)
export type WithdrawInvitationRequest = Static<typeof WithdrawInvitationRequest>

export const WithdrawnInvitation = Type.Object(
  { withdrawn: Type.Boolean({ description: 'False when it was used or had ended' }) },
  { $id: 'WithdrawnInvitation', ...closed, description: 'The link does not work any more' },
)
export type WithdrawnInvitation = Static<typeof WithdrawnInvitation>
