// Has somebody else changed it meanwhile? Versions of records, as ETag and If-Match (RFC 9110, 8.8.3 and 13.1.1).

import { Refusal } from '../core/errors.ts'
import type { ActorCall, AdminCall, AdminResponse } from './call.ts'

/** Sends the version of the record in the answer as ETag; a change of the record needs it as If-Match. */
export function answerVersion({ response }: AdminCall, version: number | string): void {
  response.version = String(version)
}

/**
 * Refuses with `versionChanged` unless the caller has seen the present version. For the handler of an endpoint with `ifMatch`: call it
 * in the transaction of the change, with the version that was read there, so that of two changes at the same time one is refused.
 */
export function refuseOtherVersion({ ifMatch, response }: ActorCall, present: number | string): void {
  response.isVersionCompared = true
  if (ifMatch === '*' || ifMatch?.includes(String(present))) return
  throw new Refusal('versionChanged', { version: String(present) })
}

/** Of the call, if its handler has set one. */
export const versionOfAnswer = (call: object | undefined): string | undefined =>
  ((call ?? {}) as { response?: AdminResponse }).response?.version

export const etagOf = (version: string): string => `"${version}"`

/** W/: a proxy that compresses marks each ETag so. A version names the state of a record and not its bytes, so it still fits. */
const entityTag = /^(?:W\/)?"([A-Za-z0-9._:-]{1,128})"$/
const mostTags = 8

/** The versions in an If-Match. Refuses a malformed one, since the change would be made over any version or never. */
export function versionsIn(header: string | undefined): readonly string[] | '*' | undefined {
  if (header === undefined) return undefined
  if (header.trim() === '*') return '*'
  const tags = header.split(',', mostTags + 1).map((tag) => entityTag.exec(tag.trim())?.[1])
  if (tags.length > mostTags || tags.includes(undefined))
    throw new Refusal('fieldInvalid', { mistake: 'If-Match must be an ETag such as "7", or *' })
  return tags as string[]
}
