// What becomes of the rows of two devices that are one? The one that stays has what both had, and the users of both.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { deviceHashOf } from '../../events/subject-hashes.ts'
import { deviceDelete, type EntityKey, type EntityLink, usersOfDevice } from '../store/entities.ts'
import { type Changing, withDay, withReasons } from './entity-content.ts'
import type { PartEvent } from './part.ts'

const dayMs = 86_400_000

export interface MergedDevice {
  readonly from: EntityKey
  readonly into: EntityKey
}

export function mergedDevice({ type, data, deviceHash }: PartEvent, keys: TenantKeys): MergedDevice[] {
  if (type !== 'device.merged' || !deviceHash) return []
  const from = deviceHashOf(String(data.formerId), keys)
  return [{ from: { kind: 'device', hash: from }, into: { kind: 'device', hash: deviceHash } }]
}

interface Place {
  readonly tenantId: string
  readonly database: Queryable
  readonly idOf: (key: EntityKey) => string
}

/**
 * Changes the rows, of which that of the former device is deleted.
 * @param added links of the page
 * @returns the links to add, statements about rows that are not put, and users without a row here who have one device less
 */
export async function mergeRows(
  rows: Map<string, Changing>,
  { from, into }: MergedDevice,
  added: readonly EntityLink[],
  { tenantId, database, idOf }: Place,
): Promise<{ links: EntityLink[]; statements: BatchStatement[]; others: Uint8Array[] }> {
  const [gone, kept] = [rows.get(idOf(from)), rows.get(idOf(into))]
  if (!gone || !kept || gone === kept) return { links: [...added], statements: [], others: [] }
  rows.delete(idOf(from))
  absorb(kept, gone)
  const usersIn = async (device: EntityKey) => {
    const stored = await usersOfDevice(database, tenantId, device.hash)
    const ofPage = added.filter((link) => idOf(link) === idOf(device)).map(({ userHash }) => userHash)
    return new Map([...stored, ...ofPage].map((hash) => [idOf({ kind: 'user', hash }), hash]))
  }
  const [ofGone, ofKept] = [await usersIn(from), await usersIn(into)]
  kept.shared = new Map([...ofGone, ...ofKept]).size
  const moved = [...ofGone].filter(([id]) => !ofKept.has(id)).map(([, userHash]) => ({ ...into, userHash }))
  const others: Uint8Array[] = []
  for (const [id, hash] of ofGone) {
    if (!ofKept.has(id)) continue
    const user = rows.get(id)
    if (user) user.shared--
    else others.push(hash)
  }
  return {
    links: [...added.filter((link) => idOf(link) !== idOf(from)), ...moved],
    statements: deviceDelete(tenantId, from.hash),
    others,
  }
}

function absorb(kept: Changing, gone: Changing): void {
  kept.firstSeenAt = Math.min(kept.firstSeenAt, gone.firstSeenAt)
  for (const count of ['decisions', 'refused', 'badLabels', 'goodLabels'] as const) kept[count] += gone[count]
  const { days, reasons } = gone.content
  kept.content = {
    ...kept.content,
    days: days.reduce((all, { day, ...counts }) => withDay(all, day * dayMs, counts), kept.content.days),
    reasons: withReasons(kept.content.reasons, Object.keys(reasons), reasons),
  }
}
