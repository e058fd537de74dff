// What does a visit change in the store? A value that can be sealed and applied later, by the commit that stores the analysis.

import type { BatchStatement, Database } from '../../core/storage/database.ts'
import { isSameId, uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { type KeyTable, keyDeletes, keyInserts, keyTables } from '../store/device-keys.ts'
import {
  fingerprintDelete,
  type InstallationRow,
  installationDelete,
  installationInserts,
  installationUpdate,
  type Stage,
  stages,
} from '../store/installations.ts'
import { mostDevicesOfAKey } from './blocking-keys.ts'

/** Of one tenant. Bytes and plain values only, so that a push can bring it back. */
export interface InstallationChange {
  readonly tenantId: string
  readonly added?: AddedInstallation
  /** At most the installation itself, or the record that a visit resembles. */
  readonly changed?: ChangedInstallation
  /** Makes room for `added`. */
  readonly dropped?: DroppedInstallation
}

interface KeyChange {
  readonly table: KeyTable
  readonly added?: readonly number[]
  readonly removed?: readonly number[]
}

/** What a device resembled when it was new. */
export interface LikelyDevice {
  readonly deviceId: Uint8Array
  /** In thousandths. */
  readonly confidence: number
}

export interface AddedInstallation {
  readonly id: Uint8Array
  readonly deviceId: Uint8Array
  readonly keyHash?: Uint8Array
  readonly fingerprint?: Uint8Array
  readonly network?: number
  readonly stage: Stage
  readonly bySimilarity: boolean
  /** In thousandths, of a visit that resembled the device. */
  readonly confidence?: number
  readonly likely?: LikelyDevice | undefined
  readonly at: number
  readonly keys: readonly KeyChange[]
}

export interface ChangedInstallation {
  readonly id: Uint8Array
  readonly deviceId: Uint8Array
  readonly keyHash?: Uint8Array
  readonly fingerprint?: Uint8Array
  readonly stage: Stage
  readonly at: number
  /** When it was seen last as it was read. It is not changed if it was seen since. */
  readonly wasSeenAt: number
  readonly keys: readonly KeyChange[]
}

export interface DroppedInstallation {
  readonly id: Uint8Array
  readonly deviceId: Uint8Array
  /** Only its fingerprint is dropped: its key still identifies it when it returns. */
  readonly hasKey?: true
  readonly wasSeenAt: number
  readonly keys: readonly KeyChange[]
}

/** The table of the keys of an installation; none without keys. */
export const tableOf = (stage: Stage): KeyTable | undefined =>
  stage === stages.unlisted ? undefined : keyTables[stage === stages.established ? 0 : 1]

/** For a batch of the database. To apply a change again changes nothing. */
export function installationStatements({
  tenantId,
  added,
  changed,
  dropped,
}: InstallationChange): readonly BatchStatement[] {
  const statements: BatchStatement[] = []
  // Keys come first: their statements look whether the row is still as it was read.
  for (const [its, lastSeenAt] of [
    [added, -1],
    [changed, changed?.wasSeenAt],
    [dropped, dropped?.wasSeenAt],
  ] as const) {
    if (!its || lastSeenAt === undefined) continue
    const read = { tenantId, id: its.id, lastSeenAt }
    for (const { table, added: more = [], removed = [] } of its.keys) {
      statements.push(...keyInserts(table, its.deviceId, more, read, mostDevicesOfAKey))
      statements.push(...keyDeletes(table, its.deviceId, removed, read))
    }
  }
  if (dropped) {
    const drop = dropped.hasKey ? fingerprintDelete : installationDelete
    statements.push(drop(tenantId, dropped.id, dropped.wasSeenAt))
  }
  if (changed) {
    statements.push(installationUpdate(tenantId, { ...rowOf(changed), lastSeenAt: changed.at }, changed.wasSeenAt))
  }
  if (added) {
    const bySimilarity = added.bySimilarity ? 1 : 0
    const { at, confidence = null, likely } = added
    const resembled = { likelyDeviceId: likely?.deviceId ?? null, likelyConfidence: likely?.confidence ?? null }
    const row = { ...rowOf(added), bySimilarity, confidence, ...resembled, firstSeenAt: at, lastSeenAt: at } as const
    statements.push(...installationInserts(tenantId, row, added.network ?? null))
  }
  return statements
}

const rowOf = ({
  id,
  deviceId,
  keyHash,
  fingerprint,
  stage,
}: AddedInstallation | ChangedInstallation): Pick<
  InstallationRow,
  'id' | 'deviceId' | 'keyHash' | 'fingerprint' | 'stage'
> => ({
  id,
  deviceId,
  keyHash: keyHash ?? null,
  fingerprint: fingerprint ?? null,
  stage,
})

/** The same change when devices in it have other ids now. */
export function changeUnder(change: InstallationChange, ids: ReadonlyMap<string, string>): InstallationChange {
  const current = (id: Uint8Array) => {
    const other = ids.get(uuidText(id))
    return other === undefined ? id : uuidBytes(other)
  }
  const moved = <T extends { readonly deviceId: Uint8Array }>(its: T): T => ({
    ...its,
    deviceId: current(its.deviceId),
  })
  const { tenantId, added, changed, dropped } = change
  const likely = added?.likely && moved(added.likely)
  const ofAdded = added && moved(added)
  return {
    tenantId,
    ...(ofAdded && {
      added: {
        ...ofAdded,
        bySimilarity: ofAdded.bySimilarity || !isSameId(ofAdded.deviceId, added.deviceId),
        likely: likely && !isSameId(likely.deviceId, ofAdded.deviceId) ? likely : undefined,
      },
    }),
    ...(changed && { changed: moved(changed) }),
    ...(dropped && { dropped: moved(dropped) }),
  }
}

/** Stores a change alone. */
export const storeInstallation = (database: Pick<Database, 'batch'>, change: InstallationChange): Promise<void> =>
  database.batch(installationStatements(change))
