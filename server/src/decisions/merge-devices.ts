// When do two devices become one? As soon as a later visit proves it: looked for every minute, and by `ringfence devices heal`.

import { randomBytes } from 'node:crypto'
import { mergeAccountDevices } from '../accounts/devices/joined-device.ts'
import type { Core } from '../core/core.ts'
import { listTenants } from '../core/storage/tenants.ts'
import { healSplits, type Split, splitOf } from '../device/identity/heal.ts'
import { mergeIn } from '../device/identity/merge.ts'
import { inDoubtSince } from '../device/store/installations.ts'
import { eventsMove } from '../events/store/events.ts'
import { deviceHashOf } from '../events/subject-hashes.ts'
import { moveVelocities } from '../rules/velocities/move-velocities.ts'
import { decisionsMove } from './store/decisions.ts'

type Services = Pick<Core, 'database' | 'tenantKeyring' | 'events' | 'clock'>

/**
 * Makes `into`, the older id, the id of both: installations, history, labels, trust, velocities, decisions and events move, and `from` is
 * an alias of it from now on. One transaction, with the event `device.merged`.
 * @returns false when one of the two is gone, or the older one has too many former ids. Then nothing happens
 */
export async function mergeDevices(tenantId: string, split: Split, services: Services): Promise<boolean> {
  const { database, tenantKeyring, events, clock } = services
  const { from, into, because } = split
  const keys = await tenantKeyring.keysOf(tenantId)
  const [gone, kept] = [deviceHashOf(from, keys), deviceHashOf(into, keys)]
  const statements = [
    decisionsMove(tenantId, gone, kept),
    eventsMove(tenantId, gone, kept),
    ...(await events.statements(tenantId, [
      {
        type: 'device.merged',
        data: { deviceId: into, formerId: from, because },
        orderedBy: `device ${into}`,
        subjects: { deviceId: into },
      },
    ])),
  ]
  return database.transaction(async (tx) => {
    const at = clock.now()
    if (!(await mergeIn(tx, { tenantId, ...split, at }, keys))) return false
    await mergeAccountDevices(tx, { tenantId, from, into }, keys)
    await moveVelocities(tx, { from, into }, keys, at)
    for (const { sql, params } of statements) await tx.query(sql, params)
    return true
  })
}

/** A round looks at what was seen since the last ones, and at a few more of a tenant, from a random place on. */
const lately = 180_000
const mostInDoubt = 200
const mostOfAll = 50

/** Merges devices that were in doubt and are proved by now, and some of those that were split before. */
export async function mergeWhenProved(services: Services): Promise<void> {
  const { database, clock } = services
  const inDoubt = await inDoubtSince(database, clock.now() - lately, mostInDoubt)
  for (const { tenantId, id } of inDoubt) {
    const split = await splitOf({ tenantId, id }, services)
    if (split) await mergeDevices(tenantId, split, services)
  }
  const tenants = await listTenants(database)
  const tenant = tenants[Math.floor(Math.random() * tenants.length)]
  if (!tenant) return
  const merge = (split: Split) => mergeDevices(tenant.id, split, services)
  await healSplits(tenant.id, services, { merge, after: randomBytes(16), most: mostOfAll })
}
