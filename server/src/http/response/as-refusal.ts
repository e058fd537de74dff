// Which refusal does the caller get for a failure?

import { Refusal } from '../../core/errors.ts'
import { StorageUnavailable } from '../../core/storage/database.ts'

/** For overload and an unavailable store: the next attempt may succeed. */
export const retryAfterSeconds = 1

/** The refusal for a failure; undefined when the failure is unexpected (500). */
export function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof StorageUnavailable) return new Refusal('unavailable', { retryAfterSeconds, cause: error })
  return undefined
}
