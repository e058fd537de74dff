// Which status and code of CAMARA does a refusal have? (Commonalities 0.6)

import { type CamaraErrorBody, type FailureName, failures, numberVerificationApi } from '@ringfence/contract'
import { describeRefusal, type Refusal, unsupportedBy } from '../core/errors.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'

const notFound = [404, 'IDENTIFIER_NOT_FOUND'] as const
const notApplicable = [422, 'SERVICE_NOT_APPLICABLE'] as const
const outOfRange = [400, 'OUT_OF_RANGE'] as const
const purposeRefused = [403, 'PERMISSION_DENIED'] as const
const notByNetwork = [403, numberVerificationApi.notByNetwork] as const
const unavailable = [503, 'UNAVAILABLE'] as const

const ofFailure: Partial<Record<FailureName, readonly [status: number, code: string]>> = {
  phoneNumberMissing: [422, 'MISSING_IDENTIFIER'],
  identifierUnsupported: [422, 'UNSUPPORTED_IDENTIFIER'],
  // The form of the number was checked before: it is a number that nobody can have.
  invalidPhoneNumber: notFound,
  operatorUnknown: notFound,
  outOfRange,
  nothingToCompare: [400, 'KNOW_YOUR_CUSTOMER.INVALID_PARAM_COMBINATION'],
  consentRequired: purposeRefused,
  consentNotAllowed: purposeRefused,
  checkParametersUnsupported: notApplicable,
  checkNotApplicable: notApplicable,
  numberVerificationNotOnMobileNetwork: notByNetwork,
  phoneTokenNeeded: notByNetwork,
  otherNumberAsked: [403, 'INVALID_TOKEN_CONTEXT'],
  numberVerificationDenied: purposeRefused,
  costCapReached: [429, 'QUOTA_EXCEEDED'],
}

const ofStatus: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  431: 'REQUEST_HEADER_FIELDS_TOO_LARGE',
  503: 'UNAVAILABLE',
}

/** The status and body of a refusal. Undefined is an unexpected failure: the body reveals nothing about it. */
export function camaraError(refusal: Refusal | undefined): { status: number; body: CamaraErrorBody } {
  if (!refusal) return withCode([500, 'INTERNAL'], 'Something went wrong')
  return withCode(statusAndCode(refusal), textOf(refusal))
}

/** A client that sent no maxAge has to know which one to send, and one without a purpose where CAMARA states it. */
function textOf(refusal: Refusal): string {
  const { limitHours, mistake, hint } = refusal.details
  if (refusal.failure === 'notFound' && hint !== undefined) return `This path does not exist: ${hint}`
  if (refusal.failure === 'consentRequired')
    return `This tenant requires ${mistake}: request a token with a purpose in its scope, for example "dpv:FraudPreventionAndDetection sim-swap:check"`
  const description = describeRefusal(refusal)
  return limitHours === undefined ? description : `${description}: send maxAge, at most ${limitHours}`
}

function statusAndCode(refusal: Refusal): readonly [number, string] {
  const { failure, cause, details } = refusal
  if (details.camara) return details.camara
  if (cause instanceof UpstreamError && cause.code === 'IDENTIFIER_NOT_FOUND') return notFound
  if (unsupportedBy(refusal) === 'window') return outOfRange
  // Not "no such number": a source could not say whose it is.
  if (failure === 'operatorUnknown' && cause !== undefined) return unavailable
  const { status } = failures[failure]
  return ofFailure[failure] ?? (status === 200 ? unavailable : [status, ofStatus[status] ?? 'INVALID_ARGUMENT'])
}

const withCode = ([status, code]: readonly [number, string], message: string) => ({
  status,
  body: { status, code, message },
})
