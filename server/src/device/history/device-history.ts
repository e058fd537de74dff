// What happened on this device before this session? Its visits, its accounts, and the labels of its sessions.

import type { Platform } from '../../platform.ts'
import { isBad } from '../../rules/label.ts'
import type { AnalysisColumns } from '../../storage/device-analyses.ts'
import { labelsOfDevice } from '../../storage/device-labels.ts'
import { devicesOfAccountSince, firstVisitOf, visitsSince } from '../../storage/device-visits.ts'
import type { DeviceHistory } from '../scores/device-score.ts'
import { weights } from '../scores/weights.ts'
import type { WeightName } from '../signals/index.ts'
import { historySince } from './retention.ts'
import { velocityOf, velocityWindows } from './velocity.ts'

export interface KnownHistory extends DeviceHistory {
  /** Epoch milliseconds; undefined for a new device. */
  readonly firstVisitAt: number | undefined
}

/** The visit whose report is being made. */
export type ThisVisit = Omit<AnalysisColumns, 'deviceHash'> & { readonly deviceHash: Uint8Array }

/** Four half-lives: older sessions have almost no weight. */
const sessionsSinceMs = 28 * 86_400_000

/** The history of a device at the moment of a visit. The visit itself counts for velocity. */
export async function historyOf(
  visit: ThisVisit,
  { database, settings }: Pick<Platform, 'database' | 'settings'>,
): Promise<KnownHistory> {
  const { tenantId, deviceHash, accountHash, analysedAt: now } = visit
  const historyStart = historySince(now, settings)
  const since = (ms: number) => Math.max(now - ms, historyStart - 1)
  // Queried in one turn of the event loop, so that they share one read transaction.
  const [visits, devices, labels, firstVisitAt] = await Promise.all([
    visitsSince(database, deviceHash, since(sessionsSinceMs)),
    accountHash ? devicesOfAccountSince(database, accountHash, since(velocityWindows['7d'])) : [],
    labelsOfDevice(database, { tenantId, deviceHash }),
    firstVisitOf(database, deviceHash, historyStart - 1),
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
    badLabels: labels.filter(({ label }) => isBad(label)).map(({ knownAt }) => ({ at: knownAt })),
  }
}

/** Another version of the server may have stored a signal that has no weight here. */
const isWeighed = (name: string): name is WeightName => Object.hasOwn(weights, name)
