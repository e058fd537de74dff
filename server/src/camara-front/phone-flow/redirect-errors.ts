// With which OAuth error is a phone redirected to its client? (RFC 6749, 4.1.2.1; OpenID Connect Core 3.1.2.6)

import type { FailureName } from '@ringfence/contract'
import { describeRefusal, type Refusal } from '../../core/errors.ts'

const errors: Partial<Record<FailureName, readonly [code: string, text: string]>> = {
  invalidPhoneNumber: ['invalid_request', 'login_hint is no phone number: {mistake}'],
  consentRequired: ['invalid_scope', 'scope must state a purpose, and the tenant requires {mistake}'],
  consentNotAllowed: ['invalid_scope', 'scope states a purpose that the tenant does not allow: {mistake}'],
  operatorUnknown: ['access_denied', 'no operator is known for the number of login_hint: send an OTP'],
  numberVerificationUnsupported: ['access_denied', 'the operator of login_hint verifies no phones: send an OTP'],
  numberVerificationNotOnMobileNetwork: ['login_required', 'the phone did not use the mobile data of its operator'],
  numberVerificationDenied: ['access_denied', 'the subscriber or the operator does not allow it'],
  numberVerificationsLimited: [
    'temporarily_unavailable',
    '{mistake} have begun in this hour: try again in {retryAfterSeconds} seconds, or send an OTP',
  ],
  messagesLimited: [
    'temporarily_unavailable',
    'the operators of too many numbers were looked up: try again in {retryAfterSeconds} seconds, or send an OTP',
  ],
  costCapReached: [
    'temporarily_unavailable',
    'the daily cost cap of the tenant is reached: try again after 00:00 UTC, or send an OTP',
  ],
}

/** Undefined: none that a client needs to tell apart. */
export function redirectError(refusal: Refusal): { error: string; error_description: string } | undefined {
  const [error, text] = errors[refusal.failure] ?? []
  return error === undefined ? undefined : { error, error_description: describeRefusal(refusal, text) }
}
