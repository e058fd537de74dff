// By which weights is a tenant's traffic compared? By those of weights.json, or with what was learned; built once for each revision.

import type { Clock } from '../../core/clock.ts'
import { ExpiringMap } from '../../core/expiring-map.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { type Family, families } from '../identity/components.ts'
import { completenessOf } from '../identity/confidence.ts'
import type { Fingerprint } from '../identity/fingerprint.ts'
import { type Model, models, revision, scorerOf, weights } from '../identity/score.ts'
import { findLearning } from '../store/device-learning.ts'
import { type Learned, shifted } from './shifts.ts'

export interface TenantModels {
  /** Names the weights. */
  readonly revision: string
  readonly models: Readonly<Record<Family, Model>>
  /** The probability that a known device is the right one, by what the tenant's keys proved of such answers. */
  sure(visit: Fingerprint, confidence: number): number
}

/** Those of a tenant that uses nothing that was learned. */
export const priorModels: TenantModels = { revision, models, sure: (_, confidence) => confidence }

export function modelsWith({ shifts, sureness }: Learned, number: number): TenantModels {
  const its = families.map((family): [Family, Model] => {
    const moved = shifts[family]
    if (!moved) return [family, models[family]]
    return [family, { ...models[family], score: scorerOf(shifted(weights[family], moved)) }]
  })
  return {
    revision: `${revision}+${number}`,
    models: Object.fromEntries(its) as unknown as TenantModels['models'],
    sure(visit, confidence) {
      const nats = sureness[visit.family]?.[completenessOf(visit)]
      return nats === undefined ? confidence : moveOdds(confidence, nats)
    },
  }
}

/** The probability whose log-odds are higher by so many nats. */
export function moveOdds(probability: number, nats: number): number {
  const odds = (probability / (1 - probability)) * Math.exp(nats)
  return Number.isFinite(odds) ? odds / (1 + odds) : probability
}

export interface LearnedModels {
  of(tenantId: string): Promise<TenantModels>
}

/** What another server or a command changed counts after this time at the latest. */
export const rereadMs = 10_000
const mostTenants = 10_000

export function learnedModels({ database, clock }: { database: Queryable; clock: Clock }): LearnedModels {
  const read = new ExpiringMap<string, Promise<TenantModels>>({ clock, ttlMs: rereadMs, most: mostTenants })
  const built = new Map<string, { readonly number: number; readonly models: TenantModels }>()

  async function reread(tenantId: string): Promise<TenantModels> {
    const row = await findLearning(database, tenantId)
    if (!row || row.state === 'off') {
      built.delete(tenantId)
      return priorModels
    }
    const before = built.get(tenantId)
    if (before?.number === row.revision) return before.models
    const models = modelsWith(row.learned, row.revision)
    built.set(tenantId, { number: row.revision, models })
    return models
  }

  return {
    of(tenantId) {
      const known = read.get(tenantId)
      if (known) return known
      const since = clock.now()
      const reading = reread(tenantId)
      reading.catch(() => read.delete(tenantId))
      read.set(tenantId, reading, { since })
      return reading
    },
  }
}
