// What does a refusal look like in the formats of sign-in and of the legacy API?

import {
  type ErrorBody,
  type Failure,
  failures,
  type LegacyErrorBody,
  type UnexpectedErrorBody,
} from '@ringfence/contract'
import { describeRefusal, type Refusal } from '../core/errors.ts'

interface Response<Body> {
  readonly status: number
  readonly body: Body | UnexpectedErrorBody
}

/** Without a refusal, the answer to an unexpected failure: it reveals nothing about it. */
export function authError(refusal: Refusal | undefined): Response<ErrorBody> {
  if (!refusal) return { status: 500, body: { message: 'Something went wrong. please try again!!' } }
  const { status, errorCode, message } = failures[refusal.failure]
  // P marks a code of the telecom checks (specification 7.3, note); rows that all formats share have it in the table.
  return { status, body: { message, errorCode: errorCode.replace(/^P/, ''), description: describeRefusal(refusal) } }
}

/** Codes are left out; texts are those that existing SDKs show. */
export function legacyError(refusal: Refusal | undefined): Response<ErrorBody | LegacyErrorBody> {
  if (!refusal || refusal.failure === 'tokenInvalid') return authError(refusal)
  const { status, description, legacyMessage = description }: Failure = failures[refusal.failure]
  const message = describeRefusal(refusal, legacyMessage)
  return { status: refusal.failure === 'tokenExpired' ? 400 : status, body: { message } }
}
