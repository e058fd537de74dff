// `ringfence clients`: which backends may call? Lists, creates and revokes clients, and rotates their secrets.

import type { IssuedCredentials } from '@ringfence/server/clients/credentials.ts'
import { listPublicKeys } from '@ringfence/server/clients/store/client-public-keys.ts'
import { type Client, findClient, listClients, listSecrets } from '@ringfence/server/clients/store/clients.ts'
import type { Database } from '@ringfence/server/core/storage/database.ts'
import { listTenants } from '@ringfence/server/core/storage/tenants.ts'
import type { Command } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { displayName } from '../arguments.ts'
import { nextCommand } from '../command-name.ts'
import { addPlaceOptions, type PlaceOptions } from '../configuration.ts'
import { exportCommand, storeTheSecret } from '../export-command.ts'
import { CommandFailed, exitCodes } from '../failure.ts'
import { existing, tenantNamed, withStore } from '../store.ts'
import { isoTime, isoTimeOr, minuteText, table } from '../table.ts'
import { addKey, removeKey } from './public-keys.ts'
import {
  isRestricted,
  type RestrictionOptions,
  restricting,
  restrictionsAsJson,
  restrictionsFrom,
  restrictionsText,
} from './restrictions.ts'

export function addClients(ringfence: Command): void {
  const clients = ringfence
    .command('clients')
    .description('Manage the credentials of backends that call the service')
    .addHelpText(
      'after',
      `
Running servers apply a change within a second.

Examples:
  ringfence clients create --tenant shop --name checkout
  ringfence clients list
  ringfence clients create --tenant shop --name checks --scope telecom --allow-ip 10.0.0.0/8 --expires 90d
  ringfence clients create --tenant shop --name reports --scope admin --role viewer
  ringfence clients restrict rfc_… --expires 90d   let it end in 90 days
  ringfence clients rotate rfc_…                   add a second secret
  ringfence clients revoke rfc_… --older-secrets   revoke the first one, once every caller uses the second
  ringfence clients add-key rfc_… public.pem       let it authenticate with a key pair at the CAMARA API
  ringfence clients remove-key rfc_… KEY_ID        end that key pair
  ringfence clients revoke rfc_…                   revoke the client`,
    )

  restricting(command('create', 'Create a client; its secret is shown once'))
    .requiredOption('--tenant <name>', 'name of the tenant')
    .requiredOption('--name <name>', 'name of the client, shown in lists', displayName)
    .action(answering(create))
  restricting(command('restrict', 'Change restrictions of a client; those that you leave out stay as they are'))
    .argument('<clientId>')
    .option('--everything', 'remove all restrictions that it has')
    .action(answering(restrict))
  command('list', 'List clients, including revoked ones')
    .option('--tenant <name>', 'only clients of this tenant')
    .action(answering(list))
  command('rotate', 'Add a second secret to a client; the current secret stays valid')
    .argument('<clientId>')
    .option('--force', 'if the client has two secrets, revoke the older one at once')
    .action(answering(rotate))
  command('add-key', 'Add a public key: the client may authenticate at the CAMARA API with private_key_jwt')
    .argument('<clientId>')
    .argument('<file>', 'public key as PEM or JWK')
    .action(answering(addKey))
  command('remove-key', 'Remove a public key of a client')
    .argument('<clientId>')
    .argument('<keyId>', 'as list --json shows it')
    .action(answering(removeKey))
  command('revoke', 'Revoke a client, or its older secrets')
    .argument('<clientId>')
    .option('--older-secrets', 'revoke all secrets except the newest; the client stays valid')
    .action(answering(revoke))

  function command(name: string, description: string): Command {
    return addPlaceOptions(clients.command(name).description(description)).option('--json', 'print one line of JSON')
  }
}

async function create({
  tenant: tenantName,
  name,
  scope,
  allowIp,
  expires,
  role,
  ...place
}: PlaceOptions & RestrictionOptions & { tenant: string; name: string }): Promise<Answer> {
  const issued = await withStore(place, existing, async (store) => {
    const tenant = await tenantNamed(store, tenantName)
    return store.clients.createClient(tenant.id, name, restrictionsFrom({ scope, allowIp, expires, role }))
  })
  const answer = { tenant: tenantName, name, ...issued }
  return [answer, secretText(`Created client ${name} of tenant ${tenantName}.`, issued)]
}

async function restrict(
  clientId: string,
  { everything, scope, allowIp, expires, role, ...place }: PlaceOptions & RestrictionOptions & { everything?: true },
): Promise<Answer> {
  const given = restrictionsFrom({ scope, allowIp, expires, role })
  if (!everything && !isRestricted(given)) {
    throw new CommandFailed(
      'name --scope, --allow-ip, --expires or --role, or remove all restrictions with --everything',
      {
        exitCode: exitCodes.usage,
      },
    )
  }
  const restrictions = await withStore(place, existing, async ({ database, clients: credentials }) => {
    const before = everything ? undefined : await findClient(database, clientId)
    const after = {
      scopes: given.scopes ?? before?.scopes ?? null,
      allowedIps: given.allowedIps ?? before?.allowedIps ?? null,
      expiresAt: given.expiresAt ?? before?.expiresAt ?? null,
      role: given.role ?? before?.role ?? null,
    }
    await credentials.restrict(clientId, after)
    return after
  })
  return [
    { clientId, ...restrictionsAsJson(restrictions) },
    `${clientId} may now: ${restrictionsText(restrictions)}. Running servers apply this within a second.`,
  ]
}

async function rotate(clientId: string, { force = false, ...place }: PlaceOptions & { force?: boolean }) {
  const issued = await withStore(place, existing, async ({ database, clients: credentials }) => {
    if (!force && (await hasTwoSecrets(database, clientId))) {
      throw new CommandFailed(
        `${clientId} already has two secrets: revoke the older one with ${revokeOlder(clientId, place)}, or add --force to revoke it now`,
      )
    }
    return credentials.rotate(clientId, { endOlder: force })
  })
  const next = `The previous secret stays valid. Once every caller uses the new one, run:

  ${revokeOlder(clientId, place)}`
  return [issued, `${secretText(`Created a second secret for ${clientId}.`, issued)}\n\n${next}`] as const
}

function secretText(title: string, issued: IssuedCredentials): string {
  return `${title} To use it in a shell, paste:\n\n${exportCommand(issued)}\n\n${storeTheSecret}`
}

async function hasTwoSecrets(database: Database, clientId: string): Promise<boolean> {
  const client = await findClient(database, clientId)
  const secrets = await listSecrets(database, clientId)
  return client?.revokedAt === null && secrets.filter(({ revokedAt }) => revokedAt === null).length > 1
}

const revokeOlder = (clientId: string, place: PlaceOptions) =>
  nextCommand(place, 'clients', 'revoke', clientId, '--older-secrets')

async function revoke(
  clientId: string,
  { olderSecrets = false, ...place }: PlaceOptions & { olderSecrets?: boolean },
): Promise<Answer> {
  await withStore(place, existing, ({ clients }) => clients.revoke(clientId, { olderOnly: olderSecrets }))
  const what = olderSecrets ? `All secrets of ${clientId} except the newest are` : `${clientId} is`
  return [
    { clientId, revoked: olderSecrets ? 'older secrets' : 'client' },
    `${what} revoked. Running servers apply this within a second.`,
  ]
}

async function list({ tenant: tenantName, ...place }: PlaceOptions & { tenant?: string }): Promise<Answer> {
  const clients = await withStore(place, existing, async (store) => {
    const { database } = store
    const tenant = tenantName === undefined ? undefined : await tenantNamed(store, tenantName)
    const names = new Map((await listTenants(database)).map(({ id, name }) => [id, name]))
    const found = await listClients(database, tenant?.id)
    return Promise.all(
      found.map(async (client) => {
        const secrets = await listSecrets(database, client.id)
        const liveSecrets = client.revokedAt === null ? secrets.filter(({ revokedAt }) => revokedAt === null).length : 0
        const publicKeys = (await listPublicKeys(database, client.id)).map(({ keyId }) => keyId)
        return { ...client, tenant: names.get(client.tenantId) ?? client.tenantId, liveSecrets, publicKeys }
      }),
    )
  })
  return [clients.map(asJson), () => asTable(clients)]
}

type Listed = Client & { tenant: string; liveSecrets: number; publicKeys: readonly string[] }

function asJson({
  id,
  tenant,
  tenantId,
  name,
  liveSecrets,
  publicKeys,
  createdAt,
  lastUsedAt,
  revokedAt,
  ...restrictions
}: Listed) {
  return {
    ...{ clientId: id, tenant, tenantId, name, liveSecrets, publicKeys },
    createdAt: isoTime(createdAt),
    lastUsedAt: isoTimeOr(lastUsedAt),
    revokedAt: isoTimeOr(revokedAt),
    ...restrictionsAsJson(restrictions),
  }
}

function asTable(clients: readonly Listed[]): string {
  if (clients.length === 0)
    return 'There are no clients. Create one: ringfence clients create --tenant NAME --name NAME'
  const anyRestricted = clients.some(isRestricted)
  const anyKeys = clients.some(({ publicKeys }) => publicKeys.length > 0)
  return table(
    [
      'CLIENT ID',
      'TENANT',
      'TENANT ID',
      'NAME',
      'LIVE SECRETS',
      ...(anyKeys ? ['PUBLIC KEYS'] : []),
      'CREATED',
      'LAST USED',
      'REVOKED',
      ...(anyRestricted ? ['RESTRICTED TO'] : []),
    ],
    clients.map(
      ({ id, tenant, tenantId, name, liveSecrets, publicKeys, createdAt, lastUsedAt, revokedAt, ...restrictions }) => [
        id,
        tenant,
        tenantId,
        name,
        String(liveSecrets),
        ...(anyKeys ? [String(publicKeys.length)] : []),
        minuteText(createdAt),
        lastUsedAt === null ? 'never' : minuteText(lastUsedAt),
        revokedAt === null ? '' : minuteText(revokedAt),
        ...(anyRestricted ? [isRestricted(restrictions) ? restrictionsText(restrictions) : ''] : []),
      ],
    ),
  )
}
