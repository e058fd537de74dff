// What is known of a device beside this session? Its visits, whom it was used by, and how its sessions turned out.

import type { TenantKeys } from '../../keyring.ts'
import type { Platform } from '../../platform.ts'
import { isBad } from '../../rules/label.ts'
import type { StoredAnalysis } from '../../storage/device-analyses.ts'
import { outcomesOfDevice } from '../../storage/device-outcomes.ts'
import { devicesOfAccountSince, firstVisitOf, visitsSince } from '../../storage/device-visits.ts'
import type { DevicePast } from '../scores/device-score.ts'
import { sessionWeights, type WeighedSignal } from '../scores/session-score.ts'
import { rememberedSince } from '../stored.ts'
import type { UpdateInfo } from '../update-info.ts'
import { velocityOf, velocityWindows } from '../velocity.ts'

export interface KnownPast extends DevicePast {
  /** Epoch milliseconds; undefined for a device that was never seen. */
  readonly firstVisitAt: number | undefined
}

/** A visit whose report is being made, of a device that is known. */
export type ThisVisit = Omit<StoredAnalysis, 'deviceHash'> & { readonly deviceHash: Uint8Array }

/** Older sessions weigh next to nothing: four half-lives. */
const sessionsSinceMs = 28 * 86_400_000

/** The past of a device at the moment of a visit, which counts for velocity. */
export async function pastOf(
  visit: ThisVisit,
  { database, settings }: Pick<Platform, 'database' | 'settings'>,
): Promise<KnownPast> {
  const { tenantId, deviceHash, accountHash, analysedAt: now } = visit
  const remembered = rememberedSince(now, settings)
  const since = (ms: number) => Math.max(now - ms, remembered - 1)
  // Asked in one turn, so that they share a look into the store.
  const [visits, devices, outcomes, firstVisitAt] = await Promise.all([
    visitsSince(database, deviceHash, since(sessionsSinceMs)),
    accountHash ? devicesOfAccountSince(database, accountHash, since(velocityWindows['7d'])) : [],
    outcomesOfDevice(database, { tenantId, deviceHash }),
    firstVisitOf(database, deviceHash, remembered - 1),
  ])
  const others = devices.filter((device) => Buffer.compare(device.deviceHash, deviceHash) !== 0)
  return {
    firstVisitAt,
    sessions: visits.map(({ visitedAt, signals }) => ({
      at: visitedAt,
      signals: signals.split(' ').filter(isWeighed),
    })),
    velocity: velocityOf({
      visits: [...visits, { ...visit, visitedAt: now }],
      devices: accountHash ? [...others, { lastVisitAt: now }] : [],
      now,
    }),
    badOutcomes: outcomes.filter(({ outcome }) => isBad(outcome)).map(({ knownAt }) => ({ at: knownAt })),
  }
}

/** One that an older or newer version weighed may have no weight here. */
const isWeighed = (name: string): name is WeighedSignal => Object.hasOwn(sessionWeights, name)

/** A device in its history, as 8 bytes of a keyed hash: its id stands nowhere in clear. */
export const deviceHashOf = (deviceId: string, keys: TenantKeys): Uint8Array => shortHash(`device ${deviceId}`, keys)

/** The phone number of a session, whichever way it was written; undefined where there is none. */
export const digitsOf = ({ phoneNumber }: Pick<UpdateInfo, 'phoneNumber'>): string | undefined =>
  phoneNumber?.replaceAll(/\D/g, '') || undefined

/** The person of a session, as keyed hashes: an account by the app's own id, a number by its digits. */
export function personOf(
  { userId, ...updateInfo }: UpdateInfo,
  keys: TenantKeys,
): Pick<StoredAnalysis, 'accountHash' | 'numberHash'> {
  const digits = digitsOf(updateInfo)
  return {
    accountHash: userId ? shortHash(`account ${userId}`, keys) : null,
    numberHash: digits ? shortHash(`number ${digits}`, keys) : null,
  }
}

const shortHash = (text: string, keys: TenantKeys): Uint8Array => keys.hash(text).subarray(0, 8)
