// What does a failure mean to the caller?

import { type FailureName, Refusal } from '../errors.ts'
import { StorageUnavailable } from '../storage/database.ts'

/** Of a refusal for want of room or store: the next try may succeed. */
export const retryAfterSeconds = 1

/** The refusal that a failure is; `undefined` where it is none of the caller's. */
export function asRefusal(error: unknown, limitBytes: number): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof StorageUnavailable) return new Refusal('unavailable', { retryAfterSeconds, cause: error })
  const name = fastifyFailures[(error as { code?: string }).code ?? '']
  return name && new Refusal(name, { cause: error, limitBytes })
}

const fastifyFailures: Readonly<Record<string, FailureName>> = {
  ECONNRESET: 'invalidHttp', // the caller has gone in the midst of its body, so that nobody reads the answer
  FST_ERR_CTP_BODY_TOO_LARGE: 'bodyTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'mediaTypeUnsupported',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalidJson',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalidJson',
}
