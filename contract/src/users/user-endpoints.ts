// How does a backend say which of its customers has signed in? link, unlink, merge and list, in the error format of tokens.

import { type Endpoint, everyClientCall, refused } from '../endpoints/endpoint.ts'
import {
  LinkedUser,
  LinkUserRequest,
  MergedUsers,
  MergeUsersRequest,
  UnlinkedUser,
  UnlinkUserRequest,
  UserIdentities,
  UserIdentitiesRequest,
} from './users.ts'

const users = {
  method: 'POST',
  caller: 'client',
  errorFormat: 'auth',
  tag: 'Users',
  accepted: 'Done',
} as const

const malformed = (...samples: string[]) => refused('A field is missing or wrong', 'user-id-invalid', ...samples)

export const userEndpoints = {
  linkUser: {
    ...users,
    scope: 'tokens',
    path: '/auth/v1/users/link',
    summary: 'Link a sign-in to your user',
    description:
      'Says which of your users signed in. From then on, tokens and events of this sign-in have your userId; trusted devices and habits move to it. Tokens that were issued before keep theirs. Repeating it is a success.',
    request: LinkUserRequest,
    fieldFailures: { token: 'tokenInvalid', userId: 'userIdInvalid' },
    answer: LinkedUser,
    refusals: {
      ...everyClientCall,
      400: malformed('token-invalid', 'token-without-sign-in', 'users-limited'),
      401: refused(
        'Missing or invalid credentials, or an expired token',
        'credentials-missing',
        'credentials-invalid',
        'token-expired',
      ),
      409: refused('The sign-in is linked to another user', 'user-linked-elsewhere'),
    },
  },
  unlinkUser: {
    ...users,
    scope: 'admin',
    path: '/auth/v1/users/unlink',
    summary: 'Take an identity from your user',
    description:
      'With personId, all its identities leave your user. With identity, only this one: whoever proves it next is another user. Trusted devices and habits stay with your user.',
    request: UnlinkUserRequest,
    fieldFailures: { userId: 'userIdInvalid' },
    answer: UnlinkedUser,
    refusals: {
      ...everyClientCall,
      400: malformed('field-invalid-auth'),
      404: refused('The user has no such identity', 'user-identity-unknown'),
    },
  },
  mergeUsers: {
    ...users,
    scope: 'admin',
    path: '/auth/v1/users/merge',
    summary: 'Merge two of your users',
    description:
      'Moves identities, trusted devices and habits from one user to another, also when you give a user another id. Decisions and events that were made before stay with the first one.',
    request: MergeUsersRequest,
    fieldFailures: { userId: 'userIdInvalid' },
    answer: MergedUsers,
    refusals: { ...everyClientCall, 400: malformed('field-invalid-auth', 'merge-with-itself', 'users-limited') },
  },
  listIdentities: {
    ...users,
    scope: 'tokens',
    path: '/auth/v1/users/identities',
    summary: 'List the identities of your user',
    description:
      'Returns the phone numbers, email addresses and accounts at identity providers that your user proved, by all linked sign-ins.',
    request: UserIdentitiesRequest,
    fieldFailures: { userId: 'userIdInvalid' },
    answer: UserIdentities,
    refusals: { ...everyClientCall, 400: malformed() },
  },
} as const satisfies Record<string, Endpoint>
