// How often are the numbers of a tenant polled at present? Counted once a minute.

import type { WatchableCheck } from '@ringfence/contract'
import type { Clock } from '../../clock.ts'
import type { Settings } from '../../config/settings.ts'
import { ExpiringMap } from '../../expiring-map.ts'
import type { Database } from '../../storage/database.ts'
import { countWatches } from '../../storage/watches/number-watches.ts'
import type { Operators } from '../operators.ts'
import { type Intervals, intervalsFor } from './pace.ts'

interface Pace {
  readonly intervals: Intervals
  /** Numbers that the tenant watches. */
  readonly watches: number
  /** Whether a check calls nobody: portability from files of this server. */
  isFree(check: WatchableCheck): boolean
}

interface PaceResources {
  readonly database: Database
  readonly settings: Settings
  readonly telecom: { readonly operators: Operators }
}

/** The pace as it is now. */
async function paceOf(tenantId: string, { database, settings, telecom }: PaceResources): Promise<Pace> {
  const [counts, sources] = await Promise.all([countWatches(database, tenantId), telecom.operators.sources()])
  const isLocal = sources.every(({ local }) => local)
  const isFree = (check: WatchableCheck) => check === 'portability' && isLocal
  return {
    intervals: intervalsFor(counts, isFree, settings),
    watches: counts.reduce((sum, { count }) => sum + count, 0),
    isFree,
  }
}

export interface TenantPace {
  /** As it was at most a minute ago: counting reads a row of an index for each watch. */
  of(tenantId: string): Promise<Pace>
}

const knownMs = 60_000
const mostTenants = 10_000

export function tenantPace({ clock, ...resources }: PaceResources & { readonly clock: Clock }): TenantPace {
  const known = new ExpiringMap<string, Promise<Pace>>({ clock, ttlMs: knownMs, most: mostTenants })
  return {
    of(tenantId) {
      let pace = known.get(tenantId)
      if (!pace) {
        pace = paceOf(tenantId, resources)
        known.set(tenantId, pace)
        pace.catch(() => known.delete(tenantId))
      }
      return pace
    },
  }
}
