// `ringfence init`: how does a new installation get its data, a tenant, and the first credentials?

import type { Command } from 'commander'
import { displayName } from './arguments.ts'
import { addPlaceOptions, type PlaceOptions } from './configuration.ts'
import { CommandFailed } from './failure.ts'
import { secretText } from './secret-text.ts'
import { findTenantByName, withStore } from './store.ts'

interface InitOptions extends PlaceOptions {
  tenant: string
  json?: true
}

export function addInit(ringfence: Command): void {
  addPlaceOptions(ringfence.command('init'))
    .description('Make the data folder or database, a tenant, and the credentials of its first client')
    .option('--tenant <name>', 'name of the tenant', displayName, 'main')
    .option('--json', 'one line of JSON with tenant, clientId and clientSecret')
    .addHelpText(
      'after',
      `
Examples:
  ringfence init
  ringfence init --data /var/lib/ringfence --tenant shop --json
  DATABASE_URL=postgres://ringfence@db/ringfence ringfence init

The secret is shown once. A tenant of that name must not be there yet; more clients come from ringfence clients create.`,
    )
    .action(init)
}

async function init({ tenant: name, json, ...place }: InitOptions): Promise<void> {
  const issued = await withStore(place, { make: true }, async ({ database, tenantKeyring, credentials }) => {
    if (await findTenantByName(database, name)) {
      throw new CommandFailed(
        `there is a tenant ${name} already: choose another --tenant, or give it one more client with ringfence clients create`,
      )
    }
    const tenant = await tenantKeyring.createTenant(name)
    return credentials.createClient(tenant.id, 'first')
  })
  console.log(json ? JSON.stringify({ tenant: name, ...issued }) : secretText(`Tenant ${name} with a client:`, issued))
}
