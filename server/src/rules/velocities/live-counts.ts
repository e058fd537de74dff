// What do the velocities of a rule set count now for one user, number or device? Reads only; it adds nothing.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import type { Velocity } from '../language/rule.ts'
import type { RuleInput } from '../language/vocabulary.ts'
import { velocityRows } from '../store/velocity-counts.ts'
import type { CompiledVelocity } from './compile-velocity.ts'
import { keyHashOf } from './forget.ts'
import { countsOf } from './of-decision.ts'
import { velocityValue } from './window.ts'

/** Whose counts: one key of velocities. */
export type CountedSubject =
  | { readonly per: 'user'; readonly userId: string }
  | { readonly per: 'phoneNumber'; readonly phoneNumber: string }
  | { readonly per: 'device'; readonly deviceId: string }

export interface LiveCount {
  readonly velocity: Velocity
  readonly value: number
}

/** In the order of the rule set; those that count per another key are left out. One query. */
export async function liveCounts(
  velocities: readonly CompiledVelocity[],
  { per, ...subject }: CountedSubject,
  { database, keys, now }: { database: Queryable; keys: TenantKeys; now: number },
): Promise<LiveCount[]> {
  const ofSubject = velocities.filter(({ velocity }) => velocity.per === per)
  const key = ofSubject[0]?.keyOf(subject as RuleInput)
  if (key === undefined) return []
  const counts = countsOf(await velocityRows(database, [keyHashOf(keys, key)]), now)
  return ofSubject.map(({ id, velocity }) => ({
    velocity,
    value: velocityValue(velocity.measure, counts.of(id), undefined),
  }))
}
