// How risky is this session? Every weight that fired, and the reputation of the IP address.

import type { WeightName } from '../signals/index.ts'
import { type Contribution, combined } from './combine.ts'
import { type SignalWeight, weights } from './weights.ts'

/** The worst reputation of an IP address weighs as much as a Tor exit. */
const ipAddressWeight = 0.5

export interface SessionScore {
  /** 0 to 100. */
  readonly score: number
  readonly contributions: readonly Contribution[]
}

/** The session score by these weights. */
export function sessionScoreOf<Name extends string>(weights: Readonly<Record<Name, SignalWeight>>) {
  return (fired: readonly Name[], fraudScore = 0): SessionScore => {
    const contributions: Contribution[] = fired.map((source) => {
      const { session: weight, because } = weights[source]
      return { source, weight, because }
    })
    if (fraudScore > 0 && !fired.some((name) => weights[name].ratesIpAddress)) {
      const weight = (ipAddressWeight * fraudScore) / 100
      contributions.push({ source: 'fraudScore', weight, because: `the IP address has a fraud score of ${fraudScore}` })
    }
    return { score: combined(contributions, 100), contributions }
  }
}

/**
 * sessionRiskScore of specification 2.6. `fired`: names of the weights that fired; `fraudScore`: of the IP address (0 to 100), which
 * counts unless a weight that fired rates the IP address already.
 */
export const sessionScore: (fired: readonly WeightName[], fraudScore?: number) => SessionScore = sessionScoreOf(weights)
