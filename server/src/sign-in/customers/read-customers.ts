// What is in the file? Each customer becomes a record of hashes and sealed ids.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { isSameId } from '../../core/storage/uuid.ts'
import { customerLines, type FileCustomer } from './customer-file.ts'
import { contactHashOf, contextOfContact, idBytes, ownerHashOf, shortCustomerHashOf } from './customer-hashes.ts'
import type { ImportTask } from './import-task.ts'
import { bytesOfCustomer, type ContactOfRecord } from './records.ts'

export async function readCustomers(
  { tenantId, tenantKeyring, customers, report, progress }: ImportTask,
  source: AsyncIterable<Uint8Array>,
  total: number,
): Promise<void> {
  for await (const lines of customerLines(source)) {
    const keys = await tenantKeyring.keysOf(tenantId)
    for (const each of lines) {
      if ('mistake' in each) report.broken(each.line, each.mistake)
      else customers.add(recordOf(each.customer, each.line, keys))
    }
    await progress({ phase: 'reading', done: lines.at(-1)?.bytes ?? 0, total })
  }
}

function recordOf({ id, contacts }: FileCustomer, line: number, keys: TenantKeys): Buffer {
  const customerHash = shortCustomerHashOf(keys, id)
  const ownerHash = ownerHashOf(customerHash)
  const content = idBytes(id)
  const hashed = contacts.map((contact) => ({
    contactHash: contactHashOf(keys, contact),
    kind: contact.identityType === 'MOBILE' ? 0 : 1,
  }))
  const sorted = hashed
    .toSorted((a, b) => Buffer.compare(a.contactHash, b.contactHash))
    .filter(({ contactHash }, i, all) => i === 0 || !isSameId(contactHash, all[i - 1]!.contactHash))
  const sealed = sorted.map(
    ({ contactHash, kind }): ContactOfRecord => ({
      contactHash,
      kind,
      sealed: keys.seal(content, contextOfContact(contactHash, ownerHash)),
    }),
  )
  return bytesOfCustomer({ customerHash, line, contacts: sealed })
}
