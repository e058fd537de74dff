// Is one device so often new? A farm's phones look alike and come one after the other; one person seldom clears storage that often.

import type { Queryable } from '../../core/storage/database.ts'
import { installationsOfDevice } from '../store/installations.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** More new installations of one device than these are a crowd: one within an hour, or two within a day. */
const mostOfHour = 0
const mostOfDay = 1
/** The highest confidence that a visit is of a device which may be a crowd. */
export const confidenceInCrowd = 0.6

/** The highest confidence for a visit that resembles this device: below 1 when its installations may be of several devices. */
export async function highestConfidence(
  database: Queryable,
  { tenantId, deviceId, now }: { tenantId: string; deviceId: Uint8Array; now: number },
): Promise<number> {
  const installations = await installationsOfDevice(database, tenantId, deviceId)
  const newWithin = (time: number) => installations.filter(({ firstSeenAt }) => firstSeenAt > now - time).length
  return newWithin(hourMs) > mostOfHour || newWithin(dayMs) > mostOfDay ? confidenceInCrowd : 1
}
