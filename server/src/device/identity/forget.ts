// Which installations are deleted? Those without a visit for a long time, with their keys.

import type { Core } from '../../core/core.ts'
import { aliasesDelete } from '../store/device-aliases.ts'
import { keyDeletes, keyTables } from '../store/device-keys.ts'
import {
  dueInstallations,
  installationDelete,
  installationsOfDevice,
  retentionRestart,
} from '../store/installations.ts'
import { saltOf } from './fingerprint.ts'
import { keysOfRows } from './learn.ts'

/** An installation that a visit by similarity made, and that never returned, is stored for this long. */
const seenOnceMs = 30 * 86_400_000

/**
 * Deletes at most `limit` installations whose last visit was before this time. One with a concurrent visit stays. A key stays while
 * another installation of the device has it.
 * @returns how many it looked at
 */
export async function forgetInstallations(
  before: number,
  limit: number,
  { database, tenantKeyring, clock }: Pick<Core, 'database' | 'tenantKeyring' | 'clock'>,
): Promise<number> {
  const madeBefore = clock.now() - seenOnceMs
  const due = await dueInstallations(database, { before, madeBefore }, limit)
  const expired = due.filter((row) => row.isExpired)
  const isExpired = new Set(expired.map(({ tenantId, id }) => `${tenantId} ${Buffer.from(id).toString('hex')}`))
  const statements = await Promise.all(
    expired.map(async ({ tenantId, ...row }) => {
      const salt = saltOf(await tenantKeyring.keysOf(tenantId))
      const all = row.fingerprint ? await installationsOfDevice(database, tenantId, row.deviceId) : []
      const others = all.filter(({ id }) => !isExpired.has(`${tenantId} ${Buffer.from(id).toString('hex')}`))
      const keys = [...keysOfRows([row], salt).difference(keysOfRows(others, salt))]
      const read = { tenantId, id: row.id, lastSeenAt: row.lastSeenAt }
      return [
        ...keyTables.flatMap((table) => keyDeletes(table, row.deviceId, keys, read)),
        installationDelete(tenantId, row.id, row.lastSeenAt),
        aliasesDelete(tenantId, row.deviceId),
      ]
    }),
  )
  const restarts = due.flatMap((row) => (row.isExpired ? [] : [retentionRestart(row.tenantId, row.id)]))
  await database.transaction(async (tx) => {
    for (const { sql, params } of [...restarts, ...statements.flat()]) await tx.query(sql, params)
  })
  return due.length
}
