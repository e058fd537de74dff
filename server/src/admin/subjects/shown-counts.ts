// How does the admin API show what velocities count? As a rules file writes each, with its value now.

import type { ShownDevice } from '@ringfence/contract'
import { type CountedSubject, liveCounts } from '../../rules/velocities/live-counts.ts'
import { writtenVelocities } from '../../rules/velocities/read-velocities.ts'
import type { AdminNeeds } from '../room.ts'

type Services = Pick<AdminNeeds, 'rules' | 'database' | 'tenantKeyring' | 'clock'>

/** Those of the live rules. */
export async function shownCounts(
  tenantId: string,
  subject: CountedSubject,
  { rules, database, tenantKeyring, clock }: Services,
): Promise<ShownDevice['velocities']> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const { live } = await rules.current(tenantId)
  const counts = await liveCounts(live.velocities, subject, { database, keys, now: clock.now() })
  return counts.map(({ velocity, value }) => {
    const { per, within, when, distinct, sum } = writtenVelocities([velocity])[velocity.name]!
    const path = distinct ?? sum
    return {
      name: velocity.name,
      measure: velocity.measure,
      ...(path !== undefined && { path }),
      per,
      within,
      value,
      ...(when !== undefined && { when }),
    }
  })
}
