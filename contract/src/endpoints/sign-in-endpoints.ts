// Which calls do the SDKs make while a person signs in? start, resend, verify, status; of a session, in the shapes of the auth family.

import {
  SignedInUser,
  SignInResendRequest,
  SignInStartRequest,
  SignInStatus,
  SignInStatusRequest,
  SignInTransaction,
  SignInVerifyRequest,
} from '../sign-in.ts'
import { type Endpoint, everyCall, refused } from './endpoint.ts'

const signIn = { method: 'POST', caller: 'session', errorFormat: 'auth', tag: 'Sign-in', accepted: 'Done' } as const

const everySignInCall = {
  ...everyCall,
  401: refused('No session, or it has expired', 'session-invalid'),
  413: refused('The body is larger than 64 KiB, or 256 KiB where it may bring facts', 'body-too-large'),
} as const

const everyStep = (...samples: string[]) =>
  refused('Malformed, or a sign-in with which nothing more can be done', 'sign-in-unknown', ...samples)

const notDelivered = refused(
  'The message was not taken over, or the provider cannot be reached; or overloaded, draining or without its store',
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
      'Sends an OTP or a magic link, or answers where to send the person (OAUTH). Repeated within resendAfterSeconds it answers the same transaction and sends nothing.',
    request: SignInStartRequest,
    answer: SignInTransaction,
    refusals: {
      ...everySignInCall,
      400: refused(
        'Malformed, or nothing that the app offers',
        'identity-invalid',
        'email-invalid',
        'redirect-url-refused',
        'channel-unavailable',
        'line-type-refused',
        'country-refused',
      ),
      403: refused('Refused by the telecom gate', 'gate-refused'),
      429: refused('Too many calls, or too many messages; see Retry-After', 'rate-limited', 'messages-limited'),
      503: notDelivered,
    },
  },
  signInResend: {
    ...signIn,
    path: '/sdk/v1/auth/resend',
    summary: 'Send again',
    description: 'Sends another OTP, or the same link. The OTP before is still accepted, as it may arrive late.',
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
      'The user object, for the OTP of the message or the code that a magic link or provider led back with. Accepted once.',
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
      ),
    },
  },
  signInStatus: {
    ...signIn,
    path: '/sdk/v1/auth/status',
    summary: 'How far is a sign-in',
    description:
      'Asked again and again while a person opens a magic link. Where nobody is led back to the app, the first SUCCESS brings the user.',
    request: SignInStatusRequest,
    answer: SignInStatus,
    refusals: { ...everySignInCall, 400: everyStep() },
  },
} as const satisfies Record<string, Endpoint>
