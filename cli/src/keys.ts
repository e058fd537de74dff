// `ringfence keys`: which keys are there, and how are they rotated? Signing keys, tenants' data keys, the master key.

import { rotateMasterKey } from '@ringfence/server/admin/key-rotation/master-key.ts'
import { keyStatus, type TenantKeyStatus } from '@ringfence/server/admin/key-rotation/status.ts'
import { startTenantRotation } from '@ringfence/server/admin/key-rotation/tenant-key.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { masterKeyProviders } from '@ringfence/server/core/crypto/master-key/providers.ts'
import { listKeyRotations } from '@ringfence/server/core/storage/keys/key-rotations.ts'
import { listTenants } from '@ringfence/server/core/storage/tenants.ts'

import { Argument, type Command } from 'commander'
import { type Answer, answering } from './answer.ts'
import { displayName } from './arguments.ts'
import { addPlaceOptions, type PlaceOptions } from './configuration.ts'
import { CommandFailed } from './failure.ts'
import { existing, type Store, tenantNamed, withStore } from './store.ts'
import { isoTime, minuteText, table, tableOf } from './table.ts'

interface RotateOptions extends PlaceOptions {
  atOnce?: boolean
  tenant?: string
}

type Kind = 'signing' | 'tenant' | 'master'

export function addKeys(ringfence: Command): void {
  const keys = ringfence
    .command('keys')
    .description('List and rotate keys: those that sign ID tokens, the data keys of tenants, the master key')
    .addHelpText(
      'after',
      `
Examples:
  ringfence keys list                       keys that sign ID tokens
  ringfence keys rotate signing             publish the next key now; it signs from tomorrow
  ringfence keys rotate signing --at-once   replace a key that leaked: tokens it signed become invalid
  ringfence keys rotate tenant              new data keys for all tenants; servers re-seal the rows
  ringfence keys rotate master              new master key, without a restart
  ringfence keys status                     master key, data keys, and how far a rotation is`,
    )

  command('list', 'List the keys that sign ID tokens: the one in use, the next one, and those still published').action(
    answering(list),
  )
  command('status', 'Show the master key, the data keys of each tenant, and the progress of rotations').action(
    answering(status),
  )
  command('rotate', 'Make a new key')
    .addArgument(new Argument('[kind]', 'which key').choices(['signing', 'tenant', 'master']).default('signing'))
    .option('--at-once', 'signing: the new key signs at once, and all previous keys are deleted')
    .option('--tenant <name>', 'tenant: only this one', displayName)
    .action(answering(rotate))

  function command(name: string, description: string): Command {
    return addPlaceOptions(keys.command(name).description(description)).option('--json', 'print one line of JSON')
  }
}

async function list(place: PlaceOptions): Promise<Answer> {
  const keys = await withStore(place, existing, ({ idTokens }) => idTokens.signingKeys.list())
  const none = 'There are no keys yet. The service creates the first one when it needs it.'
  const head = ['KEY ID', 'ALGORITHM', 'SIGNS FROM', 'USE']
  return [
    keys.map(({ startsAt, ...key }) => ({ ...key, startsAt: isoTime(startsAt) })),
    tableOf(keys, none, head, ({ keyId, algorithm, startsAt, use }) => [keyId, algorithm, minuteText(startsAt), use]),
  ]
}

async function status(place: PlaceOptions): Promise<Answer> {
  const found = await withStore(place, existing, async ({ database, keyring }) => ({
    ...(await keyStatus(database, keyring)),
    place: keyring.masterKey.openedBy,
  }))
  const rows = found.tenants.map((tenant) => [
    tenant.tenant,
    String(tenant.sealsWith),
    tenant.versions.filter((version) => version !== tenant.sealsWith).join(' ') || '-',
    progressOf(tenant),
  ])
  const text = table(['TENANT', 'DATA KEY', 'OTHER KEYS', 'ROTATION'], rows)
  return [
    { ...found, tenants: found.tenants.map(statusAsJson) },
    `Master key ${found.masterKey}, in ${found.place}\n\n${text}`,
  ]
}

function statusAsJson({ rotation, ...tenant }: TenantKeyStatus) {
  return rotation ? { ...tenant, rotation: { ...rotation, startedAt: isoTime(rotation.startedAt) } } : tenant
}

function progressOf({ rotation }: TenantKeyStatus): string {
  if (!rotation) return '-'
  const rows = `${rotation.rowsResealed} rows re-sealed of ${rotation.rowsRead} read`
  const steps = {
    published: 'servers learn the new key (1 to 2 minutes)',
    sealing: 'the new key seals; rows are next (1 to 2 minutes)',
    resealing: `${rows}, in ${rotation.table}`,
    checking: `${rows}; the old key is deleted after a last check (15 minutes)`,
  }
  return steps[rotation.step]
}

async function rotate(kind: Kind, { atOnce = false, tenant, ...place }: RotateOptions): Promise<Answer> {
  if (atOnce && kind !== 'signing')
    throw new CommandFailed('--at-once is for signing keys: ringfence keys rotate signing')
  if (tenant !== undefined && kind !== 'tenant')
    throw new CommandFailed('--tenant is for data keys: ringfence keys rotate tenant --tenant NAME')
  return withStore(place, existing, (store) =>
    kind === 'signing' ? signing(store, atOnce) : kind === 'tenant' ? tenants(store, tenant) : master(store),
  )
}

async function signing({ idTokens: { signingKeys } }: Store, atOnce: boolean): Promise<Answer> {
  const { keyId, use } = await signingKeys.rotate({ atOnce })
  const when = atOnce
    ? 'signs from now on; previous keys are deleted. Running servers apply this within a second, and caches of the published keys within ten minutes.'
    : use === 'in use'
      ? 'is the first key, so it signs from now on.'
      : 'is published now and signs from tomorrow.'
  return [{ keyId, atOnce }, `The new key ${keyId} ${when}`]
}

const seeStatus = 'ringfence keys status shows how far they are'

async function tenants(store: Store, name: string | undefined): Promise<Answer> {
  const { database, keyring } = store
  const rotating = new Set((await listKeyRotations(database)).map(({ tenantId }) => tenantId))
  const others = async () => (await listTenants(database)).filter(({ id }) => !rotating.has(id))
  const wanted = name === undefined ? await others() : [await tenantNamed(store, name)]
  if (wanted.length === 0) throw new CommandFailed(`a rotation of each tenant is in progress: ${seeStatus}`)
  for (const tenant of wanted) await startTenantRotation(tenant, { database, keyring, clock: systemClock })
  const names = wanted.map((tenant) => tenant.name)
  const skipped = name === undefined && rotating.size > 0 ? ' Tenants whose rotation is in progress were left out.' : ''
  return [
    { tenants: names },
    `New data keys for ${names.join(', ')}. The servers re-seal the rows and then delete the old keys: ${seeStatus}.${skipped}`,
  ]
}

async function master({ database, settings }: Store): Promise<Answer> {
  const rotated = await rotateMasterKey(database, masterKeyProviders(settings, process.env))
  const { before, after, place, previousIn } = rotated
  const previous =
    previousIn === undefined
      ? 'Remove the previous one when no backup needs it.'
      : `The previous one is in ${previousIn}: keep it as long as a backup needs it.`
  return [
    rotated,
    `The master key ${after} in ${place} replaces ${before}. Running servers go on with the tenants that they know: give the new key to each server now, and store a copy. ${previous}`,
  ]
}
