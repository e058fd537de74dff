// How bad were the sessions from this address, by the labels of this tenant? One look into the store, none where nothing was labelled.

import type { Clock } from '../../clock.ts'
import { baseRateOf, type LocalOutcome, localRate } from '../../ip/local-rate.ts'
import { isBad } from '../../rules/label.ts'
import {
  type AddressHashes,
  type AddressOutcome,
  newestOutcomes,
  outcomesOfPrefix,
} from '../../storage/address-outcomes.ts'
import type { Database } from '../../storage/database.ts'

export interface LocalRates {
  /** 0 to 1; undefined where the tenant has labelled nothing. */
  of(tenantId: string, address: AddressHashes): Promise<number | undefined>
  /** The tenant has labelled something now. */
  labelled(tenantId: string): void
}

interface Base {
  readonly rate: Promise<number | undefined>
  readonly until: number
}

/** So long labels that came in through another process may go unnoticed. */
const baseKeptMs = 10_000
const mostTenants = 10_000

/** Base rates of tenants are kept, so that a report costs one read at most. */
export function localRates({ database, clock }: { database: Database; clock: Clock }): LocalRates {
  const bases = new Map<string, Base>()

  function baseOf(tenantId: string, now: number): Promise<number | undefined> {
    const kept = bases.get(tenantId)
    // The clock may jump back.
    if (kept && now < kept.until && kept.until - now <= baseKeptMs) return kept.rate
    const rate = newestOutcomes(database, tenantId).then((outcomes) =>
      outcomes.length === 0 ? undefined : baseRateOf(outcomes.map((outcome) => judged(outcome, now))),
    )
    rate.catch(() => bases.delete(tenantId))
    bases.delete(tenantId)
    bases.set(tenantId, { rate, until: now + baseKeptMs })
    if (bases.size > mostTenants) bases.delete(bases.keys().next().value!)
    return rate
  }

  return {
    async of(tenantId, { prefixHash, addressHash }) {
      const now = clock.now()
      const baseRate = await baseOf(tenantId, now)
      if (baseRate === undefined) return undefined
      const found = await outcomesOfPrefix(database, { tenantId, prefixHash })
      const ofAddress = found.filter((outcome) => Buffer.compare(outcome.addressHash, addressHash) === 0)
      return localRate({
        ofPrefix: found.map((outcome) => judged(outcome, now)),
        ofAddress: ofAddress.map((outcome) => judged(outcome, now)),
        baseRate,
      })
    },
    labelled: (tenantId) => void bases.delete(tenantId),
  }
}

const judged = ({ outcome, knownAt }: Pick<AddressOutcome, 'outcome' | 'knownAt'>, now: number): LocalOutcome => ({
  isBad: isBad(outcome),
  ageMs: now - knownAt,
})
