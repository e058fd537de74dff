// What does a refusal look like on the wire? Each family of endpoints has one of seven error formats.

import type {
  CamaraErrorBody,
  DeviceErrorBody,
  ErrorBody,
  ErrorFormat,
  InBodyError,
  LegacyErrorBody,
  OAuthErrorBody,
  PhoneDetail,
  Problem,
  UnexpectedErrorBody,
} from '@ringfence/contract'
import { type Failure, failures } from '@ringfence/contract'
import { camaraError } from '../../camara-front/camara-error.ts'
import { describeRefusal, type Refusal } from '../../core/errors.ts'
import { authError, legacyError } from '../../legacy-api/legacy-error.ts'

type FailureBody =
  | ErrorBody
  | { success: false; error: InBodyError; phoneDetail?: PhoneDetail }
  | UnexpectedErrorBody
  | DeviceErrorBody
  | LegacyErrorBody
  | OAuthErrorBody
  | Problem
  | CamaraErrorBody

type Response = (refusal: Refusal | undefined, requestId: string) => { status: number; body: FailureBody }

/** The status and body of a refusal. Undefined is an unexpected failure: the body reveals nothing about it. */
export const errorFormats: Record<ErrorFormat, Response> = {
  telecom(refusal) {
    if (!refusal) return { status: 500, body: { message: 'Something went wrong. please try again!!' } }
    const { status, errorCode, message } = failures[refusal.failure]
    const error = { message, errorCode, description: describeRefusal(refusal) }
    if (status !== 200) return { status, body: error }
    const { phoneDetail } = refusal.details
    return { status, body: { success: false, error, ...(phoneDetail && { phoneDetail }) } }
  },
  auth: authError,
  device(refusal, requestId) {
    if (!refusal) return { status: 500, body: { requestId, errorMessage: 'Something went wrong' } }
    const { status, description, errorMessage = description }: Failure = failures[refusal.failure]
    return { status, body: { requestId, errorMessage: describeRefusal(refusal, errorMessage) } }
  },
  legacy: legacyError,
  oauth(refusal) {
    if (!refusal) return { status: 500, body: { error: 'server_error', error_description: 'Something went wrong' } }
    const { status, oauthError = oauthErrorOf(status) }: Failure = failures[refusal.failure]
    return { status, body: { error: oauthError, error_description: describeRefusal(refusal) } }
  },
  camara: camaraError,
  /** RFC 9457, 3.1 */
  problem(refusal, requestId) {
    if (!refusal)
      return { status: 500, body: problemBody('unexpected', 500, 'Unexpected Failure', unexpectedText, requestId) }
    const { status, message } = failures[refusal.failure]
    const { version } = refusal.details
    const body = problemBody(refusal.failure, status, message, describeRefusal(refusal), requestId)
    return { status, body: version === undefined ? body : { ...body, version } }
  },
}

const unexpectedText = 'Something went wrong; the log has the cause under the requestId'

const problemBody = (name: string, status: number, title: string, detail: string, requestId: string): Problem => ({
  type: `/problems/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  ...{ title, status, detail, requestId },
})

function oauthErrorOf(status: number): string {
  if (status === 401) return 'invalid_client'
  return status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request'
}

/** The media type of a refusal. */
export const mediaTypeOfError = (format: ErrorFormat) =>
  format === 'problem' ? 'application/problem+json' : 'application/json'

/** Of the header WWW-Authenticate. A client that sent its secret in the form gets no challenge to send it otherwise (RFC 6749, 5.2). */
export function schemeFor(
  errorFormat: ErrorFormat,
  { authorization }: { readonly authorization?: string | undefined },
) {
  if (errorFormat === 'camara') return 'Bearer'
  return errorFormat === 'oauth' && authorization !== undefined ? 'Basic' : undefined
}

/** Whether the body of the response names the mistake. Texts of the specification do not. */
export const saysMistake = ({ failure }: Refusal): boolean => failures[failure].description.includes('{mistake}')
