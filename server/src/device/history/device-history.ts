// What happened on this device before this session, and what of it counts for this installation?

import type { Core } from '../../core/core.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { isSameId, uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import type { Likely } from '../identity/identification.ts'
import type { DeviceHistory } from '../scores/device-score.ts'
import { weights } from '../scores/weights.ts'
import type { WeightName } from '../signals/index.ts'
import { visitsOfAccount } from '../store/account-devices.ts'
import type { AnalysisColumns } from '../store/device-analyses.ts'
import { findHistory, wholeDevice } from '../store/device-history.ts'
import { badLabelsOf } from '../store/labels/device-labels.ts'
import { type LikelyHistory, likelyHistoryOf, phonesLike } from '../store/likely-history.ts'
import { type HistoryChange, readHistory, rowOfInstallation } from './history-change.ts'
import { historySince } from './retention.ts'
import { joined, longestMs, ofHash, ofText, type Seen, type SeenValues, unpacked } from './seen-values.ts'
import { type Velocity, velocityOf, velocityWindows } from './velocity.ts'

export interface KnownHistory extends DeviceHistory {
  /** Epoch milliseconds; undefined for a new device. */
  readonly firstVisitAt: number | undefined
  /** Of the device that this one resembled when it was new. */
  readonly likely?: Resembled
}

/** What is known of a device that another one resembles, with what the other one shows. */
export interface Resembled extends Pick<LikelyHistory, 'badReports'> {
  readonly deviceId: string
  readonly confidence: number
  readonly newDevices24h: number
  readonly velocity: Velocity
}

/** The visit whose report is being made. */
export type ThisVisit = Omit<AnalysisColumns, 'deviceHash'> & {
  readonly deviceHash: Uint8Array
  readonly deviceId: string
  readonly likely?: (Likely & { hashOf(deviceId: string): Uint8Array }) | undefined
}

/** The history of a device at the moment of a visit, and what the visit adds to it. The visit itself counts for velocity. */
export async function historyOf(
  visit: ThisVisit,
  { database, settings }: Pick<Core, 'database' | 'settings'>,
): Promise<{ history: KnownHistory; change: HistoryChange }> {
  const { deviceHash, accountHash, analysedAt: now, likely } = visit
  const installationHash = visit.installationHash ?? wholeDevice
  const historyStart = historySince(now, settings) - 1
  // Queried in one turn of the event loop, so that they share one read transaction.
  const [rows, devices, resembled] = await Promise.all([
    findHistory(database, deviceHash, installationHash),
    accountHash ? visitsOfAccount(database, accountHash, now - velocityWindows['7d']) : [],
    likely && likelyHistory(likely, visit, database),
  ])
  const since = labelsCountBefore(visit, rowOfInstallation(rows, visit.installationHash)?.firstAt)
  const labels = await badLabelsOf(database, deviceHash, { installationHash, since })
  const read = readHistory(rows, visit, seenAt(visit), now)
  const others = devices.filter(({ deviceId }) => !isSameId(deviceId, uuidBytes(visit.deviceId)))
  const velocity = (seen: SeenValues) =>
    velocityOf({
      seen,
      devices: accountHash ? [...others, { lastSeenAt: now }] : [],
      now,
      since: historyStart,
    })
  return {
    history: {
      firstVisitAt: read.firstAt,
      signals: signalsIn(read.ownBefore, Math.max(now - longestMs, historyStart)),
      velocity: velocity(read.own),
      badLabels: labels.own.map((at) => ({ at })),
      linked: { badReports: labels.linked, velocity: velocity(read.device) },
      ...(likely && resembled && { likely: resemblance(likely, resembled, velocity, read.own) }),
    },
    change: read.change,
  }
}

/**
 * Sessions of any installation before this time count as its own. A copy of a phone’s ids is like the phone, unless its hardware
 * attests the key, and a key that was made in advance washes nothing.
 */
function labelsCountBefore({ attested, analysedAt }: ThisVisit, firstAt = analysedAt): number {
  if (attested == null) return firstAt
  return attested === 1 ? 0 : analysedAt + 1
}

async function likelyHistory(
  { deviceId, hashOf }: NonNullable<ThisVisit['likely']>,
  { tenantId, deviceId: own, attested, analysedAt }: ThisVisit,
  database: Queryable,
): Promise<LikelyHistory> {
  const id = uuidBytes(deviceId)
  const phones = attested == null ? [] : await phonesLike(database, tenantId, id)
  const others = phones
    .map(uuidText)
    .filter((each) => each !== own)
    .map(hashOf)
  const place = { tenantId, deviceId: id, deviceHash: hashOf(deviceId), others }
  return likelyHistoryOf(database, place, analysedAt - velocityWindows['24h'])
}

const resemblance = (
  { deviceId, confidence }: Likely,
  { seen, badReports, newDevices: newDevices24h }: LikelyHistory,
  velocity: (seen: SeenValues) => Velocity,
  own: SeenValues,
): Resembled => ({
  ...{ deviceId, confidence, badReports, newDevices24h },
  velocity: velocity(seen ? joined(unpacked(seen), own) : own),
})

/** What a visit shows. Its account and number are hints of the page. */
export const seenAt = ({
  accountHash,
  numberHash,
  country,
  signals,
}: Pick<AnalysisColumns, 'accountHash' | 'numberHash' | 'country' | 'signals'>): Seen[] => [
  ...(accountHash ? [{ kind: 'hintedAccount', value: ofHash(accountHash) } as const] : []),
  ...(numberHash ? [{ kind: 'hintedNumber', value: ofHash(numberHash) } as const] : []),
  ...(country ? [{ kind: 'country', value: ofText(country) } as const] : []),
  ...signals.split(' ').flatMap((name) => (name ? [{ kind: 'signal', value: ofText(name) } as const] : [])),
]

const nameOfSignal = new Map(Object.keys(weights).map((name) => [ofText(name), name as WeightName]))

/** When each signal fired last. Another version of the server may have stored a signal that has no weight here. */
function signalsIn({ signal }: SeenValues, since: number): Map<WeightName, number> {
  const found = [...signal].flatMap(([value, at]) => {
    const name = nameOfSignal.get(value)
    return name && at > since ? [[name, at] as const] : []
  })
  return new Map(found)
}
