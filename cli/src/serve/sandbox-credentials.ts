// Which credentials and which app does the sandbox tenant have? Created at the first start, then reused from the data folder.

import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { App } from '@ringfence/server/apps/app.ts'
import { appSettings } from '@ringfence/server/apps/app-settings.ts'
import { listApps } from '@ringfence/server/apps/stored-apps.ts'
import type { IssuedCredentials } from '@ringfence/server/clients/credentials.ts'
import { Refusal } from '@ringfence/server/core/errors.ts'
import { compileOnUse } from '@ringfence/server/core/json/compile-on-use.ts'
import Type from 'typebox'
import { CommandFailed } from '../failure.ts'
import { findTenantByName, type Store } from '../store.ts'

/** Name of the tenant, of its client and of its app. */
const sandboxName = 'sandbox'
const credentialsCheck = compileOnUse(Type.Object({ clientId: Type.String(), clientSecret: Type.String() }))

export const sandboxCredentialsPath = (dataFolder: string) => join(dataFolder, 'sandbox-credentials.json')

/** The credentials in the data folder; undefined when there is no file. Throws CommandFailed when the file is unusable. */
export function readSandboxCredentials(dataFolder: string): IssuedCredentials | undefined {
  const path = sandboxCredentialsPath(dataFolder)
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (credentialsCheck.Check(content)) return content
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CommandFailed(
    `${path} must be JSON with clientId and clientSecret: delete the file, and ringfence serve --sandbox creates it again`,
  )
}

/** The sandbox tenant's credentials. Creates new ones when none are stored, or when the stored ones are revoked. */
export async function sandboxCredentials(store: Store, dataFolder: string): Promise<IssuedCredentials> {
  const stored = readSandboxCredentials(dataFolder)
  if (stored && (await areAccepted(store, stored))) return stored
  const { database, tenantKeyring, clients } = store
  const tenant = (await findTenantByName(database, sandboxName)) ?? (await tenantKeyring.createTenant(sandboxName))
  const created = await clients.createClient(tenant.id, sandboxName)
  writeCredentials(created, sandboxCredentialsPath(dataFolder))
  return created
}

/** The client of a sandbox that ran with this data folder, if its credentials are still valid. */
export async function liveSandboxClient(
  store: Pick<Store, 'clients'>,
  dataFolder: string,
): Promise<string | undefined> {
  const stored = readSandboxCredentials(dataFolder)
  return stored && (await areAccepted(store, stored)) ? stored.clientId : undefined
}

/** Pages that a developer serves on this machine, on any port. */
const localOrigins = ['http://localhost:*', 'http://127.0.0.1:*']

/** Made-up phones have it. */
const phoneApp = ['com.example.app']

export const localApp = {
  ...{ origins: localOrigins, bundleIds: phoneApp, packageNames: phoneApp },
  settings: appSettings({}),
}

/** An app of the sandbox tenant that pages on this machine may use; created when there is none. */
export async function sandboxApp({ database, apps }: Store): Promise<App> {
  const tenant = await findTenantByName(database, sandboxName)
  if (!tenant) throw new Error('sandboxCredentials creates the tenant first')
  const live = (await listApps(database, tenant.id)).filter(({ disabledAt }) => disabledAt === null)
  const stored = live.find(({ origins }) => localOrigins.every((origin) => origins.includes(origin)))
  if (stored) return stored
  // Somebody has given the first one other origins.
  const isTaken = live.some(({ name }) => name === sandboxName)
  return apps.create(tenant.id, { ...localApp, name: isTaken ? `${sandboxName} ${randomUUID()}` : sandboxName })
}

async function areAccepted(
  { clients }: Pick<Store, 'clients'>,
  { clientId, clientSecret }: IssuedCredentials,
): Promise<boolean> {
  try {
    await clients.verify(clientId, clientSecret)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Writes the file as a whole or not at all, readable for this user only. */
function writeCredentials(credentials: IssuedCredentials, path: string): void {
  const draft = `${path}.${process.pid}`
  // With PostgreSQL and a master key from elsewhere, nothing else makes the folder.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(draft, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600, flush: true, flag: 'wx' })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}
