// Which refusal does the caller get for a failure?

import { type FailureName, Refusal } from '../errors.ts'
import { StorageUnavailable } from '../storage/database.ts'

/** For overload and an unavailable store: the next attempt may succeed. */
export const retryAfterSeconds = 1

/** The refusal for a failure; undefined when the failure is unexpected (500). */
export function asRefusal(error: unknown, limitBytes: number): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof StorageUnavailable) return new Refusal('unavailable', { retryAfterSeconds, cause: error })
  const name = fastifyFailures[(error as { code?: string }).code ?? '']
  return name && new Refusal(name, { cause: error, limitBytes })
}

const fastifyFailures: Readonly<Record<string, FailureName>> = {
  ECONNRESET: 'invalidHttp', // the caller closed the connection within its body, so it gets no answer
  FST_ERR_CTP_BODY_TOO_LARGE: 'bodyTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'mediaTypeUnsupported',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalidJson',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalidJson',
}
