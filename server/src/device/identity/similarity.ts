// Which known devices resemble this visit, and is it one of them? Reads little, writes nothing.

import type { Core } from '../../core/core.ts'
import { priorModels, type TenantModels } from '../learning/tenant-models.ts'
import { type FoundInstallation, findCandidates } from '../store/device-keys.ts'
import { stages } from '../store/installations.ts'
import { blockingKeys, mostDevicesOfAKey } from './blocking-keys.ts'
import { confidenceOf, mostByFacts } from './confidence.ts'
import { type Candidate, type Decision, decide } from './decide.ts'
import { type Fingerprint, type KnownFingerprint, unpacked } from './fingerprint.ts'

/** A record of a known device. */
export interface SimilarRecord extends Omit<FoundInstallation, 'fingerprint' | 'shared'>, Candidate {
  readonly fingerprint: KnownFingerprint
}

export interface Similarity extends Decision<SimilarRecord> {
  /** All compared records, those of the devices with the rarest keys first. */
  readonly candidates: readonly SimilarRecord[]
  /** Those that were found; of a device with many, not all were compared. */
  readonly found: readonly FoundInstallation[]
}

/** Of a device, the oldest record is compared, which nobody else can push out, and this many of the newest. */
const newestRecords = 3

type Place = Pick<Core, 'database'> & { readonly tenantId: string; readonly salt: string }
type Judged = { readonly now: number; readonly models?: TenantModels }

/**
 * Compares a visit with the devices that share a key.
 * @param isExcluded records that are no candidates
 */
export async function findSimilar(
  visit: Fingerprint,
  { now, models: { models } = priorModels, ...place }: Place & Judged,
  isExcluded: (row: FoundInstallation) => boolean = () => false,
): Promise<Similarity> {
  const { keys, found, candidates, full } = await candidatesOf(visit, place, isExcluded)
  return { candidates, found, ...decide(visit, keys, candidates, full, now, models[visit.family]) }
}

/** The records that a visit is compared with. */
export async function candidatesOf(
  visit: Fingerprint,
  { database, tenantId, salt }: Place,
  isExcluded: (row: FoundInstallation) => boolean = () => false,
) {
  const keys = blockingKeys(visit, salt)
  const keyValues = keys.map(({ key }) => key)
  const { installations, ...full } = await findCandidates(database, tenantId, keyValues, mostDevicesOfAKey)
  const found = installations.filter((row) => !isExcluded(row))
  const candidates = [...Map.groupBy(found, ({ deviceId }) => hexOf(deviceId))].flatMap(([id, its]) => {
    const isEstablished = its.some(({ stage }) => stage === stages.established)
    const firstSeenAt = Math.min(...its.map((one) => one.firstSeenAt))
    const lastSeenAt = Math.max(...its.map((one) => one.lastSeenAt))
    const device = { id, isEstablished, firstSeenAt, lastSeenAt }
    return compared(its).map((one) => ({ ...one, fingerprint: unpacked(one.fingerprint), device }))
  })
  return { keys, found, candidates, full }
}

/** That a visit is of the device that was chosen, by its facts alone. */
export function probabilityOf(
  visit: Fingerprint,
  { logOdds, limit }: Pick<Decision<unknown>, 'logOdds' | 'limit'>,
  { sure }: Pick<TenantModels, 'sure'> = priorModels,
): number {
  return Math.min(limit, mostByFacts(visit), sure(visit, confidenceOf(visit, 'known', logOdds)))
}

/** The oldest record, then those that returned, then the newest: of those that came once, anyone can make many. */
function compared(its: readonly FoundInstallation[]): readonly FoundInstallation[] {
  if (its.length <= newestRecords + 1) return its
  const [oldest, ...others] = its.toSorted((a, b) => a.firstSeenAt - b.firstSeenAt)
  others.sort((a, b) => b.stage - a.stage || b.lastSeenAt - a.lastSeenAt)
  return [oldest!, ...others.slice(0, newestRecords)]
}

const hexOf = (id: Uint8Array) => Buffer.from(id).toString('hex')
