// Which keys does a tenant have? Each tenant's keys are read once and stay in memory.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Database } from '../storage/database.ts'
import { findTenant, insertTenant, type Tenant } from '../storage/tenants.ts'
import type { Keyring, TenantKeys } from './keyring.ts'

export interface TenantKeyring {
  keysOf(tenantId: string): Promise<TenantKeys>
  /** Creates a tenant and its keys. */
  createTenant(name: string): Promise<Tenant>
}

export function tenantKeyring(database: Database, keyring: Keyring, clock: Clock): TenantKeyring {
  const opened = new Map<string, TenantKeys>()
  return {
    async keysOf(tenantId) {
      const known = opened.get(tenantId)
      if (known) return known
      const tenant = await findTenant(database, tenantId)
      if (!tenant) throw new Error(`there is no tenant ${tenantId}`)
      const keys = keyring.openTenantKeys(tenantId, tenant.sealedKeys)
      opened.set(tenantId, keys)
      return keys
    },
    async createTenant(name) {
      const id = randomUUID()
      const tenant = { id, name, createdAt: clock.now(), sealedKeys: keyring.makeTenantKeys(id) }
      await insertTenant(database, tenant)
      return tenant
    },
  }
}
