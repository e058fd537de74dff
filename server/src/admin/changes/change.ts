// How does each change through the admin API run? With the version that it needs, once for each Idempotency-Key, and with its audit line.

import type { AdminEndpoint } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { actionOf, audited, type Change } from '../audit/audited-call.ts'
import { onceForEachKey } from './idempotent-call.ts'

/** The handler of an endpoint that writes, with what all of them have in common. */
export function change(definition: AdminEndpoint, handler: Change): Change {
  const once = onceForEachKey(actionOf(definition), audited(definition, handler))
  if (!definition.ifMatch) return once
  return async (body, call, needs) => {
    if (call.ifMatch === undefined) throw new Refusal('versionMissing')
    const answer = await once(body, call, needs)
    // A mistake of the program: every test of such a handler shows it.
    if (!call.response.isVersionCompared) throw new Error(`${definition.path} compares no version`)
    return answer
  }
}
