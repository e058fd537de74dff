// Whose history is it? A visit is written to its own installation and to the device; a new installation inherits the whole device.

import type { BatchStatement } from '../../core/storage/database.ts'
import { type HistoryRow, historyStatement, wholeDevice } from '../store/device-history.ts'
import { nothingSeen, packed, rewriteMs, type Seen, type SeenValues, unpacked, withSeen } from './seen-values.ts'

/** What a visit writes; empty when nothing changed. */
export type HistoryChange = readonly HistoryRow[]

/** Which installation is seen. Without an `installationHash`, it is one that never returns. */
export interface SeenPlace {
  readonly deviceHash: Uint8Array
  readonly installationHash: Uint8Array | null
}

/** The history of a device, of which `own` counts for this installation. */
export interface ReadHistory {
  /** What this installation did, and what its device had done before it appeared. This visit is included. */
  readonly own: SeenValues
  readonly device: SeenValues
  /** Before this visit. */
  readonly ownBefore: SeenValues
  /** When the device was first seen; undefined for a new one. */
  readonly firstAt: number | undefined
  readonly change: HistoryChange
}

/**
 * The history of an installation after it was seen at this time with these values.
 *
 * The first installation shares the row of its device. A second one splits the two: each then has a row, and starts with what the
 * device has so far. Nothing that an installation does later reaches the row of another one.
 */
export function readHistory(
  rows: readonly HistoryRow[],
  { deviceHash, installationHash }: SeenPlace,
  seen: readonly Seen[],
  at: number,
): ReadHistory {
  const stored = rows.find((row) => row.installationHash.length === 0)
  const sole = stored?.soleInstallationHash
  const isSole = stored ? isSame(sole, installationHash) : installationHash !== null
  const ownRow = rowOfInstallation(rows, installationHash)
  const deviceBefore = stored ? unpacked(stored.seen) : nothingSeen
  const ownBefore = ownRow && ownRow !== stored ? unpacked(ownRow.seen) : deviceBefore
  const device = withSeen(deviceBefore, seen, at)
  const own = isSole ? device : withSeen(ownBefore, seen, at)
  const rowOf = (hash: Uint8Array, before: HistoryRow | undefined, firstAt: number, after: SeenValues): HistoryRow => ({
    deviceHash,
    installationHash: hash,
    soleInstallationHash: null,
    firstAt: before?.firstAt ?? firstAt,
    lastAt: Math.max(at, before?.lastAt ?? at),
    seen: packed(after),
    version: (before?.version ?? 0) + 1,
  })

  const change: HistoryRow[] = []
  const isSplit = sole != null && !isSole
  if (!stored || isSplit || device !== deviceBefore || isStale(stored, at)) {
    const row = rowOf(wholeDevice, stored, at, device)
    change.push({ ...row, soleInstallationHash: isSole ? installationHash : null })
  }
  if (stored && isSplit) change.push({ ...stored, installationHash: sole, soleInstallationHash: null, version: 1 })
  if (!isSole && installationHash && (!ownRow || own !== ownBefore || isStale(ownRow, at))) {
    change.push(rowOf(installationHash, ownRow, at, own))
  }
  return {
    own,
    device,
    ownBefore,
    firstAt: stored?.firstAt,
    change,
  }
}

/** The row that counts for an installation; undefined when it is new. */
export const rowOfInstallation = (
  rows: readonly HistoryRow[],
  hash: SeenPlace['installationHash'],
): HistoryRow | undefined =>
  rows.find((row) => isSame(row.soleInstallationHash, hash) || isSame(row.installationHash, hash))

const isStale = ({ lastAt }: HistoryRow, at: number) => lastAt + rewriteMs <= at

const isSame = (a: Uint8Array | null | undefined, b: Uint8Array | null) =>
  a != null && b !== null && Buffer.compare(a, b) === 0

/**
 * Writes a change, in the commit of whatever caused it. When another call changed the history first, the commit fails with
 * `ConditionFailed`: read the history again.
 */
export const historyStatements = (change: HistoryChange): BatchStatement[] => change.map(historyStatement)

/** Whether two changes follow the same stored rows. */
export const isSameChange = (a: HistoryChange, b: HistoryChange): boolean =>
  a.length === b.length &&
  a.every((row, index) => row.version === b[index]!.version && isSame(row.installationHash, b[index]!.installationHash))
