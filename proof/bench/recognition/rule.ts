// What would a rule without weights decide? Among devices that share a key: same system and browser, at most five changes.

import type { Fingerprint } from '../../../server/src/device/identity/fingerprint.ts'
import { cannotBeOne, changedParts, compare, weights } from '../../../server/src/device/identity/score.ts'
import type { Similarity, SimilarRecord } from '../../../server/src/device/identity/similarity.ts'
import { byGroup, count, countPair, type Group, noOutcomes, noPairs } from './counts.ts'

/** Does the rule take the two for the same device? */
function isOneByRule({ fingerprint }: SimilarRecord, visit: Fingerprint): boolean {
  return !cannotBeOne(fingerprint, visit, compare(fingerprint, visit))
}

/** The candidate with the fewest changes; none when two are equal or all are excluded. */
function deviceByRule(candidates: readonly SimilarRecord[], visit: Fingerprint): SimilarRecord | undefined {
  const [best, second] = candidates
    .filter((candidate) => isOneByRule(candidate, visit))
    .map((candidate) => ({ candidate, changes: changedParts(compare(candidate.fingerprint, visit)) }))
    .sort((a, b) => a.changes - b.changes)
  return best && best.changes !== second?.changes ? best.candidate : undefined
}

/** Counts the decisions of the rule, next to those of the weights, on the same visits and candidates. */
export function startComparison() {
  const counts = { byRule: byGroup(noOutcomes), ourPairs: byGroup(noPairs), pairsByRule: byGroup(noPairs) }
  return {
    counts,
    /** @param own the true device, if it is known */
    add(group: Group, visit: Fingerprint, { candidates, scored }: Similarity, own: Uint8Array | undefined): void {
      const isOwn = ({ deviceId }: SimilarRecord) => own !== undefined && Buffer.compare(own, deviceId) === 0
      const ruled = deviceByRule(candidates, visit)
      count(counts.byRule[group], own !== undefined, ruled && (isOwn(ruled) ? 'own' : 'other'))
      const { threshold } = weights[visit.family]
      const alike = new Set(scored.filter(({ score }) => score >= threshold).map(({ candidate }) => candidate))
      for (const candidate of candidates) {
        countPair(counts.ourPairs[group], isOwn(candidate), alike.has(candidate))
        countPair(counts.pairsByRule[group], isOwn(candidate), isOneByRule(candidate, visit))
      }
    },
  }
}
