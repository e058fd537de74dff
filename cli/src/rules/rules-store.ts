// On whose rules does a command work? Those of the tenant that is named, or of the only one.

import { systemClock } from '@ringfence/server/clock.ts'
import { RuleChangeRefused, type RuleSets, ruleSets } from '@ringfence/server/rules/rule-sets.ts'
import { listTenants, type Tenant } from '@ringfence/server/storage/tenants.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { pino } from 'pino'
import { addPlaceOptions, type PlaceOptions } from '../configuration.ts'
import { CommandFailed } from '../failure.ts'
import { type Store, tenantNamed, withStore } from '../store.ts'

export interface TenantOptions extends PlaceOptions {
  tenant?: string
  json?: true
}

/** A version by number, or by what it is for now. */
export type VersionName = number | 'draft' | 'shadow' | 'live'

export function addTenantOptions(command: Command): Command {
  return addPlaceOptions(command)
    .option('--tenant <name>', 'whose rules; may be left out where there is one tenant')
    .option('--json', 'one line of JSON')
}

export function versionName(text: string): VersionName {
  if (text === 'draft' || text === 'shadow' || text === 'live') return text
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number, draft, shadow or live.')
}

/** Works on the rules of the tenant that is named, or of the only one. */
export function withRules<T>(
  { tenant: name, ...place }: TenantOptions,
  work: (rules: RuleSets, tenant: Tenant, store: Store) => Promise<T>,
): Promise<T> {
  return withStore(place, { create: false }, async (store) => {
    const tenant = name === undefined ? await onlyTenant(store) : await tenantNamed(store, name)
    const log = pino({ level: 'silent' })
    try {
      return await work(ruleSets({ ...store, clock: systemClock, log }), tenant, store)
    } catch (error) {
      throw error instanceof RuleChangeRefused ? new CommandFailed(error.message, { cause: error }) : error
    }
  })
}

async function onlyTenant({ database }: Store): Promise<Tenant> {
  const tenants = await listTenants(database)
  if (tenants.length === 1) return tenants[0]!
  const names = tenants.map(({ name }) => name).join(', ')
  throw new CommandFailed(
    names === '' ? 'there is no tenant; ringfence init --tenant NAME makes one' : `name one with --tenant: ${names}`,
  )
}

/** The number of a version. */
export async function versionOf(rules: RuleSets, tenantId: string, name: VersionName): Promise<number> {
  if (typeof name === 'number') return name
  const found = (await rules.versions(tenantId)).find(({ stages }) => stages.includes(name))
  if (found) return found.version
  throw new CommandFailed(`there is no version in ${name}; ringfence rules list shows all`)
}
