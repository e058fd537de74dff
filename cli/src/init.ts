// `ringfence init`: how does a new installation get its data, a tenant, and its first credentials?

import type { Command } from 'commander'
import { type Answer, answering } from './answer.ts'
import { displayName } from './arguments.ts'
import { nextCommand } from './command-name.ts'
import { addPlaceOptions, type PlaceOptions } from './configuration.ts'
import { exportCommand, serviceUrl, storeTheSecret } from './export-command.ts'
import { CommandFailed } from './failure.ts'
import { shellWord } from './shell-word.ts'
import { findTenantByName, withStore } from './store.ts'

interface InitOptions extends PlaceOptions {
  tenant: string
}

export function addInit(ringfence: Command): void {
  addPlaceOptions(ringfence.command('init'))
    .description('Create the data folder or the tables in PostgreSQL, a tenant, and its first client')
    .option('--tenant <name>', 'name of the new tenant', displayName, 'main')
    .option('--json', 'print one line of JSON with tenant, tenantId, clientId and clientSecret')
    .addHelpText(
      'after',
      `
Prints the credentials as export lines to paste into a shell. The secret is shown only this once.

Examples:
  ringfence init
  ringfence init --data /var/lib/ringfence --tenant shop --json
  DATABASE_URL=postgres://ringfence@db/ringfence ringfence init

To add a client to an existing tenant, use ringfence clients create.`,
    )
    .action(answering(init))
}

const createApp = ['apps', 'create', '--name', 'web', '--origin', 'https://shop.example', '--tenant']

async function init({ tenant: name, ...place }: InitOptions): Promise<Answer> {
  const [tenantId, issued, url, masterKey] = await withStore(
    place,
    { create: true },
    async ({ settings, database, keyring, tenantKeyring, clients }) => {
      if (await findTenantByName(database, name)) {
        throw new CommandFailed(
          `tenant ${name} already exists: choose another name with --tenant, or add a client with ringfence clients create --tenant ${shellWord(name)}`,
        )
      }
      const tenant = await tenantKeyring.createTenant(name)
      const issued = await clients.createClient(tenant.id, 'first')
      return [tenant.id, issued, serviceUrl(settings), keyring.masterKey.openedBy] as const
    },
  )
  const text = `Created tenant ${name} (${tenantId}) with its first client. To use its credentials in a shell, paste:

${exportCommand({ url, ...issued })}

${storeTheSecret}
The master key is in ${masterKey}: keep a copy apart from your backups. Without it, nobody can read the store.
Start the service: ${nextCommand(place, 'serve')}
For an SDK, create an app: ${nextCommand(place, ...createApp, name)}`
  return [{ tenant: name, tenantId, ...issued }, text]
}
