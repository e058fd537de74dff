// How does a command read and change a server's data? Directly in its store, also while the server runs.

import { type Apps, apps } from '@ringfence/server/apps/apps.ts'
import { Credentials } from '@ringfence/server/clients/credentials.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import type { Settings } from '@ringfence/server/core/config/settings.ts'
import type { StoreKeyring } from '@ringfence/server/core/crypto/keyring.ts'
import { openKeyring } from '@ringfence/server/core/crypto/open-keyring.ts'
import { type TenantKeyring, tenantKeyring } from '@ringfence/server/core/crypto/tenant-keyring.ts'
import type { Events } from '@ringfence/server/core/event-recorder.ts'
import type { Database } from '@ringfence/server/core/storage/database.ts'
import { openDatabase } from '@ringfence/server/core/storage/open-database.ts'
import { storeExists } from '@ringfence/server/core/storage/store-exists.ts'
import { listTenants, type Tenant } from '@ringfence/server/core/storage/tenants.ts'
import { events } from '@ringfence/server/events/events.ts'
import { receivers } from '@ringfence/server/events/receivers.ts'
import { streamReceivers } from '@ringfence/server/events/streams/index.ts'
import { SigningKeys } from '@ringfence/server/sign-in/identity-tokens/signing-keys.ts'
import { pino } from 'pino'
import { configurationOf, type PlaceOptions } from './configuration.ts'
import { CommandFailed } from './failure.ts'

export interface Store {
  settings: Settings
  database: Database
  keyring: StoreKeyring
  tenantKeyring: TenantKeyring
  clients: Credentials
  apps: Apps
  idTokens: { readonly signingKeys: SigningKeys }
  events: Events
}

/** Without `create`, the store must exist. */
export const existing = { create: false }

/** Opens the store for `work` and closes it afterwards. */
export async function withStore<T>(
  options: PlaceOptions,
  { create }: { create: boolean },
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const { settings, eventStreams } = configurationOf(options)
  if (!create) await assertStoreExists(settings)
  const database = await openDatabase(settings.databaseUrl ?? settings.dataFolder, {
    waiting: { report: (progress) => console.error(progress) },
  })
  try {
    const keys = await openKeyring(database, settings, process.env, { create })
    const resources = { database, keyring: keys, clock: systemClock, log: pino({ level: 'silent' }) }
    const tenantKeys = tenantKeyring(database, keys, systemClock)
    const store = {
      settings,
      database,
      keyring: keys,
      tenantKeyring: tenantKeys,
      clients: new Credentials(resources),
      apps: apps(database, systemClock),
      idTokens: { signingKeys: new SigningKeys({ ...resources, settings }) },
      events: events({
        tenantKeyring: tenantKeys,
        clock: systemClock,
        receivers: receivers({ database, clock: systemClock, streams: streamReceivers(eventStreams) }),
      }),
    }
    return await work(store)
  } finally {
    await database.close()
  }
}

/** A mistyped folder or database would otherwise become a new store. `otherwise`: one more way to go on. */
export async function assertStoreExists(settings: Settings, otherwise = ''): Promise<void> {
  const { dataFolder, databaseUrl } = settings
  if (!(await storeExists(databaseUrl ?? dataFolder))) {
    throw new CommandFailed(
      databaseUrl === undefined
        ? `${dataFolder} has no data: name the server's data folder with --data DIR, or create one with ringfence init${otherwise}`
        : `the database has no tables of Ringfence: name the right one with --database URL or DATABASE_URL, or create them with ringfence init${otherwise}`,
    )
  }
}

export async function findTenantByName(database: Database, name: string): Promise<Tenant | undefined> {
  return (await listTenants(database)).find((tenant) => tenant.name === name)
}

/** Throws CommandFailed with the existing names. */
export async function tenantNamed({ database }: Store, name: string): Promise<Tenant> {
  const tenant = await findTenantByName(database, name)
  if (tenant) return tenant
  const names = (await listTenants(database)).map((existing) => existing.name)
  throw new CommandFailed(
    `tenant ${name} does not exist (${names.length === 0 ? 'there are none' : `existing: ${names.join(', ')}`}): create one with ringfence init --tenant NAME`,
  )
}
