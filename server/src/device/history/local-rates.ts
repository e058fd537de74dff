// How bad were the sessions from this address, by the labels of this tenant? One look into the store, none where nothing was labelled.

import type { Clock } from '../../clock.ts'
import { ExpiringMap } from '../../expiring-map.ts'
import { baseRateOf, type LocalOutcome, localRate } from '../../ip/local-rate.ts'
import { isBad } from '../../rules/label.ts'
import type { Database } from '../../storage/database.ts'
import { type IpHashes, type IpLabel, labelsOfPrefix, newestLabels } from '../../storage/ip-labels.ts'

export interface LocalRates {
  /** 0 to 1; undefined where the tenant has labelled nothing. */
  of(tenantId: string, address: IpHashes): Promise<number | undefined>
  /** The tenant has labelled something now. */
  labelled(tenantId: string): void
}

/** So long labels that came in through another process may go unnoticed. */
const baseKeptMs = 10_000
const mostTenants = 10_000

/** Base rates of tenants are kept, so that a report costs one read at most. */
export function localRates({ database, clock }: { database: Database; clock: Clock }): LocalRates {
  const bases = new ExpiringMap<string, Promise<number | undefined>>({ clock, ttlMs: baseKeptMs, most: mostTenants })

  function baseOf(tenantId: string, now: number): Promise<number | undefined> {
    const kept = bases.get(tenantId)
    if (kept) return kept
    const rate = newestLabels(database, tenantId).then((labels) =>
      labels.length === 0 ? undefined : baseRateOf(labels.map((label) => judged(label, now))),
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
        ofPrefix: found.map((label) => judged(label, now)),
        ofAddress: ofAddress.map((label) => judged(label, now)),
        baseRate,
      })
    },
    labelled: (tenantId) => void bases.delete(tenantId),
  }
}

const judged = ({ label, knownAt }: Pick<IpLabel, 'label' | 'knownAt'>, now: number): LocalOutcome => ({
  isBad: isBad(label),
  ageMs: now - knownAt,
})
