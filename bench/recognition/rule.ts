// What would a rule without weights say? Of those that share a key: the same system and browser, and at most five changes.

import type { Alike } from '../../server/src/device/recognition/likeness.ts'
import type { Portrait } from '../../server/src/device/recognition/portrait.ts'
import { cannotBeOne, changedParts, compare } from '../../server/src/device/recognition/score.ts'

/** Does the rule take the two for one device? */
export function isOneByRule({ portrait }: Alike, visit: Portrait): boolean {
  return !cannotBeOne(portrait, visit, compare(portrait, visit))
}

/** The one with the fewest changes; none when two are equal, or when it is excluded. */
export function deviceByRule(candidates: readonly Alike[], visit: Portrait): Alike | undefined {
  const [best, second] = candidates
    .filter((candidate) => isOneByRule(candidate, visit))
    .map((candidate) => ({ candidate, changes: changedParts(compare(candidate.portrait, visit)) }))
    .sort((a, b) => a.changes - b.changes)
  return best && best.changes !== second?.changes ? best.candidate : undefined
}
