// How are contacts stored, in the order of their hashes? All that changes about one is in one transaction, so it never has a wrong customer alone.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { keyVersionOf } from '../../core/crypto/sealed-text.ts'
import { isSameId } from '../../core/storage/uuid.ts'
import { addContacts, type ContactRow, sharedContacts } from '../store/customer-rows.ts'
import { deleteContact } from '../store/customers.ts'
import { type BucketOrder, bucketCount } from './buckets.ts'
import { contactBytes, contextOfContact, hexOf } from './customer-hashes.ts'
import type { ImportTask } from './import-task.ts'
import { type PairRecord, pairKeyBytes, pairOfBytes } from './records.ts'

/** Customers of one contact that are stored: two already say that it links nobody. */
const mostOwners = 100
const order: BucketOrder = {
  ...{ keyBytes: pairKeyBytes, hashBytes: contactBytes, most: mostOwners },
  isCounted: (record) => record.length > pairKeyBytes,
}

export async function storeContacts(task: ImportTask): Promise<void> {
  let waiting: PairRecord[] = []
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    task.customers.delete(bucket)
    waiting = waiting.concat(task.pairs.sorted(bucket, order).map(pairOfBytes))
    task.pairs.delete(bucket)
    const least = bucket === bucketCount - 1 ? 1 : task.sliceRows
    let from = 0
    while (waiting.length - from >= least) {
      let end = Math.min(from + task.sliceRows, waiting.length)
      while (end < waiting.length && isSameId(waiting[end]!.contactHash, waiting[end - 1]!.contactHash)) end++
      await storeSlice(task, waiting.slice(from, end))
      from = end
    }
    waiting = waiting.slice(from)
    await task.progress({ phase: 'contacts', done: bucket + 1, total: bucketCount })
  }
}

async function storeSlice(task: ImportTask, pairs: readonly PairRecord[]): Promise<void> {
  const { tenantId, tenantKeyring, isFirst, report } = task
  const keys = await tenantKeyring.keysOf(tenantId)
  const version = keyVersionOf(keys.seal('', ''))
  const rows = pairs.flatMap(({ contactHash, ownerHash, has }) =>
    has ? [rowOf({ contactHash, ownerHash, sealed: has.sealed }, keys, version)] : [],
  )
  const groups = groupsOf(pairs)
  const shared = await task.write(async (tx) => {
    for (const { contactHash, ownerHash, has } of pairs)
      if (!has) await deleteContact(tx, tenantId, { contactHash, ownerHash })
    await addContacts(tx, tenantId, rows)
    // Of a tenant's first import, all customers of a contact are in the file.
    if (isFirst) return undefined
    const found = await sharedContacts(
      tx,
      tenantId,
      groups.map(([first]) => first!.contactHash),
    )
    return new Set(found.map(hexOf))
  })
  for (const group of groups) {
    const inFile = group.flatMap(({ has }) => (has ? [has] : []))
    const [first] = inFile
    const isShared = shared ? shared.has(hexOf(group[0]!.contactHash)) : group.length > 1
    const lines = inFile.map(({ line }) => line).toSorted((a, b) => a - b)
    if (first && isShared) report.shared(first.kind, lines)
  }
}

/** A key that was rotated since the file was read does not seal any more. */
function rowOf(row: ContactRow, keys: TenantKeys, version: number): ContactRow {
  if (keyVersionOf(row.sealed) === version) return row
  const context = contextOfContact(row.contactHash, row.ownerHash)
  return { ...row, sealed: keys.seal(keys.openBytes(row.sealed, context), context) }
}

/** Those of the same contact. */
function groupsOf(pairs: readonly PairRecord[]): PairRecord[][] {
  const groups: PairRecord[][] = []
  for (const pair of pairs) {
    const last = groups.at(-1)
    if (last && isSameId(last[0]!.contactHash, pair.contactHash)) last.push(pair)
    else groups.push([pair])
  }
  return groups
}
