// Whose lists does a command use? Those of a tenant; a refusal becomes one line on stderr.

import { systemClock } from '@ringfence/server/core/clock.ts'
import type { Tenant } from '@ringfence/server/core/storage/tenants.ts'
import { ListRefused, Lists } from '@ringfence/server/rules/lists/lists.ts'
import { CommandFailed } from '../failure.ts'
import type { Store } from '../store.ts'
import { type TenantOptions, withTenant } from '../tenant-options.ts'

/** Runs `work` with the lists of the named tenant, or of the only tenant. */
export function withLists<T>(
  options: TenantOptions,
  work: (lists: Lists, tenant: Tenant, store: Store) => Promise<T>,
): Promise<T> {
  return withTenant(options, async (store, tenant) => {
    try {
      return await work(new Lists({ ...store, clock: systemClock }), tenant, store)
    } catch (error) {
      throw error instanceof ListRefused ? asFailure(error) : error
    }
  })
}

export const isExisting = (error: unknown) => error instanceof ListRefused && error.reason === 'exists'

export function asFailure(error: ListRefused): CommandFailed {
  const hint = error.reason === 'unknown' ? ' (ringfence lists show)' : ''
  return new CommandFailed(`${error.message}${hint}`, { cause: error })
}
