// What is the body of an error? (specification 2.2, 2.6, 7)

import Type, { type Static } from 'typebox'

/** HTTP 4xx and 503 bodies of the telecom and auth endpoints: only these fields, no `success`. */
export const ErrorBody = Type.Object(
  {
    message: Type.String(),
    errorCode: Type.String({ description: 'Stable code; see the error reference' }),
    description: Type.String({ description: 'What is wrong, and what to do' }),
  },
  { $id: 'ErrorBody', additionalProperties: false, description: 'A refused request' },
)
export type ErrorBody = Static<typeof ErrorBody>

/** `error` in an HTTP 200 with `success` false: the request is valid, but the check could not be completed. */
export const InBodyError = Type.Object(
  {
    errorCode: Type.String(),
    message: Type.String(),
    description: Type.String(),
  },
  { $id: 'InBodyError', additionalProperties: false, description: 'Why a valid request has no result' },
)
export type InBodyError = Static<typeof InBodyError>

/** HTTP 500 of the telecom and auth endpoints: `message` only. */
export const UnexpectedErrorBody = Type.Object(
  { message: Type.Literal('Something went wrong. please try again!!') },
  { $id: 'UnexpectedErrorBody', additionalProperties: false, description: 'An unexpected failure' },
)
export type UnexpectedErrorBody = Static<typeof UnexpectedErrorBody>
