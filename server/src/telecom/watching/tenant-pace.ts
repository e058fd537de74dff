// How often are the numbers of a tenant polled at present? Counted once a minute.

import type { Clock } from '../../core/clock.ts'
import type { Settings } from '../../core/config/settings.ts'
import { ExpiringMap } from '../../core/expiring-map.ts'
import type { Database } from '../../core/storage/database.ts'
import type { Operators } from '../operators.ts'
import { countWatches } from '../store/number-watches.ts'
import { countSubscribed } from '../store/watch-subscriptions.ts'
import { type Intervals, intervalsFor } from './pace.ts'

interface Pace {
  readonly intervals: Intervals
  /** Numbers that the tenant watches. */
  readonly watches: number
  /** Requests that find the operator of a number; 0: files of this server say it. */
  readonly lookUps: number
}

interface PaceResources {
  readonly database: Database
  readonly settings: Settings
  readonly telecom: { readonly operators: Operators }
}

/** The pace as it is now. */
async function paceOf(tenantId: string, { database, settings, telecom }: PaceResources): Promise<Pace> {
  const [counts, subscribed, sources] = await Promise.all([
    countWatches(database, tenantId),
    countSubscribed(database, tenantId),
    telecom.operators.sources(),
  ])
  // Each poll looks up the operator of the number first.
  const lookUps = sources.every(({ local }) => local) ? 0 : 1
  return {
    intervals: intervalsFor(counts, subscribed, lookUps, settings),
    watches: counts.reduce((sum, { count }) => sum + count, 0),
    lookUps,
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
