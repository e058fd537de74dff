// What does a visit teach about its installation? Its own fingerprint changes by its own visits only, never by those that resemble it.

import type { Core } from '../../core/core.ts'
import { isSameId } from '../../core/storage/uuid.ts'
import type { TenantModels } from '../learning/tenant-models.ts'
import { type InstallationRow, installationsOfDevice, type Stage, stages } from '../store/installations.ts'
import { keysOfDevice } from './blocking-keys.ts'
import { place } from './components.ts'
import { changesBetween, type Fingerprint, type KnownFingerprint, packed, unpacked, updated } from './fingerprint.ts'
import {
  type AddedInstallation,
  type ChangedInstallation,
  type InstallationChange,
  type LikelyDevice,
  tableOf,
} from './installation-change.ts'
import type { Similarity, SimilarRecord } from './similarity.ts'

/** What is known of one visit. */
export interface Seen {
  readonly tenantId: string
  readonly salt: string
  readonly now: number
  readonly fingerprint: Fingerprint
  /** It lacks most of the facts that matter, so it must not replace what is known, and others are never matched to it. */
  readonly isPoor: boolean
  /** The tenant's. */
  readonly models: TenantModels
  /** Of the key that the visit proved. */
  readonly keyHash?: Uint8Array
}

/** An unchanged installation is not written more often than this. */
const rewriteMs = 600_000
/** A device with two visits this far apart is established. */
const establishedMs = 86_400_000
/** Of a device's own records by visits that resembled it, and that never returned, so many are stored. */
const mostOnce = 3

const firstRecord = (fingerprint: Fingerprint): KnownFingerprint => ({ ...fingerprint, previous: new Map() })

/** A visit of this installation. `bind`: from now on it has the key of the visit. */
export async function changeOfKnown(
  row: InstallationRow,
  seen: Seen,
  bind: boolean,
  { database }: Pick<Core, 'database'>,
): Promise<{ change?: InstallationChange; changes: readonly string[] }> {
  const { fingerprint: visit, now, tenantId } = seen
  const before = row.fingerprint ? unpacked(row.fingerprint) : undefined
  const changes = before ? changesBetween(before, visit) : []
  const isDue = now >= row.lastSeenAt + rewriteMs
  // A record that only resembled another one becomes its own when it returns.
  const learns = !seen.isPoor && (before !== undefined || row.bySimilarity === 0 || isDue)
  const after = learns ? (before ? updated(before, visit) : firstRecord(visit)) : before
  const bytes = after && packed(after)
  const isChanged = after !== undefined && (before === undefined || (learns && isUpdate(before, visit)))
  const stage = learns ? stageAfter(row, now) : row.stage
  if (!isChanged && !bind && !isDue && stage === row.stage) return { changes }
  const keyHash = row.keyHash ?? (bind ? seen.keyHash : undefined)
  const keys = isChanged || stage !== row.stage ? keyChanges(row, before, after, stage, seen.salt) : []
  return {
    changes,
    change: {
      tenantId,
      changed: {
        ...idsOf(row),
        ...(keyHash && { keyHash: keyHash }),
        ...(bytes && { fingerprint: bytes }),
        stage,
        at: Math.max(now, row.lastSeenAt),
        wasSeenAt: row.lastSeenAt,
        keys: await withoutSiblings(row, keys),
      },
    },
  }

  /** Keys are those of the device: another installation may still have one that this one lost. */
  async function withoutSiblings(of: InstallationRow, its: ChangedInstallation['keys']) {
    if (!its.some(({ removed = [] }) => removed.length > 0)) return its
    const siblings = (await installationsOfDevice(database, tenantId, of.deviceId)).filter(
      ({ id }) => !isSameId(id, of.id),
    )
    const theirs = keysOfRows(siblings, seen.salt)
    return its.map(({ removed = [], ...rest }) => ({ ...rest, removed: removed.filter((key) => !theirs.has(key)) }))
  }
}

function stageAfter(row: Pick<InstallationRow, 'stage' | 'firstSeenAt' | 'fingerprint'>, now: number): Stage {
  if (now >= row.firstSeenAt + establishedMs) return stages.established
  return row.fingerprint ? row.stage : stages.new
}

/** Moves the keys with the stage; within one stage, stores those that are new and removes those that are gone. */
function keyChanges(
  { stage: was }: InstallationRow,
  before: KnownFingerprint | undefined,
  after: KnownFingerprint | undefined,
  stage: Stage,
  salt: string,
): ChangedInstallation['keys'] {
  const [from, to] = [tableOf(was), tableOf(stage)]
  const old = before && from ? keysOfDevice(before, salt) : new Set<number>()
  const now = after && to ? keysOfDevice(after, salt) : new Set<number>()
  if (to === undefined) return []
  if (from === to) return [{ table: to, added: [...now.difference(old)], removed: [...old.difference(now)] }]
  return [{ table: to, added: [...now] }, ...(from ? [{ table: from, removed: [...old.union(now)] }] : [])]
}

/** A visit that resembles this record: a new installation of its device. `probability`: that it is of this device. */
export function changeOfSimilar(
  record: SimilarRecord,
  { found }: Pick<Similarity, 'found'>,
  { installationId, probability }: { installationId: Uint8Array; probability: number },
  seen: Seen,
): InstallationChange {
  const { tenantId, salt, now, fingerprint: visit } = seen
  const after = !seen.isPoor && addsTo(record.fingerprint, visit) ? updated(record.fingerprint, visit) : undefined
  const fresh = after ? keysOfDevice(after, salt).difference(keysOfDevice(record.fingerprint, salt)) : new Set<number>()
  const added: AddedInstallation = {
    id: installationId,
    deviceId: record.deviceId,
    ...(seen.keyHash && { keyHash: seen.keyHash }),
    ...(after && { fingerprint: packed(after) }),
    stage: after ? stages.new : stages.unlisted,
    bySimilarity: true,
    confidence: Math.round(probability * 1000),
    likely: likelyIn(record),
    at: now,
    keys: fresh.size > 0 ? [{ table: 'new_device_key', added: [...fresh] }] : [],
  }
  const changed = touched(record, seen)
  const dropped = after && surplusOf(record, found, fresh, salt)
  return { tenantId, added, ...(changed && { changed }), ...(dropped && { dropped }) }
}

/** Whether a visit differs from the record. A window alone does not count: it moves all the time. */
const isUpdate = (known: KnownFingerprint, visit: Fingerprint) =>
  visit.platformKey !== 0 &&
  visit.hashes.some((hash, its) => its !== place.window && hash !== 0 && hash !== known.hashes[its])

/** Whether a visit shows what the record has never known. */
const addsTo = (known: KnownFingerprint, visit: Fingerprint) =>
  visit.hashes.some(
    (hash, its) =>
      its !== place.window && hash !== 0 && hash !== known.hashes[its] && !known.previous.get(its)?.includes(hash),
  )

/** The record that was resembled: its device was seen again. */
function touched(record: SimilarRecord, { now, salt }: Seen): ChangedInstallation | undefined {
  const row: InstallationRow = { ...record, fingerprint: packed(record.fingerprint) }
  const stage = stageAfter(row, now)
  if (stage === row.stage && now < row.lastSeenAt + rewriteMs) return undefined
  return {
    ...idsOf(row),
    ...(row.keyHash && { keyHash: row.keyHash }),
    fingerprint: row.fingerprint!,
    stage,
    at: Math.max(now, row.lastSeenAt),
    wasSeenAt: row.lastSeenAt,
    keys: stage === row.stage ? [] : keyChanges(row, record.fingerprint, record.fingerprint, stage, salt),
  }
}

/** Of the fingerprints that were seen only once, the one that was seen longest ago makes room. */
function surplusOf(
  record: SimilarRecord,
  found: Similarity['found'],
  fresh: ReadonlySet<number>,
  salt: string,
): InstallationChange['dropped'] {
  const ofDevice = found.filter(({ deviceId }) => isSameId(deviceId, record.deviceId))
  const once = ofDevice.filter(
    ({ id, fingerprint, bySimilarity, firstSeenAt, lastSeenAt }) =>
      fingerprint && bySimilarity === 1 && firstSeenAt === lastSeenAt && !isSameId(id, record.id),
  )
  if (once.length < mostOnce) return undefined
  const oldest = once.reduce((first, one) => (one.lastSeenAt < first.lastSeenAt ? one : first))
  const table = tableOf(oldest.stage)
  const needed = keysOfRows(
    ofDevice.filter((one) => one !== oldest),
    salt,
  ).union(fresh)
  return {
    ...idsOf(oldest),
    ...(oldest.keyHash && { hasKey: true as const }),
    wasSeenAt: oldest.lastSeenAt,
    keys: table ? [{ table, removed: [...keysOfRows([oldest], salt).difference(needed)] }] : [],
  }
}

/** The first visit of a device. `isListed`: others can be matched to it. `likely`: what it resembles. */
export function changeOfNew(
  ids: { installation: Uint8Array; device: Uint8Array; isFirst: boolean; likely?: LikelyDevice | undefined },
  seen: Seen,
  isListed: boolean,
): InstallationChange {
  const { tenantId, salt, now, fingerprint, keyHash } = seen
  const known = seen.isPoor ? undefined : firstRecord(fingerprint)
  const network = networkOf(fingerprint)
  const keys = known && isListed ? [...keysOfDevice(known, salt)] : []
  return {
    tenantId,
    added: {
      id: ids.installation,
      deviceId: ids.device,
      ...(keyHash && { keyHash: keyHash }),
      ...(known && { fingerprint: packed(known) }),
      ...(network !== undefined && { network }),
      stage: known && isListed ? stages.new : stages.unlisted,
      bySimilarity: !ids.isFirst,
      likely: ids.likely,
      at: now,
      keys: keys.length > 0 ? [{ table: 'new_device_key', added: keys }] : [],
    },
  }
}

/** What the device of an installation resembled when it was new. */
export const likelyIn = ({
  deviceId,
  likelyDeviceId,
  likelyConfidence,
}: Pick<InstallationRow, 'deviceId' | 'likelyDeviceId' | 'likelyConfidence'>): LikelyDevice | undefined =>
  likelyDeviceId && !isSameId(likelyDeviceId, deviceId)
    ? { deviceId: likelyDeviceId, confidence: likelyConfidence ?? 0 }
    : undefined

/** A keyed hash of the visit's network; undefined when the IP address is unknown. */
export const networkOf = ({ hashes }: Fingerprint): number | undefined => hashes[place.network] || undefined

const idsOf = ({ id, deviceId }: Pick<InstallationRow, 'id' | 'deviceId'>) => ({
  id: id,
  deviceId: deviceId,
})

/** None for a fingerprint in an unknown format. Keys without a device do no harm. */
export function keysOfRows(rows: readonly Pick<InstallationRow, 'fingerprint'>[], salt: string): Set<number> {
  const keys = new Set<number>()
  for (const { fingerprint } of rows) {
    try {
      if (fingerprint) for (const key of keysOfDevice(unpacked(fingerprint), salt)) keys.add(key)
    } catch {}
  }
  return keys
}
