// Which tenant's rules does a command use? Those of --tenant, or of the only tenant.

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

/** A version by its number or stage. */
export type VersionName = number | 'draft' | 'shadow' | 'live'

export function addTenantOptions(command: Command): Command {
  return addPlaceOptions(command)
    .option('--tenant <name>', 'tenant of the rules; only needed when there are several')
    .option('--json', 'print one line of JSON')
}

export function versionName(text: string): VersionName {
  if (text === 'draft' || text === 'shadow' || text === 'live') return text
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number, draft, shadow or live.')
}

/** Runs `work` with the rules of the named tenant, or of the only tenant. */
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
    names === ''
      ? 'there is no tenant: create one with ringfence init --tenant NAME'
      : `there are several tenants: choose one with --tenant (${names})`,
  )
}

/** The number of a version. */
export async function versionOf(rules: RuleSets, tenantId: string, name: VersionName): Promise<number> {
  if (typeof name === 'number') return name
  const found = (await rules.versions(tenantId)).find(({ stages }) => stages.includes(name))
  if (found) return found.version
  throw new CommandFailed(`there is no version in ${name}; ringfence rules list shows all`)
}
