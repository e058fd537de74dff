// How does a person sign in to the console, and what do they learn about themselves?

import { admin } from './admin-endpoint.ts'
import { problem } from './problem.ts'
import {
  AcceptedInvitation,
  AcceptInvitationRequest,
  ConsoleSessions,
  EndedSession,
  EndSessionRequest,
  Invitation,
  Me,
  NoFields,
  OpenInvitationRequest,
  SignedOut,
  SignInRequest,
} from './session.ts'

const tag = 'Console sessions'

const refusedSignIn = problem(
  'The email address, password or code is wrong, or the code is missing',
  'console-sign-in-failed',
  'second-factor-missing',
)
/** Of every call that sets a password. */
export const weakPassword = problem(
  'A field is missing or wrong, or the password is easy to guess',
  'field-invalid',
  'invalid-json',
  'password-weak',
)
const unknownLink = problem('The link is unknown, used, or has expired', 'invitation-unknown')

export const sessionEndpoints = {
  me: admin({
    method: 'GET',
    path: '/admin/v1/me',
    permission: 'signedIn',
    tag,
    summary: 'Who am I?',
    description: 'Returns who calls, their role and permissions, and the CSRF token of the session.',
    request: NoFields,
    answer: Me,
  }),
  signIn: admin({
    method: 'POST',
    path: '/admin/v1/sign-in',
    permission: 'anyone',
    tag,
    summary: 'Sign in',
    description:
      'Signs a person in with password and second factor, and sets the session cookie. Without a code, a right password is `second-factor-missing`.',
    request: SignInRequest,
    answer: Me,
    refusals: { 401: refusedSignIn },
  }),
  openInvitation: admin({
    method: 'POST',
    path: '/admin/v1/invitations/open',
    permission: 'anyone',
    effect: 'read',
    tag,
    summary: 'Open a one-time link',
    description: 'Returns what a one-time link offers, without using it up.',
    request: OpenInvitationRequest,
    fieldFailures: { link: 'invitationUnknown' },
    answer: Invitation,
    refusals: { 404: unknownLink },
  }),
  acceptInvitation: admin({
    method: 'POST',
    path: '/admin/v1/invitations/accept',
    permission: 'anyone',
    tag,
    summary: 'Accept a one-time link',
    description:
      'Creates the account that a one-time link offers, with a password and a second factor, and signs in. Somebody who has an account sends its email address, password and a code of its authenticator app, and gets the role too. The link of a reset replaces password, authenticator app and recovery codes of the account with this email address.',
    request: AcceptInvitationRequest,
    answer: AcceptedInvitation,
    refusals: { 400: weakPassword, 401: refusedSignIn, 404: unknownLink },
  }),
  signOut: admin({
    method: 'POST',
    path: '/admin/v1/sign-out',
    permission: 'anyone',
    tag,
    summary: 'Sign out',
    description: 'Ends the session, and removes its cookie, also when the session has ended already.',
    request: NoFields,
    answer: SignedOut,
  }),
  listSessions: admin({
    method: 'GET',
    path: '/admin/v1/sessions',
    permission: 'signedIn',
    tag,
    summary: 'List my sessions',
    description: 'Returns where the person who calls is signed in.',
    request: NoFields,
    answer: ConsoleSessions,
  }),
  endSession: admin({
    method: 'POST',
    path: '/admin/v1/sessions/{sessionId}/end',
    permission: 'signedIn',
    tag,
    summary: 'End one of my sessions',
    description: 'Ends a session of the person who calls. Repeating it is a success with ended: false.',
    request: EndSessionRequest,
    answer: EndedSession,
  }),
} as const
