// Which pairs of fingerprints are proven to be of one device, or of two, and how do they compare? Each account and network counts once.

import { allParts, components, type Family, families, place } from '../identity/components.ts'
import type { KnownFingerprint } from '../identity/fingerprint.ts'
import { ageClassOf, ages, compare, outcome, speakerOf } from '../identity/score.ts'

/** An installation whose visits a key proved. */
export interface ProvenInstallation {
  readonly fingerprint: KnownFingerprint
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** Accounts that a backend confirmed for its device. */
  readonly accounts: ReadonlySet<string>
}

/** How often each part compared so, by the component that it counts by (`eventOf`). */
export interface ProvenCounts {
  /** Installations that counted. */
  pairs: number
  /** One device, by age class: its first known state and its last. */
  readonly same: readonly Uint32Array[]
  /** Two devices of one system, engine and browser. */
  readonly different: Uint32Array
}

export type CountsOfFamilies = Readonly<Record<Family, ProvenCounts>>

/** Components by which installations are counted; what is learned from them would be about the choice, not about devices. */
const chosenBy: ReadonlySet<number> = new Set([place.provider, place.network, place.address])
/** The parts that can be learned, each with places of its components. */
export const learnedParts = allParts.filter((part) => !part.some((its) => chosenBy.has(its)))

/** Two events of each component: it agrees, or it differs. */
export const events = 2 * components.length
export const eventOf = (component: number, differs: boolean): number => 2 * component + (differs ? 1 : 0)

/** An installation that was seen for less than this never counts: it costs nothing to make one. */
export const establishedMs = 86_400_000

/** Only hashes are remembered, and only while this counts. */
export function provenPairs() {
  const counted = new Set<number | string>()
  const last = new Map<string, KnownFingerprint>()
  const counts = Object.fromEntries(
    families.map((family): [Family, ProvenCounts] => [
      family,
      {
        pairs: 0,
        same: Array.from({ length: ages }, () => new Uint32Array(events)),
        different: new Uint32Array(events),
      },
    ]),
  ) as CountsOfFamilies

  return {
    counts,
    /** False: it does not count. Its network or one of its accounts did before, or it is too new. */
    add({ fingerprint, firstSeenAt, lastSeenAt, accounts }: ProvenInstallation): boolean {
      if (fingerprint.isIndistinguishable || fingerprint.platformKey === 0) return false
      if (lastSeenAt < firstSeenAt + establishedMs) return false
      const voters = [fingerprint.hashes[place.network]!, ...accounts]
      if (voters.some((one) => counted.has(one))) return false
      for (const one of voters) counted.add(one)
      const its = counts[fingerprint.family]
      its.pairs++
      count(its.same[ageClassOf(lastSeenAt - firstSeenAt)]!, firstStateOf(fingerprint), fingerprint)
      const line = `${fingerprint.family} ${fingerprint.platformKey}`
      const other = last.get(line)
      if (other) count(its.different, withoutPrevious(other), fingerprint)
      last.set(line, fingerprint)
      return true
    },
  }
}

function count(into: Uint32Array, known: KnownFingerprint, visit: KnownFingerprint): void {
  const outcomes = compare(known, visit)
  for (const part of learnedParts) {
    const speaker = speakerOf(part, outcomes)
    if (speaker >= 0) into[eventOf(speaker, outcomes[speaker] === outcome.differs)]!++
  }
}

/** As it was when it came first, as far as that is stored: the oldest of the previous values of each component. */
function firstStateOf(known: KnownFingerprint): KnownFingerprint {
  const hashes = new Uint32Array(known.hashes)
  for (const [its, values] of known.previous) hashes[its] = values.at(-1)!
  return withoutPrevious({ ...known, hashes })
}

const withoutPrevious = (known: KnownFingerprint): KnownFingerprint => ({ ...known, previous: new Map() })
