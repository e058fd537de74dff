// Which calls do the SDKs make while a user signs in? start, resend, verify and status, with a session, in the auth error format.

import { OutboxMessages } from '../admin/service/sign-in.ts'
import {
  ShownMessagesRequest,
  SignedInUser,
  SignInResendRequest,
  SignInStartRequest,
  SignInStatus,
  SignInStatusRequest,
  SignInTransaction,
  SignInVerifyRequest,
} from '../sign-in.ts'
import { type Endpoint, everyCall, everyClientCall, refused } from './endpoint.ts'

const signIn = { method: 'POST', caller: 'session', errorFormat: 'auth', tag: 'Sign-in', accepted: 'Done' } as const

const everySignInCall = {
  ...everyCall,
  401: refused('The session is missing or expired', 'session-invalid'),
  413: refused('The body is larger than 64 KiB, or 256 KiB for a call with facts', 'body-too-large'),
} as const

const everyStep = (...samples: string[]) =>
  refused('The request is malformed, or the sign-in is over', 'sign-in-unknown', ...samples)

const notDelivered = refused(
  'The gateway did not accept the message, the identity provider cannot be reached, or the service is overloaded, stopping or cannot reach its database',
  'delivery-failed',
  'provider-failed',
  'unavailable',
)

export const signInEndpoints = {
  signInStart: {
    ...signIn,
    path: '/sdk/v1/auth/start',
    summary: 'Start a sign-in',
    description:
      'Sends an OTP or a magic link, or returns where to redirect the user (OAUTH) or what the phone opens (SILENT). A repeated call within resendAfterSeconds returns the same transaction and sends nothing.',
    request: SignInStartRequest,
    fieldFailures: { channel: 'fieldInvalid', identity: 'identityInvalid' },
    answer: SignInTransaction,
    refusals: {
      ...everySignInCall,
      400: refused(
        'The request is malformed, or the app does not offer this sign-in',
        'identity-invalid',
        'invalid-phone-number-auth',
        'email-invalid',
        'redirect-url-refused',
        'channel-unavailable',
        'silent-unavailable',
        'line-type-refused',
        'country-refused',
        'link-to-refused',
      ),
      429: refused('Too many calls, or too many messages; see Retry-After', 'rate-limited', 'messages-limited'),
      503: notDelivered,
    },
  },
  signInResend: {
    ...signIn,
    path: '/sdk/v1/auth/resend',
    summary: 'Resend the message',
    description: 'Sends a new OTP, or the same link. The previous OTP is still accepted, because it may arrive late.',
    request: SignInResendRequest,
    answer: SignInTransaction,
    refusals: {
      ...everySignInCall,
      400: everyStep('sign-in-expired', 'sign-in-failed', 'resend-impossible'),
      429: refused(
        'Too early, or too many messages; see Retry-After',
        'resend-too-early',
        'resends-used-up',
        'messages-limited',
      ),
      503: notDelivered,
    },
  },
  signInVerify: {
    ...signIn,
    path: '/sdk/v1/auth/verify',
    summary: 'Complete a sign-in',
    description:
      'Returns the user object for the OTP of the message, or for the code of a magic link or identity provider. Accepted once.',
    request: SignInVerifyRequest,
    answer: SignedInUser,
    refusals: {
      ...everySignInCall,
      400: everyStep(
        'otp-wrong',
        'code-wrong',
        'attempts-used-up',
        'sign-in-expired',
        'sign-in-over',
        'otp-missing',
        'code-missing',
        'link-to-refused',
        'identity-taken',
      ),
      503: refused(
        'The operator that made the OTP compared nothing, or the service is overloaded, stopping or cannot reach its database',
        'code-not-checked',
        'unavailable',
      ),
    },
  },
  signInStatus: {
    ...signIn,
    path: '/sdk/v1/auth/status',
    summary: 'Sign-in status',
    description:
      'Poll it while the user opens a magic link. When the link does not return to the app, the first SUCCESS contains the user.',
    request: SignInStatusRequest,
    answer: SignInStatus,
    refusals: { ...everySignInCall, 400: everyStep('link-to-refused', 'identity-taken') },
  },
  readShownMessages: {
    method: 'GET',
    caller: 'client',
    scope: 'messages',
    errorFormat: 'auth',
    tag: 'Sign-in',
    path: '/v1/sandbox/messages',
    summary: 'Read shown messages',
    description:
      'For tests: returns the messages that `ringfence serve --sandbox` shows in place of sending them, with their codes and links. Any other service refuses: whoever reads a code signs in as its recipient.',
    accepted: 'The messages',
    request: ShownMessagesRequest,
    answer: OutboxMessages,
    refusals: {
      ...everyClientCall,
      400: refused('A field is wrong', 'field-invalid'),
      404: refused('This service is no sandbox', 'outbox-closed'),
    },
  },
} as const satisfies Record<string, Endpoint>
