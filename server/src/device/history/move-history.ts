// What happens to the history of two devices that are one? Each installation keeps its own; the device has seen what both have seen.

import type { Queryable } from '../../core/storage/database.ts'
import { deleteHistory, type HistoryRow, historyStatement, wholeDevice } from '../store/device-history.ts'
import { historyRowsOf, moveVisits } from '../store/moved-devices.ts'
import { joined, nothingSeen, packed, unpacked } from './seen-values.ts'

/** Moves visits, labels and history of a device to another one, by keyed hashes of their ids. In a transaction. */
export async function moveHistory(tx: Queryable, from: Uint8Array, to: Uint8Array): Promise<void> {
  await moveVisits(tx, from, to)
  const [moved, kept] = [await historyRowsOf(tx, from), await historyRowsOf(tx, to)]
  if (moved.length === 0) return
  await deleteHistory(tx, from)
  const rows = [...kept, ...moved]
  const whole = rows.filter(({ installationHash }) => installationHash.length === 0)
  const ofDevice: HistoryRow = {
    deviceHash: to,
    installationHash: wholeDevice,
    soleInstallationHash: null,
    firstAt: Math.min(...rows.map(({ firstAt }) => firstAt)),
    lastAt: Math.max(...rows.map(({ lastAt }) => lastAt)),
    seen: packed(whole.map(({ seen }) => unpacked(seen)).reduce(joined, nothingSeen)),
    version: 1,
  }
  // The only installation of a device shares its row; now there are several.
  const sole = whole.flatMap((row) =>
    row.soleInstallationHash ? [{ ...row, installationHash: row.soleInstallationHash }] : [],
  )
  const others = moved.filter(({ installationHash }) => installationHash.length > 0)
  const own = [...sole, ...others].map((row) => ({
    ...row,
    deviceHash: to,
    soleInstallationHash: null,
    version: versionAfter(kept, row.installationHash),
  }))
  // The moment of the first visit of a device cannot be changed by a write, so its row is replaced.
  await tx.query('delete from device_history where device_hash = $1 and installation_hash = $2', [to, wholeDevice])
  for (const row of [ofDevice, ...own]) {
    const { sql, params } = historyStatement(row)
    await tx.query(sql, params)
  }
}

const versionAfter = (rows: readonly HistoryRow[], hash: Uint8Array) =>
  (rows.find(({ installationHash }) => Buffer.compare(installationHash, hash) === 0)?.version ?? 0) + 1
