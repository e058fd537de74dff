// What happens to a device that turned out to be an older one? What is known of it moves, and its id becomes an alias.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { moveHistory } from '../history/move-history.ts'
import { deviceHashOf } from '../history/visit.ts'
import { aliasStatements, hasRoomFor } from '../store/device-aliases.ts'
import { keyDeletes, keyInserts } from '../store/device-keys.ts'
import { installationsMove, installationsOfDevice } from '../store/installations.ts'
import { mostDevicesOfAKey } from './blocking-keys.ts'
import { sureFrom } from './confidence.ts'
import { saltOf } from './fingerprint.ts'
import type { Split } from './heal.ts'
import { tableOf } from './installation-change.ts'
import { keysOfRows } from './learn.ts'

export interface Merge extends Split {
  readonly tenantId: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** A network proves no more than similarity may say: whoever is in it with copied facts looks like a device that stays away. */
const mostByNetwork = Math.round(sureFrom * 1000)

/**
 * Installations, blocking keys, visits, labels and history move. In a transaction.
 * @returns false when one of the two is gone (merged by another server, or erased), or the older one has too many former ids. Then nothing changes
 */
export async function mergeIn(
  tx: Queryable,
  { tenantId, at, because, ...ids }: Merge,
  keys: TenantKeys,
): Promise<boolean> {
  const [from, into] = [uuidBytes(ids.from), uuidBytes(ids.into)]
  const salt = saltOf(keys)
  const [moved, kept] = [
    await installationsOfDevice(tx, tenantId, from),
    await installationsOfDevice(tx, tenantId, into),
  ]
  if (moved.length === 0 || kept.length === 0) return false
  if (!(await hasRoomFor(tx, tenantId, { from, into }))) return false
  const moves = moved.flatMap((row) => {
    const table = tableOf(row.stage)
    if (!table) return []
    const its = [...keysOfRows([row], salt)]
    const read = { tenantId, id: row.id, lastSeenAt: row.lastSeenAt }
    return [...keyInserts(table, into, its, read, mostDevicesOfAKey), ...keyDeletes(table, from, its, read)]
  })
  const statements = [
    ...moves,
    ...installationsMove(tenantId, { from, into, most: because === 'network' ? mostByNetwork : 1000 }),
    ...aliasStatements(tenantId, { from, into, at }),
  ]
  for (const { sql, params } of statements) await tx.query(sql, params)
  await moveHistory(tx, deviceHashOf(ids.from, keys), deviceHashOf(ids.into, keys))
  return true
}
