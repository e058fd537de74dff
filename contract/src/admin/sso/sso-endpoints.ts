// How is single sign-on configured, and how does a person sign in with it?

import { admin } from '../admin-endpoint.ts'
import { problem } from '../problem.ts'
import { NoFields } from '../session.ts'
import {
  FinishedSso,
  FinishSsoRequest,
  RemovedSso,
  SaveSsoRequest,
  SingleSignOn,
  SsoConnections,
  SsoTest,
  StartedSso,
  StartSsoRequest,
  TestSsoRequest,
} from './sso.ts'

const tag = 'Console single sign-on'

const ownerOnly = problem(
  'Only an owner in a session may do this',
  'permission-missing',
  'request-forged',
  'client-restricted',
  'role-too-high',
  'person-required',
)

export const ssoEndpoints = {
  readSso: admin({
    method: 'GET',
    path: '/admin/v1/sso',
    permission: 'people.read',
    tag,
    summary: 'Read single sign-on',
    description: 'Returns how people of the tenant sign in with their identity provider, without the client secret.',
    request: NoFields,
    answer: SingleSignOn,
  }),
  saveSso: admin({
    method: 'POST',
    path: '/admin/v1/sso/save',
    permission: 'people.write',
    ifMatch: true,
    tag,
    summary: 'Configure single sign-on',
    description:
      'Configures the identity provider of the tenant (OpenID Connect). Only an owner does, in a session. With another issuer, whoever signed in with the previous one is signed out.',
    request: SaveSsoRequest,
    answer: SingleSignOn,
    refusals: { 403: ownerOnly },
  }),
  removeSso: admin({
    method: 'POST',
    path: '/admin/v1/sso/remove',
    permission: 'people.write',
    ifMatch: true,
    tag,
    summary: 'Remove single sign-on',
    description: 'Whoever signed in with the identity provider is signed out, and gets in by no other way.',
    request: NoFields,
    answer: RemovedSso,
    refusals: { 403: ownerOnly },
  }),
  testSso: admin({
    method: 'POST',
    path: '/admin/v1/sso/test',
    permission: 'people.write',
    tag,
    summary: 'Test an identity provider',
    description: 'Reads what an issuer says about itself, and its keys. Only an owner does, in a session.',
    request: TestSsoRequest,
    answer: SsoTest,
    refusals: { 403: ownerOnly },
  }),
  listSsoConnections: admin({
    method: 'GET',
    path: '/admin/v1/sso/connections',
    permission: 'anyone',
    tag,
    summary: 'List identity providers',
    description: 'Returns the identity providers that the sign-in page offers.',
    request: NoFields,
    answer: SsoConnections,
  }),
  startSso: admin({
    method: 'POST',
    path: '/admin/v1/sso/start',
    permission: 'anyone',
    tag,
    summary: 'Begin a single sign-on',
    description:
      'Returns the URL of the identity provider, and sets a cookie that only the same browser can finish the sign-in with, within ten minutes.',
    request: StartSsoRequest,
    answer: StartedSso,
    refusals: {
      404: problem('There is no such identity provider', 'sso-unknown'),
      409: problem('The identity provider cannot be reached, or its answer is not valid', 'sso-failed'),
    },
  }),
  finishSso: admin({
    method: 'POST',
    path: '/admin/v1/sso/finish',
    permission: 'anyone',
    tag,
    summary: 'Finish a single sign-on',
    description:
      'Takes what the identity provider sent back in the URL, and sets the session cookie. The groups of the person give the role at each sign-in.',
    request: FinishSsoRequest,
    answer: FinishedSso,
    refusals: {
      401: problem('Another browser began it, it took too long, or it is done already', 'sso-expired'),
      403: problem('No group of the person has a role, or the person is not known', 'sso-refused', 'request-forged'),
      404: problem('There is no such identity provider', 'sso-unknown'),
      409: problem(
        'The answer of the identity provider is not valid, or the tenant has 1,000 people',
        'sso-failed',
        'people-too-many',
      ),
    },
  }),
} as const
