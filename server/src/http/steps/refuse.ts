// What does the caller get when a step fails? A refusal in the error format of its path.

import { etagOf } from '../../admin/versions.ts'
import type { Progress } from '../progress.ts'
import { recordRefusal } from '../request-record.ts'
import { asRefusal } from '../response/as-refusal.ts'
import { errorFormats, mediaTypeOfError, saysMistake, schemeFor } from '../response/error-formats.ts'
import { addNotice } from '../response/notice.ts'
import { hintOf } from './hints.ts'
import { describeSource, sendJson } from './send-answer.ts'
import type { Serving } from './step.ts'

/** Sends and records a refusal; nothing when the answer has begun. */
export function refuse(cause: unknown, progress: Progress, { needs, rows }: Serving): void {
  const { reply, requestId, headers, arrival } = progress
  if (reply.hasBegun) return
  const refusal = asRefusal(cause)
  const errorFormat = rows.errorFormatAt(arrival.path)
  const { status, body } = errorFormats[errorFormat](refusal, requestId)
  recordRefusal(needs, progress, refusal, cause)
  const { retryAfterSeconds, version, allow, mistake } = refusal?.details ?? {}
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  const scheme = schemeFor(errorFormat, headers)
  if (scheme && status === 401) reply.header('www-authenticate', `${scheme} realm="Ringfence"`)
  if (version !== undefined) reply.header('etag', etagOf(version))
  if (allow) reply.header('allow', allow)
  if (mistake && !saysMistake(refusal!)) addNotice(reply, mistake)
  const hint = refusal && hintOf(refusal, progress, rows)
  if (hint !== undefined) addNotice(reply, hint)
  // What is wrong with a number is said without the number; other mistakes may repeat what was sent.
  progress.hint = hint ?? (refusal?.failure === 'invalidPhoneNumber' ? mistake : undefined)
  describeSource(progress, { needs })
  sendJson(reply.status(status), body, mediaTypeOfError(errorFormat))
}
