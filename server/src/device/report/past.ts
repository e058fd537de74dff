// What is known of a device beside this session? Its visits, whom it was used by, and how its sessions turned out.

import type { TenantKeys } from '../../keyring.ts'
import type { Platform } from '../../platform.ts'
import { isBad } from '../../rules/label.ts'
import { outcomesOfDevice } from '../../storage/device-outcomes.ts'
import { type DeviceVisit, devicesOfAccountSince, firstVisitOf, visitsSince } from '../../storage/device-visits.ts'
import type { DevicePast } from '../scores/device-score.ts'
import { sessionWeights, type WeighedSignal } from '../scores/session-score.ts'
import type { UpdateInfo } from '../update-info.ts'
import { velocityOf, velocityWindows } from '../velocity.ts'

export interface KnownPast extends DevicePast {
  /** Epoch milliseconds; undefined for a device that was never seen. */
  readonly firstVisitAt: number | undefined
}

/** Older sessions weigh next to nothing: four half-lives. */
const sessionsSinceMs = 28 * 86_400_000

/** The past of a device at the moment of a visit, which counts for velocity. */
export async function pastOf(visit: DeviceVisit, { database }: Pick<Platform, 'database'>): Promise<KnownPast> {
  const { tenantId, deviceHash, accountHash, visitedAt: now } = visit
  // Asked in one turn, so that they share a look into the store.
  const [kept, devices, outcomes, firstVisitAt] = await Promise.all([
    visitsSince(database, visit, now - sessionsSinceMs),
    accountHash ? devicesOfAccountSince(database, { tenantId, accountHash }, now - velocityWindows['7d']) : [],
    outcomesOfDevice(database, visit),
    firstVisitOf(database, visit),
  ])
  // A push that ended before its report was kept has left this visit.
  const visits = kept.filter(({ dfrId }) => dfrId !== visit.dfrId)
  const others = devices.filter((device) => Buffer.compare(device.deviceHash, deviceHash) !== 0)
  return {
    firstVisitAt: firstVisitAt === now && visits.length < kept.length ? undefined : firstVisitAt,
    sessions: visits.map(({ visitedAt, signals }) => ({
      at: visitedAt,
      signals: signals.split(' ').filter(isWeighed),
    })),
    velocity: velocityOf({
      visits: [...visits, visit],
      devices: accountHash ? [...others, { lastVisitAt: now }] : [],
      now,
    }),
    badOutcomes: outcomes.filter(({ outcome }) => isBad(outcome)).map(({ knownAt }) => ({ at: knownAt })),
  }
}

/** One that an older or newer version weighed may have no weight here. */
const isWeighed = (name: string): name is WeighedSignal => Object.hasOwn(sessionWeights, name)

/** A device in its history: its id stands nowhere in clear. */
export const deviceHashOf = (deviceId: string, keys: TenantKeys): Uint8Array => keys.hash(`device ${deviceId}`)

/** The phone number of a session, whichever way it was written; undefined where there is none. */
export const digitsOf = ({ phoneNumber }: Pick<UpdateInfo, 'phoneNumber'>): string | undefined =>
  phoneNumber?.replaceAll(/\D/g, '') || undefined

/** The person of a session, as keyed hashes: an account by the app's own id, a number by its digits. */
export function personOf(
  { userId, ...updateInfo }: UpdateInfo,
  keys: TenantKeys,
): Pick<DeviceVisit, 'accountHash' | 'numberHash'> {
  const digits = digitsOf(updateInfo)
  return {
    accountHash: userId ? keys.hash(`account ${userId}`) : null,
    numberHash: digits ? keys.hash(`number ${digits}`) : null,
  }
}
