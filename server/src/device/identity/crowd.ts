// Is one device so often new? A farm's phones look alike and come one after the other; one person seldom clears storage that often.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { installationsOfDevice, unlessNewInstallations } from '../store/installations.ts'
import type { AddedInstallation } from './installation-change.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** More new installations of one device than these are a crowd. */
const mostNew = [
  { withinMs: hourMs, most: 0 },
  { withinMs: dayMs, most: 1 },
] as const
/** The highest confidence that a visit is of a device which may be a crowd. */
export const confidenceInCrowd = 0.6

/** The highest confidence for a visit that resembles this device: below 1 when its installations may be of several devices. */
export async function highestConfidence(
  database: Queryable,
  { tenantId, deviceId, now }: { tenantId: string; deviceId: Uint8Array; now: number },
): Promise<number> {
  const installations = await installationsOfDevice(database, tenantId, deviceId)
  const isCrowd = mostNew.some(
    ({ withinMs, most }) => installations.filter(({ firstSeenAt }) => firstSeenAt > now - withinMs).length > most,
  )
  return isCrowd ? confidenceInCrowd : 1
}

/** The same as a condition of the commit that adds the installation. */
export function unlessCrowd(
  tenantId: string,
  { at, ...added }: Pick<AddedInstallation, 'id' | 'deviceId' | 'at'>,
): BatchStatement {
  const [hour, day] = mostNew.map(({ withinMs, most }) => ({ since: at - withinMs, most }))
  return unlessNewInstallations(tenantId, added, [hour!, day!])
}
