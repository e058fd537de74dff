// Which sign-ins belong to which of your customers? Your backend links, unlinks and merges them. (beside the specification)

import Type, { type Static } from 'typebox'
import { UserId } from '../account-devices.ts'
import { closed, time } from '../schema-parts.ts'

const Status = Type.Literal('SUCCESS')
const personId = Type.String({
  description:
    'Id that we minted for the user who signed in: `userId` of the page, and `sub` of ID tokens. It never changes',
})
const PersonId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'personId of an identity in the list',
})
const IdentityType = Type.Enum(['MOBILE', 'EMAIL', 'SUBJECT'], {
  description: '`SUBJECT`: an account at an identity provider',
})
const userId = Type.String({ description: 'Your id of the user. Nothing is linked: the minted one' })

export const LinkUserRequest = Type.Object(
  {
    token: Type.String({ description: 'The token of the sign-in, from your frontend' }),
    userId: { ...UserId, description: 'Your id of the user who signed in' },
  },
  { $id: 'LinkUserRequest', ...closed },
)
export type LinkUserRequest = Static<typeof LinkUserRequest>

export const LinkedUser = Type.Object(
  { status: Status, userId, personId },
  { $id: 'LinkedUser', ...closed, description: 'The sign-in belongs to your user' },
)
export type LinkedUser = Static<typeof LinkedUser>

export const UserIdentityName = Type.Object(
  {
    type: IdentityType,
    value: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'MOBILE: digits with country code. SUBJECT: the issuer, a space, and the id of the account there',
    }),
  },
  { $id: 'UserIdentityName', ...closed, description: 'An identity in the list' },
)
export type UserIdentityName = Static<typeof UserIdentityName>

export const UnlinkUserRequest = Type.Object(
  {
    userId: UserId,
    identity: Type.Optional(UserIdentityName),
    personId: Type.Optional({
      ...PersonId,
      description: 'Unlinks all identities with this personId; send it or identity',
    }),
  },
  { $id: 'UnlinkUserRequest', ...closed },
)
export type UnlinkUserRequest = Static<typeof UnlinkUserRequest>

export const UnlinkedUser = Type.Object(
  { status: Status, userId, personId },
  { $id: 'UnlinkedUser', ...closed, description: 'The identity is no longer one of your user' },
)
export type UnlinkedUser = Static<typeof UnlinkedUser>

export const MergeUsersRequest = Type.Object(
  {
    userId: { ...UserId, description: 'Your id of the user whose identities, trusted devices and habits move' },
    into: { ...UserId, description: 'Your id of the user who gets them' },
  },
  { $id: 'MergeUsersRequest', ...closed },
)
export type MergeUsersRequest = Static<typeof MergeUsersRequest>

export const MergedUsers = Type.Object(
  {
    status: Status,
    userId: Type.String({ description: 'The user who has everything now' }),
    persons: Type.Integer({ description: 'How many personIds moved; 0 when there were none' }),
    devices: Type.Integer({ description: 'How many trusted or revoked devices moved' }),
  },
  { $id: 'MergedUsers', ...closed, description: 'Two users are one' },
)
export type MergedUsers = Static<typeof MergedUsers>

export const UserIdentitiesRequest = Type.Object({ userId: UserId }, { $id: 'UserIdentitiesRequest', ...closed })
export type UserIdentitiesRequest = Static<typeof UserIdentitiesRequest>

const UserIdentity = Type.Object(
  {
    type: IdentityType,
    value: Type.String({ description: 'Phone number in digits, email address, or issuer and account' }),
    personId,
    verifiedAt: time('When the user proved it last'),
    addedAt: Type.Optional(time('When the user added it to an earlier sign-in. For 24 hours it passes no challenge')),
  },
  { $id: 'UserIdentity', ...closed, description: 'A verified identity of a user' },
)
export type UserIdentity = Static<typeof UserIdentity>

export const UserIdentities = Type.Object(
  {
    userId,
    identities: Type.Array(UserIdentity, { description: 'Empty when nobody signed in as this user' }),
  },
  { $id: 'UserIdentities', ...closed, description: 'The identities of a user' },
)
export type UserIdentities = Static<typeof UserIdentities>
