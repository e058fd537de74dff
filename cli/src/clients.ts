// `ringfence clients`: who may call? Clients of the tenants are listed, made, given a new secret, and revoked.

import { type Client, findClient, listClients, listSecrets } from '@ringfence/server/storage/clients.ts'
import type { Database } from '@ringfence/server/storage/database.ts'
import { listTenants } from '@ringfence/server/storage/tenants.ts'
import type { Command } from 'commander'
import { displayName } from './arguments.ts'
import { addPlaceOptions, type PlaceOptions } from './configuration.ts'
import { CommandFailed } from './failure.ts'
import { secretText } from './secret-text.ts'
import { shellWord } from './shell-word.ts'
import { tenantNamed, withStore } from './store.ts'
import { minuteText, table } from './table.ts'

interface Options extends PlaceOptions {
  json?: true
}

export function addClients(ringfence: Command): void {
  const clients = ringfence
    .command('clients')
    .description('Credentials of those who may call; also while a server runs on the same data')
    .addHelpText(
      'after',
      `
Examples:
  ringfence clients create --tenant shop --name checkout
  ringfence clients list
  ringfence clients rotate rfc_…                   a second secret, beside the one in use
  ringfence clients revoke rfc_… --older-secrets   when every caller has the new one
  ringfence clients revoke rfc_…                   refused by every server within a second`,
    )

  command('create', 'Make a client of a tenant; its secret is shown once')
    .requiredOption('--tenant <name>', 'name of the tenant')
    .requiredOption('--name <name>', 'what the client is called in lists', displayName)
    .action(create)
  command('list', 'List clients, revoked ones too').option('--tenant <name>', 'those of this tenant only').action(list)
  command('rotate', 'Give a client a new secret; the newest one before it stays valid')
    .argument('<clientId>')
    .option('--force', 'also while two secrets live; the older of them ends now')
    .action(rotate)
  command('revoke', 'Refuse a client from now on')
    .argument('<clientId>')
    .option('--older-secrets', 'only its secrets before the newest one')
    .action(revoke)

  function command(name: string, description: string): Command {
    return addPlaceOptions(clients.command(name).description(description)).option('--json', 'one line of JSON')
  }
}

const existing = { make: false }

async function create({ tenant: tenantName, name, json, ...place }: Options & { tenant: string; name: string }) {
  const issued = await withStore(place, existing, async (store) => {
    const tenant = await tenantNamed(store, tenantName)
    return store.credentials.createClient(tenant.id, name)
  })
  const answer = { tenant: tenantName, name, ...issued }
  console.log(json ? JSON.stringify(answer) : secretText(`Client ${name} of tenant ${tenantName}:`, issued))
}

async function rotate(clientId: string, { force = false, json, ...place }: Options & { force?: boolean }) {
  const issued = await withStore(place, existing, async ({ database, credentials }) => {
    if (!force && (await hasTwoSecrets(database, clientId))) {
      throw new CommandFailed(
        `two secrets of ${clientId} live already: end the older with ${revokeOlder(clientId, place)}, or use --force, which ends it now`,
      )
    }
    return credentials.rotate(clientId, { endOlder: force })
  })
  if (json) return console.log(JSON.stringify(issued))
  const next = `The secret before it stays valid. When every caller has the new one:
  ${revokeOlder(clientId, place)}`
  console.log(`${secretText('A new secret:', issued)}\n\n${next}`)
}

async function hasTwoSecrets(database: Database, clientId: string): Promise<boolean> {
  const client = await findClient(database, clientId)
  const secrets = await listSecrets(database, clientId)
  return client?.revokedAt === null && secrets.filter(({ revokedAt }) => revokedAt === null).length > 1
}

/** The next command, on the same data; a password is not repeated. */
function revokeOlder(clientId: string, { data, database, config }: PlaceOptions): string {
  const place = Object.entries({ data, database: database && withoutPassword(database), config })
  const options = place.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${shellWord(value)}`]))
  return ['npx ringfence clients revoke', clientId, '--older-secrets', ...options].join(' ')
}

function withoutPassword(database: string): string {
  if (!URL.canParse(database)) return database
  const url = new URL(database)
  url.password = ''
  return url.href
}

async function revoke(
  clientId: string,
  { olderSecrets = false, json, ...place }: Options & { olderSecrets?: boolean },
) {
  await withStore(place, existing, ({ credentials }) => credentials.revoke(clientId, { olderOnly: olderSecrets }))
  if (json) return console.log(JSON.stringify({ clientId, revoked: olderSecrets ? 'older secrets' : 'client' }))
  const what = olderSecrets ? `All secrets of ${clientId} but the newest are` : `${clientId} is`
  console.log(`${what} revoked. Running servers notice within a second.`)
}

async function list({ tenant: tenantName, json, ...place }: Options & { tenant?: string }): Promise<void> {
  const clients = await withStore(place, existing, async (store) => {
    const { database } = store
    const tenant = tenantName === undefined ? undefined : await tenantNamed(store, tenantName)
    const names = new Map((await listTenants(database)).map(({ id, name }) => [id, name]))
    const found = await listClients(database, tenant?.id)
    return Promise.all(
      found.map(async (client) => {
        const secrets = await listSecrets(database, client.id)
        const liveSecrets = client.revokedAt === null ? secrets.filter(({ revokedAt }) => revokedAt === null).length : 0
        return { ...client, tenant: names.get(client.tenantId) ?? client.tenantId, liveSecrets }
      }),
    )
  })
  console.log(json ? JSON.stringify(clients.map(asJson)) : asTable(clients))
}

type Listed = Client & { tenant: string; liveSecrets: number }

function asJson({ id, tenant, name, liveSecrets, createdAt, lastUsedAt, revokedAt }: Listed) {
  const time = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs).toISOString())
  return {
    clientId: id,
    tenant,
    name,
    liveSecrets,
    createdAt: time(createdAt),
    lastUsedAt: time(lastUsedAt),
    revokedAt: time(revokedAt),
  }
}

function asTable(clients: readonly Listed[]): string {
  if (clients.length === 0) return 'No clients. Make one with: ringfence clients create --tenant NAME --name NAME'
  return table(
    ['CLIENT ID', 'TENANT', 'NAME', 'LIVE SECRETS', 'CREATED', 'LAST USED', 'REVOKED'],
    clients.map(({ id, tenant, name, liveSecrets, createdAt, lastUsedAt, revokedAt }) => [
      id,
      tenant,
      name,
      String(liveSecrets),
      minuteText(createdAt),
      lastUsedAt === null ? 'never' : minuteText(lastUsedAt),
      revokedAt === null ? '' : minuteText(revokedAt),
    ]),
  )
}
