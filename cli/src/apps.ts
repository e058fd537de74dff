// `ringfence apps`: whose SDKs may call? Apps of the tenants are listed, made, changed and disabled.

import type { App, AppSettings } from '@ringfence/server/apps/app.ts'
import { appSettings } from '@ringfence/server/apps/app-settings.ts'
import { asOrigin } from '@ringfence/server/apps/package.ts'
import { factsByPlatform } from '@ringfence/server/apps/sdk-config.ts'
import { findApp, listApps, type StoredApp } from '@ringfence/server/apps/stored-apps.ts'
import { nearestWord } from '@ringfence/server/config/nearest-word.ts'
import { listTenants } from '@ringfence/server/storage/tenants.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { displayName } from './arguments.ts'
import { addPlaceOptions, type PlaceOptions } from './configuration.ts'
import { CommandFailed } from './failure.ts'
import { type Store, tenantNamed, withStore } from './store.ts'
import { minuteText, table } from './table.ts'

interface Options extends PlaceOptions {
  json?: true
}

/** What an app is known by and what its owner chose; lists replace those before, settings join them. */
interface Content {
  origin?: string[]
  bundleId?: string[]
  packageName?: string[]
  set?: Record<string, unknown>
}

export function addApps(ringfence: Command): void {
  const apps = ringfence
    .command('apps')
    .description('Web sites and mobile apps whose SDKs may call; also while a server runs on the same data')
    .addHelpText(
      'after',
      `
Examples:
  ringfence apps create --tenant shop --name web --origin https://shop.example --origin 'http://localhost:*'
  ringfence apps create --tenant shop --name ios --bundle-id com.example.shop
  ringfence apps list
  ringfence apps update rfa_… --set secure=false --set 'additionalDataFields=["orderId"]'
  ringfence apps disable rfa_…                     refused by every server within a second

An app id is public: it stands in pages and app bundles. docs/guides/command-line.md lists the settings.`,
    )

  withContent(command('create', 'Make an app of a tenant'))
    .requiredOption('--tenant <name>', 'name of the tenant')
    .requiredOption('--name <name>', 'what the app is called in lists', displayName)
    .action(create)
  command('list', 'List apps, disabled ones too').option('--tenant <name>', 'those of this tenant only').action(list)
  command('show', 'All that is kept of an app').argument('<appId>').action(show)
  withContent(command('update', 'Change an app; what is not given stays'))
    .argument('<appId>')
    .option('--name <name>', 'what the app is called in lists', displayName)
    .action(update)
  command('disable', 'Refuse the SDKs of an app from now on').argument('<appId>').action(disable)

  function command(name: string, description: string): Command {
    return addPlaceOptions(apps.command(name).description(description)).option('--json', 'one line of JSON')
  }
}

function withContent(command: Command): Command {
  return command
    .option('--origin <origin>', 'where a web app is served, https://shop.example; repeat it for several', origins)
    .option('--bundle-id <id>', 'of an iOS app; repeat it for several', names)
    .option('--package-name <name>', 'of an Android app; repeat it for several', names)
    .option(
      '--set <name=value>',
      'a setting, its value in JSON or as text; without a value, its default again',
      setting,
    )
}

function origins(text: string, before: string[] = []): string[] {
  const origin = asOrigin(text)
  if (origin !== undefined) return [...before, origin]
  throw new InvalidArgumentError(
    'It must be scheme, host and port, as https://shop.example; a port of * only on localhost, 127.0.0.1 and [::1].',
  )
}

function names(text: string, before: string[] = []): string[] {
  if (/^[A-Za-z0-9_.-]{1,255}$/.test(text)) return [...before, text]
  throw new InvalidArgumentError('It must be 1 to 255 letters, digits, dots, hyphens or underscores.')
}

function setting(text: string, before: Record<string, unknown> = {}): Record<string, unknown> {
  const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
  if (name === undefined) throw new InvalidArgumentError('It must be name=value.')
  return { ...before, [name]: value === '' ? undefined : parsed(value) }
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch (error) {
    // A list or an object was meant: taken as text, it would be refused for another reason than its own.
    if (/^\s*[[{]/.test(value)) throw new InvalidArgumentError(`The value is no JSON: ${(error as Error).message}.`)
    return value
  }
}

const existing = { create: false }

async function create({
  tenant: tenantName,
  name,
  json,
  ...rest
}: Options & Content & { tenant: string; name: string }) {
  const { origin = [], bundleId = [], packageName = [], set = {} } = rest
  if (origin.length + bundleId.length + packageName.length === 0) {
    throw new CommandFailed('an app is known by an --origin, a --bundle-id or a --package-name: give at least one')
  }
  const app = await withStore(rest, existing, async (store) => {
    const tenant = await tenantNamed(store, tenantName)
    const settings = settingsWith({}, set)
    return store.apps.create(tenant.id, {
      name,
      origins: origin,
      bundleIds: bundleId,
      packageNames: packageName,
      settings,
    })
  })
  if (json) return console.log(JSON.stringify({ appId: app.id, tenant: tenantName, name }))
  console.log(
    `App ${name} of tenant ${tenantName}:\n\n  appId  ${app.id}\n\nIt is public: pages and app bundles bear it.`,
  )
}

async function update(appId: string, { name, json, ...rest }: Options & Content & { name?: string }) {
  await withStore(rest, existing, async (store) => {
    const app = await existingApp(store, appId)
    const { origin, bundleId, packageName, set = {} } = rest
    await store.apps.update({
      ...app,
      name: name ?? app.name,
      origins: origin ?? app.origins,
      bundleIds: bundleId ?? app.bundleIds,
      packageNames: packageName ?? app.packageNames,
      settings: settingsWith(app.settings, set),
    })
  })
  console.log(
    json ? JSON.stringify({ appId, updated: true }) : `${appId} is changed. Running servers notice within a second.`,
  )
}

function settingsWith(before: Partial<AppSettings>, changes: Record<string, unknown>): AppSettings {
  const changed = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined)
  try {
    const settings = appSettings(Object.fromEntries(changed))
    if (changes.collect !== undefined) checkFacts(settings.collect)
    return settings
  } catch (error) {
    throw new CommandFailed(`--set: ${(error as Error).message}`)
  }
}

/** A misspelt fact would still be collected, and nobody would notice. */
function checkFacts(collect: AppSettings['collect']): void {
  const known = Object.values(factsByPlatform).flat()
  const unknown = Object.keys(collect).find((fact) => !known.includes(fact))
  if (unknown === undefined) return
  const meant = nearestWord(unknown, known)
  throw new Error(`collect: there is no fact ${unknown}${meant === undefined ? '' : `; did you mean ${meant}?`}`)
}

async function disable(appId: string, { json, ...place }: Options): Promise<void> {
  await withStore(place, existing, async (store) => {
    await existingApp(store, appId)
    await store.apps.disable(appId)
  })
  console.log(
    json ? JSON.stringify({ appId, disabled: true }) : `${appId} is disabled. Running servers notice within a second.`,
  )
}

async function existingApp({ database }: Store, appId: string): Promise<StoredApp> {
  const app = await findApp(database, appId)
  if (!app) throw new CommandFailed(`there is no app ${appId}; ringfence apps list shows all`)
  return app
}

async function show(appId: string, { json, ...place }: Options): Promise<void> {
  const app = await withStore(place, existing, async (store) => withTenantName(store, await existingApp(store, appId)))
  if (json) return console.log(JSON.stringify(asJson(app)))
  const rows = [
    ['appId', app.id],
    ['Tenant', app.tenant],
    ['Name', app.name],
    ['Origins', app.origins.join(', ')],
    ['Bundle ids', app.bundleIds.join(', ')],
    ['Packages', app.packageNames.join(', ')],
    ['Created', minuteText(app.createdAt)],
    ...(app.disabledAt === null ? [] : [['Disabled', minuteText(app.disabledAt)]]),
    ...Object.entries(app.settings).map(([name, value]) => [name, JSON.stringify(value)]),
  ]
  const width = Math.max(...rows.map(([name = '']) => name.length))
  console.log(rows.map(([name = '', value]) => `${name.padEnd(width)}  ${value || '-'}`).join('\n'))
}

async function list({ tenant: tenantName, json, ...place }: Options & { tenant?: string }): Promise<void> {
  const found = await withStore(place, existing, async (store) => {
    const tenant = tenantName === undefined ? undefined : await tenantNamed(store, tenantName)
    return Promise.all((await listApps(store.database, tenant?.id)).map((app) => withTenantName(store, app)))
  })
  if (json) return console.log(JSON.stringify(found.map(asJson)))
  if (found.length === 0)
    return console.log('No apps. Make one with: ringfence apps create --tenant NAME --name NAME --origin …')
  console.log(
    table(
      ['APP ID', 'TENANT', 'NAME', 'KNOWN BY', 'CREATED', 'DISABLED'],
      found.map((app) => [
        app.id,
        app.tenant,
        app.name,
        [...app.origins, ...app.bundleIds, ...app.packageNames].join(' '),
        minuteText(app.createdAt),
        app.disabledAt === null ? '' : minuteText(app.disabledAt),
      ]),
    ),
  )
}

async function withTenantName<Of extends App>({ database }: Store, app: Of): Promise<Of & { tenant: string }> {
  const tenant = (await listTenants(database)).find(({ id }) => id === app.tenantId)
  return { ...app, tenant: tenant?.name ?? app.tenantId }
}

function asJson({
  id,
  tenant,
  name,
  origins,
  bundleIds,
  packageNames,
  settings,
  createdAt,
  disabledAt,
}: StoredApp & { tenant: string }) {
  const time = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs).toISOString())
  return {
    appId: id,
    tenant,
    name,
    origins,
    bundleIds,
    packageNames,
    settings,
    createdAt: time(createdAt),
    disabledAt: time(disabledAt),
  }
}
