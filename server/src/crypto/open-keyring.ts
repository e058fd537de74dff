// With which keys was this database made? The master key is found, or made for a database that has no tenant yet.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../config/settings.ts'
import type { Database } from '../storage/database.ts'
import { listTenants } from '../storage/tenants.ts'
import { type Keyring, keyring, masterKey, masterKeyFile } from './keyring.ts'

/**
 * The keyring of a database. Throws, and makes nothing, when the database has tenants and the master key is missing or is
 * another than the one that their keys are wrapped under: with it nothing could be read and nobody verified.
 */
export async function openKeyring(
  database: Database,
  { dataFolder, masterKey: given }: Pick<Settings, 'dataFolder' | 'masterKey'>,
): Promise<Keyring> {
  const [tenant] = await listTenants(database)
  if (tenant && !given && !existsSync(join(dataFolder, masterKeyFile))) {
    throw new Error(
      `${masterKeyFile} is missing in ${dataFolder} and MASTER_KEY is not set: this database was made with one; put it back`,
    )
  }
  const keys = keyring(masterKey(dataFolder, given))
  if (tenant) keys.openTenantKeys(tenant.id, tenant.sealedKeys)
  return keys
}
