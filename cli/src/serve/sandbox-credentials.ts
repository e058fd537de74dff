// Which credentials and which app does the demo tenant have? Made at the first start, kept in the data folder, used again at later ones.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appSettings } from '@ringfence/server/apps/app-settings.ts'
import { listApps } from '@ringfence/server/apps/stored-apps.ts'
import type { IssuedCredentials } from '@ringfence/server/clients/credentials.ts'
import { Refusal } from '@ringfence/server/errors.ts'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { CommandFailed } from '../failure.ts'
import { findTenantByName, type Store } from '../store.ts'

const tenantName = 'demo'
const credentialsCheck = Compile(Type.Object({ clientId: Type.String(), clientSecret: Type.String() }))

export const demoCredentialsPath = (dataFolder: string) => join(dataFolder, 'demo-credentials.json')

/** The credentials in the data folder; undefined when there are none. Throws CommandFailed when the file cannot be used. */
export function readDemoCredentials(dataFolder: string): IssuedCredentials | undefined {
  const path = demoCredentialsPath(dataFolder)
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (credentialsCheck.Check(content)) return content
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CommandFailed(`${path} does not hold a clientId and a clientSecret: remove it, and --demo makes it anew`)
}

/** The demo tenant's credentials; made when there are none, or when those that were kept are no longer accepted. */
export async function demoCredentials(store: Store, dataFolder: string): Promise<IssuedCredentials> {
  const kept = readDemoCredentials(dataFolder)
  if (kept && (await areAccepted(store, kept))) return kept
  const { database, tenantKeyring, credentials } = store
  const tenant = (await findTenantByName(database, tenantName)) ?? (await tenantKeyring.createTenant(tenantName))
  const made = await credentials.createClient(tenant.id, 'demo')
  keep(made, demoCredentialsPath(dataFolder))
  return made
}

/** Pages that a developer serves on this machine, whatever the port. */
const demoOrigins = ['http://localhost:*', 'http://127.0.0.1:*']

/** The id of the demo tenant's app; made when there is none that is live. */
export async function demoAppId({ database, apps }: Store): Promise<string> {
  const tenant = await findTenantByName(database, tenantName)
  if (!tenant) throw new Error('the demo tenant is made with its credentials')
  const kept = (await listApps(database, tenant.id)).find(({ disabledAt }) => disabledAt === null)
  if (kept) return kept.id
  const known = { origins: demoOrigins, bundleIds: [], packageNames: [] }
  return (await apps.create(tenant.id, { name: 'demo', ...known, settings: appSettings({}) })).id
}

async function areAccepted({ credentials }: Store, { clientId, clientSecret }: IssuedCredentials): Promise<boolean> {
  try {
    await credentials.verify(clientId, clientSecret)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Whole or not at all, and for this user alone. */
function keep(credentials: IssuedCredentials, path: string): void {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}
