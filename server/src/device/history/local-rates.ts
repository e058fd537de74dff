// What share of the sessions from this IP address was bad, by this tenant's labels? One read; none for a tenant without labels.

import type { Clock } from '../../core/clock.ts'
import { ExpiringMap } from '../../core/expiring-map.ts'
import type { Database } from '../../core/storage/database.ts'
import { baseRateOf, type LocalOutcome, localRate } from '../../ip/local-rate.ts'
import { type IpHashes, type IpLabel, labelsOfPrefix, newestLabels } from '../store/labels/ip-labels.ts'
import { isBad } from './label.ts'

export interface LocalRates {
  /** 0 to 1; undefined when the tenant has no labels. */
  of(tenantId: string, address: IpHashes): Promise<number | undefined>
  /** Must be called when the tenant adds a label, so that the next rate counts it. */
  labelled(tenantId: string): void
}

/** A label that came in through another process counts after this time at the latest. */
const baseTtlMs = 10_000
const mostTenants = 10_000

/** Caches the base rate of each tenant, so that a report costs at most one read. */
export function localRates({ database, clock }: { database: Database; clock: Clock }): LocalRates {
  const bases = new ExpiringMap<string, Promise<number | undefined>>({ clock, ttlMs: baseTtlMs, most: mostTenants })

  function baseOf(tenantId: string, now: number): Promise<number | undefined> {
    const cached = bases.get(tenantId)
    if (cached) return cached
    const rate = newestLabels(database, tenantId).then((labels) =>
      labels.length === 0 ? undefined : baseRateOf(labels.map((label) => rated(label, now))),
    )
    rate.catch(() => bases.delete(tenantId))
    bases.set(tenantId, rate, { since: now })
    return rate
  }

  return {
    async of(tenantId, { ipPrefixHash, ipHash }) {
      const now = clock.now()
      const baseRate = await baseOf(tenantId, now)
      if (baseRate === undefined) return undefined
      const found = await labelsOfPrefix(database, { tenantId, ipPrefixHash })
      const ofAddress = found.filter((label) => Buffer.compare(label.ipHash, ipHash) === 0)
      return localRate({
        ofPrefix: found.map((label) => rated(label, now)),
        ofAddress: ofAddress.map((label) => rated(label, now)),
        baseRate,
      })
    },
    labelled: (tenantId) => void bases.delete(tenantId),
  }
}

const rated = ({ label, knownAt }: Pick<IpLabel, 'label' | 'knownAt'>, now: number): LocalOutcome => ({
  isBad: isBad(label),
  ageMs: now - knownAt,
})
