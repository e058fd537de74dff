// Which master key does this database have? It is read, or created for a database without tenants.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../config/settings.ts'
import type { Database } from '../storage/database.ts'
import { listTenants } from '../storage/tenants.ts'
import { type Keyring, keyring, masterKey, masterKeyFile } from './keyring.ts'

/**
 * The keyring of a database. Throws, and creates nothing, when the database has tenants and the master key is missing or is not the
 * one that sealed their keys: nothing could be read, and no client verified.
 */
export async function openKeyring(
  database: Database,
  { dataFolder, masterKey: given }: Pick<Settings, 'dataFolder' | 'masterKey'>,
): Promise<Keyring> {
  const [tenant] = await listTenants(database)
  if (tenant && !given && !existsSync(join(dataFolder, masterKeyFile))) {
    throw new Error(
      `${masterKeyFile} is missing in ${dataFolder}, and MASTER_KEY is not set. This database has a master key: restore the file, or set MASTER_KEY`,
    )
  }
  const keys = keyring(masterKey(dataFolder, given))
  if (tenant) keys.openTenantKeys(tenant.id, tenant.sealedKeys)
  return keys
}
