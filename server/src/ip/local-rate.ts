// How bad were the sessions that came from an address, as far as they were labelled here? Few labels say little: rates are shrunken.

/** One labelled session. */
export interface LocalOutcome {
  readonly isBad: boolean
  /** Since it was known. */
  readonly ageMs: number
}

/** A label is half forgotten after this, as in the history of a device. */
const halfLifeMs = 90 * 86_400_000
/** So many labelled sessions of the wider kind are added to what was seen of the narrower one. */
const prior = { tenant: 100, prefix: 40, address: 10 }
/**
 * Fraud is rarer than this nearly everywhere. A greater share among labels says that the bad sessions are those that get labelled,
 * and must not hide that they come from one place.
 */
const highestBaseRate = 0.05

/** The share of bad sessions of a tenant, shrunken towards none, and no more than it can be. */
export function baseRateOf(outcomes: readonly LocalOutcome[]): number {
  return Math.min(highestBaseRate, shrunken(outcomes, 0, prior.tenant))
}

/**
 * 0 to 1: how far the share of bad sessions of an address is above the tenant's base rate. The rate of the address is shrunken towards
 * that of the block around it, which is shrunken towards the base rate (an empirical Bayes estimate, as of a beta-binomial
 * model). 0 for an address of which nothing is known, and for one that is no worse than others.
 */
export function localRate({
  ofPrefix,
  ofAddress,
  baseRate,
}: {
  /** Those of the address among them. */
  ofPrefix: readonly LocalOutcome[]
  ofAddress: readonly LocalOutcome[]
  baseRate: number
}): number {
  const rateOfPrefix = shrunken(ofPrefix, baseRate, prior.prefix)
  const rate = shrunken(ofAddress, rateOfPrefix, prior.address)
  return Math.max(0, (rate - baseRate) / (1 - baseRate))
}

function shrunken(outcomes: readonly LocalOutcome[], towards: number, priorOutcomes: number): number {
  let bad = towards * priorOutcomes
  let all = priorOutcomes
  for (const { isBad, ageMs } of outcomes) {
    // A clock that was put back makes no label count more.
    const weight = 0.5 ** (Math.max(0, ageMs) / halfLifeMs)
    all += weight
    if (isBad) bad += weight
  }
  return bad / all
}
