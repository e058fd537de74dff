// How does a person use passkeys, and how do they prove again who they are?

import { admin } from '../admin-endpoint.ts'
import { problem } from '../problem.ts'
import { Me, NoFields } from '../session.ts'
import { ConfirmedPerson, ConfirmPersonRequest } from './confirmation.ts'
import {
  AddPasskeyRequest,
  Passkey,
  PasskeyCreation,
  PasskeyRequest,
  Passkeys,
  RemovedPasskey,
  RemovePasskeyRequest,
  RenamePasskeyRequest,
  SignInWithPasskeyRequest,
} from './passkeys.ts'

const tag = 'Console sessions'

const noPerson = problem('A client key calls, which has no account', 'person-missing')
const unavailable = problem('The service has no https URL with a host name', 'passkeys-unavailable')
const unknown = problem('You have no such passkey', 'passkey-unknown')
/** Of every call that changes how somebody signs in. */
export const needsConfirmation = problem(
  'The person has to prove again who they are, or another web page sent the request',
  'confirmation-missing',
  'request-forged',
)

export const passkeyEndpoints = {
  beginPasskeySignIn: admin({
    method: 'POST',
    path: '/admin/v1/sign-in/passkey/begin',
    permission: 'anyone',
    effect: 'read',
    tag,
    summary: 'Begin a sign-in with a passkey',
    description:
      'Returns the options of `navigator.credentials.get()`, and sets a cookie that the sign-in needs. No user name is needed: the browser shows which passkeys there are.',
    request: NoFields,
    answer: PasskeyRequest,
    refusals: { 409: unavailable },
  }),
  signInWithPasskey: admin({
    method: 'POST',
    path: '/admin/v1/sign-in/passkey',
    permission: 'anyone',
    tag,
    summary: 'Sign in with a passkey',
    description:
      'Signs a person in with a passkey that has checked them by PIN, finger or face, and sets the session cookie. It needs neither password nor code.',
    request: SignInWithPasskeyRequest,
    answer: Me,
    refusals: { 401: problem('The passkey is not accepted', 'passkey-refused'), 409: unavailable },
  }),
  beginConfirmation: admin({
    method: 'POST',
    path: '/admin/v1/account/confirm/begin',
    permission: 'signedIn',
    effect: 'read',
    tag,
    summary: 'Begin to confirm with a passkey',
    description: 'Returns the options of `navigator.credentials.get()` for the passkeys of the person who calls.',
    request: NoFields,
    answer: PasskeyRequest,
    refusals: {
      404: unknown,
      409: problem(
        'The service has no https URL with a host name, or a client key calls',
        'passkeys-unavailable',
        'person-missing',
      ),
    },
  }),
  confirmPerson: admin({
    method: 'POST',
    path: '/admin/v1/account/confirm',
    permission: 'signedIn',
    tag,
    summary: 'Confirm who I am',
    description:
      'Proves again who is signed in: with a passkey, or with the password and a code of the authenticator app that was not used before. For ten minutes, as after a sign-in, the session may change how the person signs in.',
    request: ConfirmPersonRequest,
    answer: ConfirmedPerson,
    refusals: {
      401: problem(
        'The password, code or passkey is wrong, or nobody is signed in',
        'console-sign-in-failed',
        'passkey-refused',
        'not-signed-in',
      ),
      409: noPerson,
    },
  }),
  listPasskeys: admin({
    method: 'GET',
    path: '/admin/v1/account/passkeys',
    permission: 'signedIn',
    tag,
    summary: 'List my passkeys',
    description: 'Returns the passkeys of the person who calls.',
    request: NoFields,
    answer: Passkeys,
    refusals: { 409: noPerson },
  }),
  beginPasskey: admin({
    method: 'POST',
    path: '/admin/v1/account/passkeys/begin',
    permission: 'signedIn',
    effect: 'read',
    tag,
    summary: 'Begin to add a passkey',
    description:
      'Returns the options of `navigator.credentials.create()`. Needs a sign-in or a confirmation of the last ten minutes.',
    request: NoFields,
    answer: PasskeyCreation,
    refusals: {
      403: needsConfirmation,
      409: problem(
        'There are ten already, the service has no https URL with a host name, or the person uses single sign-on',
        'passkeys-too-many',
        'passkeys-unavailable',
        'person-by-sso',
        'person-missing',
      ),
    },
  }),
  addPasskey: admin({
    method: 'POST',
    path: '/admin/v1/account/passkeys/add',
    permission: 'signedIn',
    tag,
    summary: 'Add a passkey',
    description:
      'Adds the passkey that the browser has made. Needs a sign-in or a confirmation of the last ten minutes.',
    request: AddPasskeyRequest,
    answer: Passkey,
    refusals: {
      403: needsConfirmation,
      409: problem(
        'There are ten already, or the service has no https URL with a host name',
        'passkeys-too-many',
        'passkeys-unavailable',
        'person-missing',
      ),
    },
  }),
  renamePasskey: admin({
    method: 'POST',
    path: '/admin/v1/account/passkeys/{passkeyId}/rename',
    permission: 'signedIn',
    tag,
    summary: 'Rename a passkey',
    description: 'Gives a passkey of the person who calls another name.',
    request: RenamePasskeyRequest,
    fieldFailures: { passkeyId: 'passkeyUnknown' },
    answer: Passkey,
    refusals: { 404: unknown, 409: noPerson },
  }),
  removePasskey: admin({
    method: 'POST',
    path: '/admin/v1/account/passkeys/{passkeyId}/remove',
    permission: 'signedIn',
    tag,
    summary: 'Remove a passkey',
    description:
      'Removes a passkey of the person who calls, but not the last way to sign in. Needs a sign-in or a confirmation of the last ten minutes. Repeating it is a success with removed: false.',
    request: RemovePasskeyRequest,
    answer: RemovedPasskey,
    refusals: {
      403: needsConfirmation,
      409: problem('It is the last way in, or a client key calls', 'last-way-in', 'person-missing'),
    },
  }),
} as const
