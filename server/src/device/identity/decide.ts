// Which known device is this, if any? And does a token belong to the device that sent it?

import type { NamedKey } from './blocking-keys.ts'
import { type Component, place } from './components.ts'
import type { Fingerprint, KnownFingerprint } from './fingerprint.ts'
import { cannotBeOne, compare, fullKeys, outcome, scorers, weights } from './score.ts'

export interface Candidate {
  readonly fingerprint: KnownFingerprint
  /** Epoch milliseconds of its last visit. */
  readonly lastSeenAt: number
  /** Shared keys: the place in the queried keys, and the number of devices with the key. */
  readonly shared: readonly { readonly place: number; readonly devices: number }[]
}

export interface Decision<Known> {
  /** Undefined: none of the candidates. */
  readonly device: Known | undefined
  /** Log-odds in nats that the decision is right, by the weights; calibration.json converts them to a probability. */
  readonly logOdds: number
  /** Candidates that pass the hard rules, best first. */
  readonly scored: readonly { readonly candidate: Known; readonly score: number }[]
}

/**
 * The best candidate, when its score is above the threshold and leads the next one's (FP-STALKER: 0.994 and 0.10, as
 * probabilities). `full` are the places of full keys: such devices are common. Two equally good candidates are identical devices or
 * one device with two records; neither is chosen.
 */
export function decide<Known extends Candidate>(
  visit: Fingerprint,
  keys: readonly NamedKey[],
  candidates: readonly Known[],
  full: readonly number[],
  now: number,
): Decision<Known> {
  const { threshold, lead } = weights[visit.family]
  const score = scorers[visit.family]
  const crowded = full.map((place) => keys[place]!.name)
  const scored = candidates
    .flatMap((candidate) => {
      const outcomes = compare(candidate.fingerprint, visit)
      if (cannotBeOne(candidate.fingerprint, visit, outcomes)) return []
      const shared = candidate.shared.map(({ place, devices }) => ({ name: keys[place]!.name, devices }))
      return {
        candidate,
        score: score(outcomes, [...shared, ...fullKeys(visit.family, crowded, outcomes)], now - candidate.lastSeenAt),
      }
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

/** Whether the hard rules say that these are two devices. They cannot say so for indistinguishable devices. */
export function excludes(known: KnownFingerprint, visit: Fingerprint): boolean {
  return !visit.isIndistinguishable && cannotBeOne(known, visit, compare(known, visit))
}

/** Components that neither the user nor an update changes. */
const machine: readonly Component[] = ['gpu', 'cores', 'memory', 'touch', 'architecture', 'platform']

/**
 * Whether a token names a device that this cannot be: another system, engine, browser or model, or two hardware differences.
 * A single difference may be a second graphics card, a private window with fewer cores, or a downgrade.
 */
export function contradicts(known: KnownFingerprint, visit: Fingerprint): boolean {
  if (known.platformKey === 0 || visit.platformKey === 0) return false
  const outcomes = compare(known, visit)
  const differs = (name: Component) => outcomes[place[name]] === outcome.differs
  if (known.platformKey !== visit.platformKey || differs('model')) return true
  const isOlder = visit.version !== 0 && visit.version < known.version
  return machine.filter(differs).length + (isOlder ? 1 : 0) >= 2
}
