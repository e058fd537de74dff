// `ringfence apps`: which web sites and mobile apps may call? Lists, creates, changes and disables them.

import { BundleId, PackageName } from '@ringfence/contract'
import type { App, AppSettings } from '@ringfence/server/apps/app.ts'
import { changedSettings } from '@ringfence/server/apps/changed-settings.ts'
import { asOrigin } from '@ringfence/server/apps/package.ts'
import { findApp, listApps, type StoredApp } from '@ringfence/server/apps/stored-apps.ts'
import { listTenants } from '@ringfence/server/core/storage/tenants.ts'
import { type Command, InvalidArgumentError } from 'commander'
import Value from 'typebox/value'
import { type Answer, answering } from './answer.ts'
import { displayName } from './arguments.ts'
import { addPlaceOptions, type PlaceOptions } from './configuration.ts'
import { exportCommand } from './export-command.ts'
import { CommandFailed, exitCodes } from './failure.ts'
import { existing, type Store, tenantNamed, withStore } from './store.ts'
import { isoTime, isoTimeOr, minuteText, tableOf } from './table.ts'

/** How an app is identified, and its settings. A given list replaces the stored list; settings are merged. */
interface Content {
  origin?: string[]
  bundleId?: string[]
  packageName?: string[]
  set?: Record<string, unknown>
}

export function addApps(ringfence: Command): void {
  const apps = ringfence
    .command('apps')
    .description('Manage the web sites and mobile apps whose SDKs may call')
    .addHelpText(
      'after',
      `
Running servers apply a change within a second.

Examples:
  ringfence apps create --tenant shop --name web --origin https://shop.example --origin 'http://localhost:*'
  ringfence apps create --tenant shop --name ios --bundle-id com.example.shop
  ringfence apps list
  ringfence apps show rfa_…
  ringfence apps update rfa_… --set secure=false --set 'additionalDataFields=["orderId"]'
  ringfence apps disable rfa_…

An app id is public: pages and app bundles contain it. docs/guides/command-line.md lists the settings.`,
    )

  withContent(command('create', 'Create an app'))
    .requiredOption('--tenant <name>', 'name of the tenant')
    .requiredOption('--name <name>', 'name of the app, shown in lists', displayName)
    .action(answering(create))
  command('list', 'List apps, including disabled ones')
    .option('--tenant <name>', 'only apps of this tenant')
    .action(answering(list))
  command('show', 'Show an app with its settings').argument('<appId>').action(answering(show))
  withContent(command('update', 'Change an app; options that you leave out stay as they are'))
    .argument('<appId>')
    .option('--name <name>', 'name of the app, shown in lists', displayName)
    .action(answering(update))
  command('disable', 'Disable an app permanently').argument('<appId>').action(answering(disable))

  function command(name: string, description: string): Command {
    return addPlaceOptions(apps.command(name).description(description)).option('--json', 'print one line of JSON')
  }
}

function withContent(command: Command): Command {
  return command
    .option('--origin <origin>', 'origin of a web app, such as https://shop.example; repeat for several', origins)
    .option('--bundle-id <id>', 'bundle ID of an iOS app; repeat for several', names)
    .option('--package-name <name>', 'package name of an Android app; repeat for several', packageNames)
    .option('--set <name=value>', 'a setting, as JSON or text; an empty value restores the default', setting)
}

function origins(text: string, before: string[] = []): string[] {
  const origin = asOrigin(text)
  if (origin !== undefined) return [...before, origin]
  throw new InvalidArgumentError(
    'It must be scheme, host and port, such as https://shop.example. The port * is only allowed on localhost, 127.0.0.1 and [::1].',
  )
}

function names(text: string, before: string[] = []): string[] {
  if (Value.Check(BundleId, text)) return [...before, text]
  throw new InvalidArgumentError(
    'It must have 1 to 255 letters, digits, dots, hyphens or underscores, and begin with a letter or digit.',
  )
}

function packageNames(text: string, before: string[] = []): string[] {
  if (Value.Check(PackageName, text)) return [...before, text]
  throw new InvalidArgumentError('It must be the application id of the app, such as com.example.shop.')
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
    // It is meant as a list or an object. As text, it would fail later with a misleading error.
    if (/^\s*[[{]/.test(value))
      throw new InvalidArgumentError(`The value is not valid JSON: ${(error as Error).message}.`)
    return value
  }
}

async function create({
  tenant: tenantName,
  name,
  ...rest
}: PlaceOptions & Content & { tenant: string; name: string }): Promise<Answer> {
  const { origin = [], bundleId = [], packageName = [], set = {} } = rest
  if (origin.length + bundleId.length + packageName.length === 0) {
    throw new CommandFailed(
      'an app needs at least one --origin, --bundle-id or --package-name; see ringfence apps create --help',
      { exitCode: exitCodes.usage },
    )
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
  return [
    { appId: app.id, tenant: tenantName, name },
    `Created app ${name} of tenant ${tenantName}. To use it in a shell, paste:\n\n${exportCommand({ appId: app.id })}\n\nThe app id is public: put it into your page or app.`,
  ]
}

type Changes = PlaceOptions & Content & { name?: string }

async function update(appId: string, { name, ...rest }: Changes): Promise<Answer> {
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
  return [{ appId, updated: true }, `Updated app ${appId}. Running servers apply this within a second.`]
}

function settingsWith(before: Partial<AppSettings>, changes: Record<string, unknown>): AppSettings {
  try {
    return changedSettings(before, changes)
  } catch (error) {
    throw new CommandFailed(`--set: ${(error as Error).message}`)
  }
}

async function disable(appId: string, place: PlaceOptions): Promise<Answer> {
  await withStore(place, existing, async (store) => {
    await existingApp(store, appId)
    await store.apps.disable(appId)
  })
  return [{ appId, disabled: true }, `${appId} is disabled. Running servers apply this within a second.`]
}

async function existingApp({ database }: Store, appId: string): Promise<StoredApp> {
  const app = await findApp(database, appId)
  if (!app) throw new CommandFailed(`app ${appId} does not exist: ringfence apps list shows all apps`)
  return app
}

async function show(appId: string, place: PlaceOptions): Promise<Answer> {
  const app = await withStore(place, existing, async (store) => withTenantName(store, await existingApp(store, appId)))
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
  return [asJson(app), rows.map(([name = '', value]) => `${name.padEnd(width)}  ${value || '-'}`).join('\n')]
}

async function list({ tenant: tenantName, ...place }: PlaceOptions & { tenant?: string }): Promise<Answer> {
  const found = await withStore(place, existing, async (store) => {
    const tenant = tenantName === undefined ? undefined : await tenantNamed(store, tenantName)
    return Promise.all((await listApps(store.database, tenant?.id)).map((app) => withTenantName(store, app)))
  })
  const none = 'There are no apps. Create one: ringfence apps create --tenant NAME --name NAME --origin …'
  const head = ['APP ID', 'TENANT', 'NAME', 'IDENTIFIED BY', 'CREATED', 'DISABLED']
  const text = tableOf(found, none, head, (app) => [
    app.id,
    app.tenant,
    app.name,
    [...app.origins, ...app.bundleIds, ...app.packageNames].join(' '),
    minuteText(app.createdAt),
    app.disabledAt === null ? '' : minuteText(app.disabledAt),
  ])
  return [found.map(asJson), text]
}

async function withTenantName<Of extends App>({ database }: Store, app: Of): Promise<Of & { tenant: string }> {
  const tenant = (await listTenants(database)).find(({ id }) => id === app.tenantId)
  return { ...app, tenant: tenant?.name ?? app.tenantId }
}

function asJson(app: StoredApp & { tenant: string }) {
  const { id: appId, tenant, name, origins, bundleIds, packageNames, settings, createdAt, disabledAt } = app
  const times = { createdAt: isoTime(createdAt), disabledAt: isoTimeOr(disabledAt) }
  return { appId, tenant, name, origins, bundleIds, packageNames, settings, ...times }
}
