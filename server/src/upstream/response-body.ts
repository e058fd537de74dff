// Does the body of a response have the form that its interface promises?

import type { Static, TSchema } from 'typebox'
import type { CompiledSchema } from '../core/json/compile-on-use.ts'
import { describeResponse, type UpstreamResponse } from './guard.ts'
import { UpstreamError } from './upstream-error.ts'

/** The body, checked. Throws an UpstreamError `format`. */
export function bodyOf<Schema extends TSchema>(
  call: string,
  response: UpstreamResponse,
  schema: CompiledSchema<Schema>,
): Static<Schema> {
  const { body } = response
  if (schema.Check(body)) return body
  throw new UpstreamError('format', `${describeResponse(call, response)} with a body that does not fit its schema`)
}
