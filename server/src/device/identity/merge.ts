// What happens to a device that turned out to be an older one? What is known of it moves, and its id becomes an alias.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { moveHistory } from '../history/move-history.ts'
import { deviceHashOf } from '../history/visit.ts'
import { aliasStatements } from '../store/device-aliases.ts'
import { keyDeletes, keyInserts } from '../store/device-keys.ts'
import { installationsMove, installationsOfDevice } from '../store/installations.ts'
import { mostDevicesOfAKey } from './blocking-keys.ts'
import { saltOf } from './fingerprint.ts'
import { tableOf } from './installation-change.ts'
import { keysOfRows } from './learn.ts'

/** Ids are UUIDs. */
export interface Merge {
  readonly tenantId: string
  readonly from: string
  readonly into: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Installations, blocking keys, visits, labels and history move. In a transaction; to repeat it changes nothing. */
export async function mergeIn(tx: Queryable, { tenantId, at, ...ids }: Merge, keys: TenantKeys): Promise<void> {
  const [from, into] = [uuidBytes(ids.from), uuidBytes(ids.into)]
  const salt = saltOf(keys)
  const moves = (await installationsOfDevice(tx, tenantId, from)).flatMap((row) => {
    const table = tableOf(row.stage)
    if (!table) return []
    const its = [...keysOfRows([row], salt)]
    const read = { tenantId, id: row.id, lastSeenAt: row.lastSeenAt }
    return [...keyInserts(table, into, its, read, mostDevicesOfAKey), ...keyDeletes(table, from, its, read)]
  })
  const statements = [
    ...moves,
    ...installationsMove(tenantId, from, into),
    ...aliasStatements(tenantId, { from, into, at }),
  ]
  for (const { sql, params } of statements) await tx.query(sql, params)
  await moveHistory(tx, deviceHashOf(ids.from, keys), deviceHashOf(ids.into, keys))
}
