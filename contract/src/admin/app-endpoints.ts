// How does the console change apps, and the keys of backends?

import { admin } from './admin-endpoint.ts'
import { CreateAppRequest, DisableAppRequest, RevokeSessionsRequest, UpdateAppRequest } from './apps.ts'
import {
  AddedPublicKey,
  AddPublicKeyRequest,
  ClientRequest,
  CreateClientRequest,
  IssuedClient,
  RemovedPublicKey,
  RemovePublicKeyRequest,
  RevokedSecrets,
} from './client-keys.ts'
import { problem } from './problem.ts'
import { ShownApp } from './setup.ts'

const tag = 'Console set-up'
const unknownApp = problem('There is no such app', 'app-not-found')
const unknownClient = problem('There is no such client key', 'client-not-found')

/** A client key that could make keys would outlive its own revocation. */
const peopleOnly = problem(
  'The role lacks the permission, another web page sent the request, or a client key called: only people make and rotate keys',
  'permission-missing',
  'request-forged',
  'client-restricted',
  'person-required',
)

export const appEndpoints = {
  createApp: admin({
    method: 'POST',
    path: '/admin/v1/apps/create',
    permission: 'apps.write',
    tag,
    summary: 'Create an app',
    description: 'Creates an app with at least one origin, bundle id or package name. Its id is public.',
    request: CreateAppRequest,
    answer: ShownApp,
    refusals: {
      409: problem('The name is taken, or the tenant has as many apps as it may', 'app-exists', 'limit-reached'),
    },
  }),
  updateApp: admin({
    method: 'POST',
    path: '/admin/v1/apps/{appId}/update',
    permission: 'apps.write',
    tag,
    summary: 'Change an app',
    description:
      'Changes what is sent; the rest stays as it is. A list replaces the list before. Running servers apply it within a second.',
    request: UpdateAppRequest,
    answer: ShownApp,
    refusals: { 404: unknownApp, 409: problem('The name is taken', 'app-exists') },
  }),
  disableApp: admin({
    method: 'POST',
    path: '/admin/v1/apps/{appId}/disable',
    permission: 'apps.write',
    tag,
    summary: 'Disable an app',
    description: 'Disables an app permanently: its SDKs are refused within a second. Repeating it changes nothing.',
    request: DisableAppRequest,
    answer: ShownApp,
    refusals: { 404: unknownApp },
  }),
  revokeSessions: admin({
    method: 'POST',
    path: '/admin/v1/apps/{appId}/sessions/revoke-before',
    permission: 'apps.write',
    tag,
    summary: 'Revoke the SDK sessions of an app',
    description:
      'Refuses, within a second, every SDK session of the app that began before a time. The SDKs open a new session automatically. An earlier time than that of a previous call changes nothing.',
    request: RevokeSessionsRequest,
    answer: ShownApp,
    refusals: { 404: unknownApp },
  }),
  createClient: admin({
    method: 'POST',
    path: '/admin/v1/clients/create',
    permission: 'keys.write',
    tag,
    summary: 'Make a client key',
    description:
      'Makes a key for a backend, and returns its secret once. Only a person may call it, with a role that has every permission of the new key.',
    request: CreateClientRequest,
    answer: IssuedClient,
    refusals: { 403: peopleOnly, 409: problem('The tenant has as many keys as it may', 'limit-reached') },
  }),
  rotateClient: admin({
    method: 'POST',
    path: '/admin/v1/clients/{clientId}/rotate',
    permission: 'keys.write',
    tag,
    summary: 'Rotate a client key',
    description:
      'Adds a second secret, and returns it once. The previous secret stays valid until it is revoked. Only a person may call it, with every permission of the key.',
    request: ClientRequest,
    answer: IssuedClient,
    refusals: {
      403: peopleOnly,
      404: unknownClient,
      409: problem('It is revoked, or has two secrets already', 'client-revoked', 'client-has-two-secrets'),
    },
  }),
  revokeOlderSecrets: admin({
    method: 'POST',
    path: '/admin/v1/clients/{clientId}/revoke-older',
    permission: 'keys.write',
    tag,
    summary: 'Revoke the older secrets of a client key',
    description: 'Ends a rotation: only the newest secret stays valid. Repeating it is a success with revoked: false.',
    request: ClientRequest,
    answer: RevokedSecrets,
    refusals: { 404: unknownClient },
  }),
  revokeClient: admin({
    method: 'POST',
    path: '/admin/v1/clients/{clientId}/revoke',
    permission: 'keys.write',
    tag,
    summary: 'Revoke a client key',
    description: 'Revokes a key with all its secrets, permanently. Repeating it is a success with revoked: false.',
    request: ClientRequest,
    answer: RevokedSecrets,
    refusals: { 404: unknownClient },
  }),
  addPublicKey: admin({
    method: 'POST',
    path: '/admin/v1/clients/{clientId}/public-keys/add',
    permission: 'keys.write',
    tag,
    summary: 'Add a public key to a client key',
    description:
      'The client may then authenticate at the token endpoint of the CAMARA API with assertions that it signs (`private_key_jwt`), beside its secrets. Adding the same key again changes nothing. Only a person may call it, with every permission of the key.',
    request: AddPublicKeyRequest,
    answer: AddedPublicKey,
    refusals: {
      403: peopleOnly,
      404: unknownClient,
      409: problem('It is revoked', 'client-revoked'),
    },
  }),
  removePublicKey: admin({
    method: 'POST',
    path: '/admin/v1/clients/{clientId}/public-keys/remove',
    permission: 'keys.write',
    tag,
    summary: 'Remove a public key of a client key',
    description: 'Assertions of the key are refused at once. Repeating it is a success with removed: false.',
    request: RemovePublicKeyRequest,
    answer: RemovedPublicKey,
    refusals: { 404: unknownClient },
  }),
} as const
