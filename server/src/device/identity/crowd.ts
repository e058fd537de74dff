// Is one device so often new? A farm's phones look alike and come one after the other; one person seldom clears storage that often.

import type { Queryable } from '../../core/storage/database.ts'
import { isSameId } from '../../core/storage/uuid.ts'
import { installationsOfDevice, resemblingSince } from '../store/installations.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** More new installations of one device than these are a crowd: one within an hour, or two within a day. */
const mostOfHour = 0
const mostOfDay = 1
/** The highest confidence that a visit is of a device which may be a crowd. */
export const confidenceInCrowd = 0.6

/**
 * The highest confidence for a visit that resembles this device: below 1 when its installations may be of several devices.
 * @param own installation that the visit would be, which another tab of it may have stored
 */
export async function highestConfidence(
  database: Queryable,
  { tenantId, deviceId, now }: { tenantId: string; deviceId: Uint8Array; now: number },
  own: Uint8Array,
): Promise<number> {
  const [installations, resembling] = await Promise.all([
    installationsOfDevice(database, tenantId, deviceId),
    resemblingSince(database, tenantId, deviceId, now - dayMs),
  ])
  const others = installations.filter(({ id }) => !isSameId(id, own))
  const times = [...others.map(({ firstSeenAt }) => firstSeenAt), ...resembling]
  const newWithin = (time: number) => times.filter((at) => at > now - time).length
  return newWithin(hourMs) > mostOfHour || newWithin(dayMs) > mostOfDay ? confidenceInCrowd : 1
}
