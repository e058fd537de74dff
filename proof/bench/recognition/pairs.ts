// What does the scorer see of a visit and a candidate? Compared components, shared keys and the age, as decide.ts passes them.

import { cannotBeOne, compare, fullKeys, type SharedKey, sharesKey } from '../../../server/src/device/identity/score.ts'
import type { Trial, TrialCandidate } from './trials.ts'

export interface Pair {
  readonly candidate: TrialCandidate
  readonly outcomes: Uint8Array
  readonly shared: readonly SharedKey[]
  readonly age: number
}

/** The candidates that the hard rules allow. */
export function pairsOf({ visit, keys, candidates, full: { full, fullOfNew }, now }: Trial): Pair[] {
  const nameOf = (place: number) => keys[place]!.name
  return candidates.flatMap((candidate): Pair[] => {
    const outcomes = compare(candidate.fingerprint, visit)
    if (cannotBeOne(candidate.fingerprint, visit, outcomes)) return []
    const shared = candidate.shared
      .filter(({ place }) => sharesKey(visit.family, nameOf(place), outcomes))
      .map(({ place, devices }) => ({ name: nameOf(place), devices }))
    const crowded = fullKeys(visit.family, (candidate.device.isEstablished ? full : fullOfNew).map(nameOf), outcomes)
    return [{ candidate, outcomes, shared: [...shared, ...crowded], age: now - candidate.lastSeenAt }]
  })
}
