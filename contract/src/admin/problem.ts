// What is the body of an error of the admin API? A problem (RFC 9457).

import Type, { type Static } from 'typebox'
import type { RefusalRow } from '../endpoints/endpoint.ts'

/** Sent as `application/problem+json`. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'What kind of error it is: `/problems/` and its name. Compare this' }),
    title: Type.String({ description: 'The kind of error, for people' }),
    status: Type.Integer({ description: 'The HTTP status' }),
    detail: Type.String({ description: 'What is wrong, and what to do' }),
    version: Type.Optional(
      Type.String({ description: 'With `version-changed`: the present version of the record, also as ETag' }),
    ),
    requestId: Type.String({ description: 'Id of the request, for support' }),
  },
  { $id: 'Problem', additionalProperties: false, description: 'A refused request (RFC 9457)' },
)
export type Problem = Static<typeof Problem>

/** `names`: of the failures, in kebab-case. */
export const problem = (description: string, ...names: string[]): RefusalRow => ({
  description,
  body: Problem,
  samples: names,
})
