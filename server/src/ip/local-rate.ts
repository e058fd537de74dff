// How bad were the labelled sessions from an IP address? Rates are shrunken, because few labels say little.

/** One labelled session. */
export interface LocalOutcome {
  readonly isBad: boolean
  /** Time since the label, in ms. */
  readonly ageMs: number
}

/** The weight of a label halves in this time, as in the history of a device. */
const halfLifeMs = 90 * 86_400_000
/** Weight of the wider rate, as a number of labelled sessions that are added to those of the narrower one. */
const prior = { tenant: 100, prefix: 40, address: 10 }
/**
 * Fraud is rarer than this nearly everywhere. A greater share means that mostly bad sessions are labelled, and it must not hide
 * that they come from one place.
 */
const highestBaseRate = 0.05

/** The share of bad sessions of a tenant, shrunken towards 0 and capped. */
export function baseRateOf(outcomes: readonly LocalOutcome[]): number {
  return Math.min(highestBaseRate, shrunken(outcomes, 0, prior.tenant))
}

/**
 * 0 to 1: how far the share of bad sessions of an IP address is above the tenant's base rate. The rate of the address is shrunken
 * towards that of the block around it, which is shrunken towards the base rate (an empirical Bayes estimate of a beta-binomial
 * model). 0 for an unknown address, and for one that is no worse than others.
 */
export function localRate({
  ofPrefix,
  ofAddress,
  baseRate,
}: {
  /** Includes those of the address. */
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
    // A clock that was set back must not raise the weight of a label.
    const weight = 0.5 ** (Math.max(0, ageMs) / halfLifeMs)
    all += weight
    if (isBad) bad += weight
  }
  return bad / all
}
