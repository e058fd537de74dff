// How are erasures repeated after a restore? The ledger has keyed hashes: who it was is found among the values that the restore brought back.

import { type ErasureReceipt, type PrivacySubject, subjectKinds } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Database, SqlValue } from '../../core/storage/database.ts'
import { readEverySealedRow } from '../../core/storage/keys/sealed-rows.ts'
import { findTenant } from '../../core/storage/tenants.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { listDevices } from '../../device/store/device-list.ts'
import { markOf } from '../../events/subject-hashes.ts'
import { idOfBytes } from '../../sign-in/customers/customer-hashes.ts'
import { forgetImported } from '../../sign-in/customers/forget.ts'
import { sealedColumns } from '../key-rotation/sealed-columns.ts'
import { eraseSubject, type PrivacyResources } from './erase.ts'
import type { LedgerEntry } from './ledger.ts'
import { isSigned, receiptKeyOf } from './receipt.ts'
import { erasureContext } from './receipts.ts'
import { findErasure, insertErasure } from './store/erasures.ts'
import { writtenAs } from './subject.ts'

export interface RepeatedErasures {
  /** New receipts of what was found and erased again. */
  readonly repeated: readonly ErasureReceipt[]
  /** Erasures of which the store has nothing. */
  readonly nothingFound: number
  /** Erasures that the store knows, of other stores, or with a wrong signature. */
  readonly left: number
}

/** Which erasures of a ledger does this store not know? Those that are newer than the backup it was restored from. */
export async function pendingErasures(
  entries: readonly LedgerEntry[],
  { database, tenantKeyring }: Pick<PrivacyResources, 'database' | 'tenantKeyring'>,
): Promise<LedgerEntry[]> {
  const pending: LedgerEntry[] = []
  for (const entry of entries) {
    const { tenantId, receipt } = entry
    if (!(await findTenant(database, tenantId))) continue
    if (!isSigned(receipt, receiptKeyOf(await tenantKeyring.keysOf(tenantId)))) continue
    if (!(await findErasure(database, tenantId, uuidBytes(receipt.id)))) pending.push(entry)
  }
  return pending
}

/** Opens what is sealed in the store, which takes a minute or more for a million decisions. Repeat it when it failed. */
export async function repeatErasures(
  entries: readonly LedgerEntry[],
  by: string,
  resources: PrivacyResources,
): Promise<RepeatedErasures> {
  const { database, tenantKeyring } = resources
  const pending = await pendingErasures(entries, resources)
  const repeated: ErasureReceipt[] = []
  let nothingFound = 0
  for (const [tenantId, ofTenant] of Map.groupBy(pending, (entry) => entry.tenantId)) {
    const keys = await tenantKeyring.keysOf(tenantId)
    const marks = new Set(ofTenant.map(({ mark }) => mark))
    const subjects = await subjectsWith(marks, tenantId, keys, resources)
    for (const { mark, keepListEntries, receipt, contacts = [] } of ofTenant) {
      const subject = subjects.get(mark)
      const forgotten = await forgetContacts(database, { tenantId, contacts }, keys)
      if (subject) {
        const reason = `After a restore, again: ${receipt.reason}`
        repeated.push(await eraseSubject({ tenantId, subject, by, reason, keepListEntries }, resources))
      } else if (forgotten === 0) nothingFound++
      await insertReceipt(database, tenantId, receipt, mark, keys)
    }
  }
  return { repeated, nothingFound, left: entries.length - pending.length }
}

/** An import has only hashes of numbers and email addresses, so they are not among the values. @returns how many rows */
async function forgetContacts(
  database: Database,
  { tenantId, contacts }: { tenantId: string; contacts: readonly string[] },
  keys: TenantKeys,
): Promise<number> {
  if (contacts.length === 0) return 0
  const identityHashes = contacts.map((text) => new Uint8Array(Buffer.from(text, 'base64url')))
  return (await forgetImported(database, { tenantId, customerIds: [], identityHashes }, keys)).contacts
}

/** The store knows the erasure again. */
async function insertReceipt(
  database: Database,
  tenantId: string,
  receipt: ErasureReceipt,
  mark: string,
  keys: TenantKeys,
) {
  const id = uuidBytes(receipt.id)
  const sealed = keys.seal(JSON.stringify(receipt), erasureContext(tenantId, id))
  const row = { tenantId, id, erasedAt: Date.parse(receipt.erasedAt), subjectKind: receipt.subject.kind }
  await database.transaction((tx) =>
    insertErasure(tx, { ...row, mark: new Uint8Array(Buffer.from(mark, 'base64url')), sealed }),
  )
}

/** The form of each kind anywhere in a text; a user id is a whole text. */
const forms: Readonly<Record<PrivacySubject['kind'], RegExp>> = {
  userId: /^[\s\S]{1,256}$/g,
  phoneNumber: /\d{5,15}/g,
  email: /[^\s@<>"'(),:;]+@[^\s@<>"'(),:;]+/g,
  deviceId: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
}

/** Values that were compared already, so that common ones are hashed once. */
const mostRemembered = 100_000

async function subjectsWith(
  marks: ReadonlySet<string>,
  tenantId: string,
  keys: TenantKeys,
  resources: PrivacyResources,
): Promise<Map<string, PrivacySubject>> {
  const found = new Map<string, PrivacySubject>()
  const compared = new Set<string>()
  const compare = (text: string) => {
    if (compared.has(text)) return
    if (compared.size < mostRemembered) compared.add(text)
    for (const kind of subjectKinds) {
      for (const [match] of text.matchAll(forms[kind])) {
        for (const value of writtenAs(kind, match)) {
          const mark = Buffer.from(markOf({ kind, value }, keys)).toString('base64url')
          if (marks.has(mark)) found.set(mark, { kind, value })
        }
      }
    }
  }
  for (const { deviceId } of await listDevices(resources.database, tenantId, 2_000_000_000)) compare(uuidText(deviceId))
  for await (const value of storedValues(tenantId, keys, resources)) eachText(value, compare)
  return found
}

const slice = 200

/** Keys and contents of all sealed rows of a tenant. */
async function* storedValues(
  tenantId: string,
  keys: TenantKeys,
  { database, compression }: PrivacyResources,
): AsyncGenerator<unknown> {
  // A report is found by the events and decisions that name it.
  for (const column of sealedColumns.filter(({ table }) => table !== 'device_analysis')) {
    for (let after: readonly SqlValue[] = Object.values(column.key); ; ) {
      const rows = await readEverySealedRow(database, column, { tenantId, after, limit: slice })
      for (const { key, sealed } of rows) {
        yield key.filter((part) => typeof part === 'string')
        if (sealed === null) continue
        try {
          const content = keys.openBytes(sealed, column.context(tenantId, key))
          if (column.table === 'customer_contact') {
            yield idOfBytes(content)
            continue
          }
          const isCompressed = column.table === 'decision' && column.column === 'sealed'
          const text = isCompressed ? compression.expand(content) : Buffer.from(content).toString()
          for (const line of text.split('\n')) yield parsed(line)
        } catch {
          // Of another tenant, where rows do not name theirs, or damaged: nobody can read it.
        }
      }
      const last = rows.at(-1)
      if (!last || rows.length < slice) break
      after = last.key
    }
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

function eachText(value: unknown, use: (text: string) => void): void {
  if (typeof value === 'string') use(value)
  else if (typeof value === 'number') use(String(value))
  else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      use(name)
      eachText(part, use)
    }
  }
}
