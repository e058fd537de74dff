// Do lists of a tenant have entries that match no value any more? Earlier versions stored forms that numbering plans have replaced.

import type { Clock } from '../../core/clock.ts'
import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import { backgroundPause } from '../../core/heavy-work/slices.ts'
import type { Database } from '../../core/storage/database.ts'
import { canMatch, isInForce, openEntry } from '../../rules/lists/entries.ts'
import { changesAfter, type EntryRow, feedStart, type ListRow, listsOf } from '../../rules/store/lists.ts'
import { type Finding, ok, warning } from './finding.ts'

export interface ListStore {
  readonly database: Database
  readonly tenantKeyring: TenantKeyring
  readonly clock: Clock
}

/** Of one list: those that changed last are the newest, and are in the present form. */
const mostEntriesOfList = 10_000
/** Of one check. */
const mostEntries = 50_000
const entriesOfPage = 500

/** Names lists and counts, and no values: not everybody who sees a finding may see those. `subject` says whose lists they are. */
export async function listFinding(store: ListStore, tenantId: string, subject = 'lists'): Promise<Finding> {
  const found: string[] = []
  let read = 0
  let isCut = false
  for (const list of await listsOf(store.database, tenantId)) {
    const most = Math.min(mostEntriesOfList, mostEntries - read)
    const counted = await countOf(store, tenantId, list, most)
    read += counted.read
    isCut ||= counted.isCut
    if (counted.unmatched > 0) found.push(`${list.name} (${counted.unmatched})`)
  }
  const whole = isCut ? `, of the ${read} oldest that were read` : ''
  if (found.length === 0) return ok(subject, `every entry can match${whole}`)
  const todo = 'look for neverMatches in /v1/lists/read: remove these entries, then add their present form'
  return warning(subject, `entries that match no value any more${whole}: ${found.join(', ')}`, todo)
}

async function countOf(
  { database, tenantKeyring, clock }: ListStore,
  tenantId: string,
  list: ListRow,
  most: number,
): Promise<{ read: number; unmatched: number; isCut: boolean }> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const pause = backgroundPause()
  const counted = { read: 0, unmatched: 0, isCut: false }
  for (let after = feedStart; ; ) {
    const limit = Math.min(entriesOfPage, most - counted.read)
    if (limit === 0) return { ...counted, isCut: list.entryCount > counted.read }
    const rows = (await changesAfter(database, list.id, after, { limit, content: true })) as EntryRow[]
    for (const row of rows) {
      if (isInForce(row, clock.now()) && !canMatch(list.kind, openEntry(row, list, tenantId, keys).value))
        counted.unmatched++
      await pause()
    }
    counted.read += rows.length
    const last = rows.at(-1)
    if (!last || rows.length < limit) return counted
    after = last
  }
}
