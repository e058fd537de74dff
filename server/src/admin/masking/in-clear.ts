// What may only who reads decisions in clear? What gets or compares all of them, so that masking the answer would hide nothing.

import { Refusal } from '../../core/errors.ts'
import type { Actor } from '../actor.ts'

/** Refuses with `permissionMissing`. `what` begins the sentence: `a webhook receives`. */
export function refuseUnlessInClear({ permissions, role }: Actor, what: string): void {
  const missing = (['decisions.read', 'personalData.read'] as const).filter((needed) => !permissions.has(needed))
  if (missing.length === 0) return
  throw new Refusal('permissionMissing', { mistake: `${what} more than ${role} may read: ${missing.join(', ')}` })
}

/** Rules compare stored values: with enough of them tried over the past, somebody finds each hidden digit. */
export const refuseToTryRules = (actor: Actor): void => refuseUnlessInClear(actor, 'rules that are tried read')
