// What is known of a device beside this session? Its visits, whom it was used by, and how its sessions turned out.

import type { Platform } from '../../platform.ts'
import { isBad } from '../../rules/label.ts'
import type { StoredAnalysis } from '../../storage/device-analyses.ts'
import { labelsOfDevice } from '../../storage/device-labels.ts'
import { devicesOfAccountSince, firstVisitOf, visitsSince } from '../../storage/device-visits.ts'
import type { DevicePast } from '../scores/device-score.ts'
import { weights } from '../scores/weights.ts'
import type { WeightName } from '../signals/index.ts'
import { rememberedSince } from './retention.ts'
import { velocityOf, velocityWindows } from './velocity.ts'

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
  const [visits, devices, labels, firstVisitAt] = await Promise.all([
    visitsSince(database, deviceHash, since(sessionsSinceMs)),
    accountHash ? devicesOfAccountSince(database, accountHash, since(velocityWindows['7d'])) : [],
    labelsOfDevice(database, { tenantId, deviceHash }),
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
    badOutcomes: labels.filter(({ label }) => isBad(label)).map(({ knownAt }) => ({ at: knownAt })),
  }
}

/** One that an older or newer version weighed may have no weight here. */
const isWeighed = (name: string): name is WeightName => Object.hasOwn(weights, name)
