// How does a person change how they sign in to the console?

import {
  AuthenticatorSetup,
  ChangedPassword,
  ChangePasswordRequest,
  MyFactors,
  NewRecoveryCodes,
  RenewRecoveryCodesRequest,
  ReplaceAuthenticatorRequest,
  ReplacedAuthenticator,
} from './account.ts'
import { admin } from './admin-endpoint.ts'
import { needsConfirmation } from './passkeys/passkey-endpoints.ts'
import { problem } from './problem.ts'
import { NoFields } from './session.ts'
import { weakPassword } from './session-endpoints.ts'

const tag = 'Console sessions'

const noPerson = problem('A client key calls, which has no account', 'person-missing')
const notProved = problem(
  'The password or code is wrong, or nobody is signed in',
  'console-sign-in-failed',
  'not-signed-in',
)

const wrongCode = problem(
  'The code is not of the new app, or nobody is signed in',
  'console-sign-in-failed',
  'not-signed-in',
)

export const accountEndpoints = {
  readFactors: admin({
    method: 'GET',
    path: '/admin/v1/account/factors',
    permission: 'signedIn',
    tag,
    summary: 'Read my second factors',
    description: 'Returns what the person who calls can sign in with.',
    request: NoFields,
    answer: MyFactors,
    refusals: { 409: noPerson },
  }),
  changePassword: admin({
    method: 'POST',
    path: '/admin/v1/account/password',
    permission: 'signedIn',
    tag,
    summary: 'Change my password',
    description:
      'Replaces the password of the person who calls, and ends their other sessions. Needs the present password and a code of the authenticator app that was not used before.',
    request: ChangePasswordRequest,
    answer: ChangedPassword,
    refusals: { 400: weakPassword, 401: notProved, 409: noPerson },
  }),
  renewRecoveryCodes: admin({
    method: 'POST',
    path: '/admin/v1/account/recovery-codes',
    permission: 'signedIn',
    tag,
    summary: 'Get new recovery codes',
    description:
      'Replaces the recovery codes of the person who calls. Needs the present password and a code of the authenticator app that was not used before.',
    request: RenewRecoveryCodesRequest,
    answer: NewRecoveryCodes,
    refusals: { 401: notProved, 409: noPerson },
  }),
  beginAuthenticator: admin({
    method: 'POST',
    path: '/admin/v1/account/authenticator/begin',
    permission: 'signedIn',
    effect: 'read',
    tag,
    summary: 'Begin with a new authenticator app',
    description:
      'Returns a new secret for an authenticator app. The present app works until the new one is confirmed. Needs a sign-in or a confirmation of the last ten minutes.',
    request: NoFields,
    answer: AuthenticatorSetup,
    refusals: {
      403: needsConfirmation,
      409: problem('The person uses single sign-on, or a client key calls', 'person-by-sso', 'person-missing'),
    },
  }),
  replaceAuthenticator: admin({
    method: 'POST',
    path: '/admin/v1/account/authenticator',
    permission: 'signedIn',
    tag,
    summary: 'Use a new authenticator app',
    description:
      'Replaces the authenticator app of the person who calls, by a code of the new one, and ends their other sessions. Needs a sign-in or a confirmation of the last ten minutes.',
    request: ReplaceAuthenticatorRequest,
    answer: ReplacedAuthenticator,
    refusals: { 401: wrongCode, 403: needsConfirmation, 409: noPerson },
  }),
} as const
