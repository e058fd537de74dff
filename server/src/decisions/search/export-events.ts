// How are events read out of the store, all of them? In batches, oldest first, so that an export can go on where it stopped.

import type { FoundEvent } from '@ringfence/contract'
import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import type { Database } from '../../core/storage/database.ts'
import { lowestIdAt } from '../../core/storage/ids/event-id.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { countEvents, eventsAfter } from '../../events/store/search.ts'
import { foundEvents } from './found-events.ts'

export interface ExportedRange {
  readonly tenantId: string
  /** Epoch milliseconds; `to` is not included. */
  readonly from: number
  readonly to: number
  /** Any type without it. */
  readonly types?: readonly string[]
  /** The id of the last event that is exported already. */
  readonly after?: string
}

interface Resources {
  readonly database: Database
  readonly tenantKeyring: TenantKeyring
}

const batchSize = 500

/** How many events `exportedEvents` returns; more may happen meanwhile. */
export function countExported(range: ExportedRange, { database }: Pick<Resources, 'database'>): Promise<number> {
  return countEvents(database, { ...boundsOf(range), from: afterNext(boundsOf(range).after) })
}

/** Batches of at most 500 events. Memory does not grow with their number. */
export async function* exportedEvents(
  range: ExportedRange,
  { database, tenantKeyring }: Resources,
): AsyncGenerator<readonly FoundEvent[]> {
  const bounds = boundsOf(range)
  for (let { after } = bounds; ; ) {
    const rows = await eventsAfter(database, { ...bounds, after }, batchSize)
    if (rows.length > 0) yield await foundEvents(rows, range.tenantId, tenantKeyring)
    if (rows.length < batchSize) return
    after = rows.at(-1)!.id
  }
}

function boundsOf({ tenantId, from, to, types, after }: ExportedRange) {
  return {
    tenantId,
    types,
    // No id is the lowest of its millisecond, since the version is never 0.
    after: after === undefined ? lowestIdAt(from) : uuidBytes(after),
    before: lowestIdAt(to),
  }
}

/** The lowest 16 bytes above these. */
function afterNext(id: Uint8Array): Uint8Array {
  const next = Buffer.from(id)
  for (let at = next.length - 1; at >= 0; at--) {
    next[at] = (next[at]! + 1) & 0xff
    if (next[at] !== 0) break
  }
  return next
}
