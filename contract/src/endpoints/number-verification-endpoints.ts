// Which calls does a backend make to verify the number of a phone? One before the phone opens the operator's URL, one after.

import {
  BeginNumberVerificationRequest,
  BegunNumberVerification,
  CompleteNumberVerificationRequest,
  NumberVerificationResult,
} from '../checks/number-verification.ts'
import { aboutConsent, type Endpoint, everyClientCall, refused } from './endpoint.ts'

const verification = {
  method: 'POST',
  caller: 'client',
  scope: 'telecom',
  errorFormat: 'telecom',
  tag: 'Telecom',
  accepted: 'Request accepted; check `success`',
} as const

export const numberVerificationEndpoints = {
  beginNumberVerification: {
    ...verification,
    path: '/v1/telecom/number-verifications',
    summary: 'Begin a Number Verification',
    description:
      'Returns a URL of the mobile operator. The phone opens it over mobile data, and the operator redirects it with a code. Nothing is sent to the person. It can be completed once, within five minutes.',
    request: BeginNumberVerificationRequest,
    fieldFailures: { phoneNumber: 'invalidPhoneNumber' },
    answer: BegunNumberVerification,
    refusals: {
      ...everyClientCall,
      400: refused(
        'A field is wrong, or the body is not JSON',
        'field-invalid',
        'invalid-phone-number',
        'invalid-json',
        ...aboutConsent,
      ),
      429: refused('Too many calls or verifications; see Retry-After', 'number-verifications-limited', 'rate-limited'),
    },
  },
  completeNumberVerification: {
    ...verification,
    path: '/v1/telecom/number-verifications/{verificationId}/complete',
    summary: 'Complete a Number Verification',
    description:
      'Says whether the phone that opened the URL has the number. Send `state` with `code`, or with `error`, as the operator redirected. The first call with the right state uses the verification up.',
    request: CompleteNumberVerificationRequest,
    fieldFailures: { verificationId: 'numberVerificationUnknown' },
    answer: NumberVerificationResult,
    refusals: {
      ...everyClientCall,
      400: refused(
        'A field is wrong, the state belongs to another verification, or the body is not JSON',
        'field-invalid',
        'number-verification-state-wrong',
        'invalid-json',
      ),
      404: refused('There is no such verification of this client', 'number-verification-unknown'),
    },
  },
} as const satisfies Record<string, Endpoint>
