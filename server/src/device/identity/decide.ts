// Which known device is this, if any? And does a token belong to the device that bears it?

import type { NamedKey } from './blocking-keys.ts'
import { type Component, place } from './components.ts'
import type { Fingerprint, KnownFingerprint } from './fingerprint.ts'
import { cannotBeOne, compare, fullKeys, outcome, scorers, weights } from './score.ts'

export interface Candidate {
  readonly fingerprint: KnownFingerprint
  /** By the key's place among those asked for, with the number of devices that have it. */
  readonly shared: readonly { readonly place: number; readonly devices: number }[]
}

export interface Decision<Known> {
  /** Absent: none of the candidates. */
  readonly device: Known | undefined
  /** Log-odds, in nats, that the decision is right as the weights have it; calibration.json tells what it is worth. */
  readonly logOdds: number
  /** Of those that the hard rules let through, best first. */
  readonly scored: readonly { readonly candidate: Known; readonly score: number }[]
}

/**
 * The best candidate, when its score is above the threshold and leads the next one's (FP-STALKER: 0.994 and 0.10, as
 * probabilities). `full` are places of keys that too many devices have, which says that such devices are common. Two that fit alike are twins or one device that was split: neither is taken.
 */
export function decide<Known extends Candidate>(
  visit: Fingerprint,
  keys: readonly NamedKey[],
  candidates: readonly Known[],
  full: readonly number[],
): Decision<Known> {
  const { threshold, lead } = weights[visit.family]
  const score = scorers[visit.family]
  const crowded = full.map((place) => keys[place]!.name)
  const scored = candidates
    .flatMap((candidate) => {
      const outcomes = compare(candidate.fingerprint, visit)
      if (cannotBeOne(candidate.fingerprint, visit, outcomes)) return []
      const shared = candidate.shared.map(({ place, devices }) => ({ name: keys[place]!.name, devices }))
      return { candidate, score: score(outcomes, [...shared, ...fullKeys(visit.family, crowded, outcomes)]) }
    })
    .sort((a, b) => b.score - a.score)
  const [best, second] = scored
  const odds = scored.map(({ score }) => Math.exp(Math.min(score, 50)))
  const all = odds.reduce((sum, one) => sum + one, 0)
  const isKnown =
    best !== undefined && best.score >= threshold && best.score - (second?.score ?? Number.NEGATIVE_INFINITY) >= lead
  if (!isKnown) return { device: undefined, logOdds: all === 0 ? Number.POSITIVE_INFINITY : -Math.log(all), scored }
  return { device: best.candidate, logOdds: best.score - Math.log(1 + all - odds[0]!), scored }
}

/** Do the hard rules say that these are two? Of devices that all look alike they know nothing. */
export function excludes(known: KnownFingerprint, visit: Fingerprint): boolean {
  return !visit.isIndistinguishable && cannotBeOne(known, visit, compare(known, visit))
}

/** What neither a person nor an update changes. */
const machine: readonly Component[] = ['gpu', 'cores', 'memory', 'touch', 'architecture', 'platform']

/**
 * Does a token name a device that this cannot be? Another system, engine, browser or model, or two differences in hardware:
 * one alone may be a second graphics card, a private window that tells fewer cores, a downgrade.
 */
export function contradicts(known: KnownFingerprint, visit: Fingerprint): boolean {
  if (known.platformKey === 0 || visit.platformKey === 0) return false
  const outcomes = compare(known, visit)
  const differs = (name: Component) => outcomes[place[name]] === outcome.differs
  if (known.platformKey !== visit.platformKey || differs('model')) return true
  const isOlder = visit.version !== 0 && visit.version < known.version
  return machine.filter(differs).length + (isOlder ? 1 : 0) >= 2
}
