// Which rules does a command use? Those of a tenant, by the number or stage of their version.

import { systemClock } from '@ringfence/server/core/clock.ts'
import type { Tenant } from '@ringfence/server/core/storage/tenants.ts'
import { RuleSets } from '@ringfence/server/rules/rule-sets.ts'
import { RuleChangeRefused } from '@ringfence/server/rules/stored-version.ts'
import { InvalidArgumentError } from 'commander'
import { pino } from 'pino'
import { CommandFailed } from '../failure.ts'
import type { Store } from '../store.ts'
import { type TenantOptions, withTenant } from '../tenant-options.ts'

/** A version by its number or stage. */
export type VersionName = number | 'draft' | 'shadow' | 'live'

export function versionName(text: string): VersionName {
  if (text === 'draft' || text === 'shadow' || text === 'live') return text
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number, draft, shadow or live.')
}

/** Runs `work` with the rules of the named tenant, or of the only tenant. */
export function withRules<T>(
  options: TenantOptions,
  work: (rules: RuleSets, tenant: Tenant, store: Store) => Promise<T>,
): Promise<T> {
  return withTenant(options, async (store, tenant) => {
    const log = pino({ level: 'silent' })
    try {
      return await work(new RuleSets({ ...store, clock: systemClock, log }), tenant, store)
    } catch (error) {
      throw error instanceof RuleChangeRefused ? new CommandFailed(error.message, { cause: error }) : error
    }
  })
}

/** The number of a version. */
export async function versionOf(rules: RuleSets, tenantId: string, name: VersionName): Promise<number> {
  if (typeof name === 'number') return name
  const found = (await rules.versions(tenantId)).find(({ stages }) => stages.includes(name))
  if (found) return found.version
  throw new CommandFailed(`there is no version in ${name}; ringfence rules list shows all`)
}
