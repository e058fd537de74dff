// How are customers stored, in the order of their hashes? A row names all contacts that its customer has or had, until those are gone themselves.

import { isSameId } from '../../core/storage/uuid.ts'
import { customersAfter, findCustomers, putCustomers } from '../store/customer-rows.ts'
import { replaceContacts } from '../store/customers.ts'
import { bucketCount } from './buckets.ts'
import { contactBytes, contactsIn, hexOf, ownerHashOf, unionOf, withoutContacts } from './customer-hashes.ts'
import type { ImportTask } from './import-task.ts'
import { bytesOfPair, type CustomerRecord, customerOfBytes } from './records.ts'

/** Lines with the same id; more say nothing new. */
const mostLines = 100
const order = { keyBytes: contactBytes, hashBytes: contactBytes, most: mostLines, isCounted: () => true }

export async function storeCustomers(task: ImportTask): Promise<void> {
  let waiting: CustomerRecord[] = []
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    waiting = waiting.concat(oneOfEach(task, task.customers.sorted(bucket, order).map(customerOfBytes)))
    const isLast = bucket === bucketCount - 1
    let from = 0
    for (; waiting.length - from >= (isLast ? 1 : task.sliceRows); from += task.sliceRows)
      await storeSlice(task, waiting.slice(from, from + task.sliceRows))
    waiting = waiting.slice(from)
    await task.progress({ phase: 'customers', done: bucket + 1, total: bucketCount })
  }
}

/** Of lines with the same id and the same contacts one counts; of lines that contradict each other none. */
function oneOfEach({ report }: ImportTask, records: readonly CustomerRecord[]): CustomerRecord[] {
  const found: CustomerRecord[] = []
  for (let from = 0; from < records.length; ) {
    let end = from + 1
    while (end < records.length && isSameId(records[end]!.customerHash, records[from]!.customerHash)) end++
    const same = records.slice(from, end).toSorted((a, b) => a.line - b.line)
    const [first, ...others] = same as [CustomerRecord, ...CustomerRecord[]]
    const contacts = contactsOf(first)
    if (others.every((other) => isSameId(contactsOf(other), contacts))) {
      report.counts.repeated += others.length
      found.push(first)
    } else {
      for (const [i, { line }] of same.entries()) {
        const other = same[i === 0 ? 1 : 0]!.line
        report.broken(line, `line ${other} has the same id and other contacts: neither is imported`)
      }
    }
    from = end
  }
  return found
}

const contactsOf = ({ contacts }: CustomerRecord) => Buffer.concat(contacts.map(({ contactHash }) => contactHash))

async function storeSlice(task: ImportTask, customers: readonly CustomerRecord[]): Promise<void> {
  const { tenantId, isFirst } = task
  const wanted = customers.map((customer) => ({ customer, contacts: contactsOf(customer) }))
  const before = await task.write(async (tx) => {
    const hashes = customers.map(({ customerHash }) => customerHash)
    const rows = isFirst ? [] : await findCustomers(tx, tenantId, hashes)
    const known = new Map(rows.map((row) => [hexOf(row.customerHash), row.contacts]))
    const changed = wanted.flatMap(({ customer: { customerHash }, contacts }) => {
      const old = known.get(hexOf(customerHash))
      const all = old ? unionOf(old, contacts) : contacts
      return all.length === 0 || (old && isSameId(old, all)) ? [] : [{ customerHash, contacts: all }]
    })
    await putCustomers(tx, tenantId, changed)
    return known
  })
  for (const { customer, contacts } of wanted)
    countAndPass(task, customer, contacts, before.get(hexOf(customer.customerHash)))
}

function countAndPass(
  task: ImportTask,
  customer: CustomerRecord,
  contacts: Uint8Array,
  old: Uint8Array | undefined,
): void {
  const { counts } = task.report
  const { customerHash, line } = customer
  counts.customers++
  for (const { kind } of customer.contacts) counts[kind === 0 ? 'numbers' : 'emails']++
  if (contacts.length === 0) counts.withoutContact++
  if (!old) counts.added += contacts.length === 0 ? 0 : 1
  else if (isSameId(old, contacts)) counts.unchanged++
  else counts.changed++
  for (const { contactHash, kind, sealed } of customer.contacts) {
    task.pairs.add(bytesOfPair({ contactHash, ownerHash: ownerHashOf(customerHash), has: { line, kind, sealed } }))
  }
  if (old) passLost(task, customerHash, { old, contacts })
}

/** What a customer had and has no longer. */
function passLost(
  { pairs, trims }: ImportTask,
  customerHash: Uint8Array,
  { old, contacts }: { old: Uint8Array; contacts: Uint8Array },
): void {
  const lost = contactsIn(withoutContacts(old, contacts))
  if (lost.length === 0) return
  for (const contactHash of lost) pairs.add(bytesOfPair({ contactHash, ownerHash: ownerHashOf(customerHash) }))
  trims.add({ customerHash, contacts })
}

/** Who is not in the file is no longer a customer. A file with mistakes says too little for that. */
export async function removeOthers(task: ImportTask): Promise<void> {
  const { database, tenantId, report, customers } = task
  if (report.counts.broken > 0) {
    report.notReplaced = true
    return
  }
  let after: Uint8Array = new Uint8Array(0)
  let bucket = -1
  let inFile = new Set<string>()
  for (;;) {
    const rows = await customersAfter(database, tenantId, { after, limit: 1_000 })
    for (const { customerHash, contacts } of rows) {
      if (customerHash[0]! !== bucket) {
        bucket = customerHash[0]!
        inFile = new Set(customers.sorted(bucket, order).map((record) => hexOf(record.subarray(0, contactBytes))))
      }
      if (inFile.has(hexOf(customerHash))) continue
      report.counts.removed++
      passLost(task, customerHash, { old: contacts, contacts: new Uint8Array(0) })
    }
    await task.progress({ phase: 'customers', done: bucketCount, total: bucketCount })
    const last = rows.at(-1)
    if (!last) return
    after = last.customerHash
  }
}

/** The contacts are gone: the rows no longer name them. */
export async function trimCustomers({ tenantId, trims, write }: ImportTask): Promise<void> {
  for (const slice of trims.read(500)) {
    await write(async (tx) => {
      for (const trim of slice) await replaceContacts(tx, tenantId, trim)
    })
  }
}
