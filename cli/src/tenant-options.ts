// Whose data does a command use? That of --tenant, or of the only tenant.

import { demoTenants } from '@ringfence/server/admin/store/demo.ts'
import { listTenants, type Tenant } from '@ringfence/server/core/storage/tenants.ts'
import type { Command } from 'commander'
import { addPlaceOptions, type PlaceOptions } from './configuration.ts'
import { CommandFailed } from './failure.ts'
import { existing, type Store, tenantNamed, withStore } from './store.ts'

export interface TenantOptions extends PlaceOptions {
  tenant?: string
  json?: true
}

export function addTenantOptions(command: Command, what: string): Command {
  return addPlaceOptions(command)
    .option('--tenant <name>', `tenant of the ${what}; only needed when there are several, beside the demo's`)
    .option('--json', 'print one line of JSON')
}

/** Runs `work` with the named tenant, or the only one. */
export function withTenant<T>(
  { tenant: name, ...place }: TenantOptions,
  work: (store: Store, tenant: Tenant) => Promise<T>,
): Promise<T> {
  return withStore(place, existing, async (store) =>
    work(store, name === undefined ? await onlyTenant(store) : await tenantNamed(store, name)),
  )
}

async function onlyTenant({ database }: Store): Promise<Tenant> {
  const demos = await demoTenants(database)
  const tenants = (await listTenants(database)).filter(({ id }) => !demos.has(id))
  if (tenants.length === 1) return tenants[0]!
  const names = tenants.map(({ name }) => name).join(', ')
  throw new CommandFailed(
    names === ''
      ? 'there is no tenant: create one with ringfence init --tenant NAME'
      : `there are several tenants: choose one with --tenant (${names})`,
  )
}
