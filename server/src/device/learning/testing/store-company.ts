// How does a test get a tenant whose laptops all proved a key? Each was seen for ten days.

import type { TenantKeyring } from '../../../core/crypto/tenant-keyring.ts'
import type { Database } from '../../../core/storage/database.ts'
import { uuidBytes, uuidOfHash } from '../../../core/storage/uuid.ts'
import { keysOfDevice } from '../../identity/blocking-keys.ts'
import { packed, saltOf } from '../../identity/fingerprint.ts'
import { installationStatements } from '../../identity/installation-change.ts'
import { stages } from '../../store/installations.ts'
import { companyLaptop, dayMs } from './company.ts'

/** The first is in the half that is learned from, the second in the other one, and so on. */
export async function storeCompany(
  tenantId: string,
  { laptops, now }: { readonly laptops: number; readonly now: number },
  { database, tenantKeyring }: { readonly database: Database; readonly tenantKeyring: TenantKeyring },
): Promise<void> {
  const salt = saltOf(await tenantKeyring.keysOf(tenantId))
  const statements = Array.from({ length: laptops }, (_, index) => {
    const { fingerprint } = companyLaptop(index)
    const hash = (what: string) => uuidBytes(uuidOfHash(Buffer.from(`${what}${index}`.padEnd(32, '-'))))
    return installationStatements({
      tenantId,
      added: {
        ...{ id: hash('installation'), deviceId: deviceIdOf(index), keyHash: hash('key') },
        ...{ fingerprint: packed(fingerprint), stage: stages.established, bySimilarity: false, at: now - 10 * dayMs },
        keys: [{ table: 'device_key', added: [...keysOfDevice(fingerprint, salt)] }],
      },
    })
  })
  await database.batch(statements.flat())
  await database.query('update installation set last_seen_at = $1 where tenant_id = $2', [now, tenantId])
}

function deviceIdOf(index: number): Uint8Array {
  const id = Buffer.alloc(16)
  id.writeUInt32BE(index, 12)
  return id
}
