// Which known device is this, if any? And does a token belong to the device that sent it?

import type { NamedKey } from './blocking-keys.ts'
import { place } from './components.ts'
import type { Fingerprint, KnownFingerprint } from './fingerprint.ts'
import {
  cannotBeOne,
  compare,
  fullKeys,
  hasOtherInside,
  type Model,
  mostOtherHardware,
  otherHardware,
  outcome,
  sharesKey,
} from './score.ts'

/** A record of a known device: the fingerprint of one of its installations. */
export interface Candidate {
  readonly fingerprint: KnownFingerprint
  readonly device: KnownDevice
  /** Epoch milliseconds of the installation's last visit. */
  readonly lastSeenAt: number
  /** Shared keys: the place in the queried keys; the number of devices with the key that can hide this one, and of all. */
  readonly shared: readonly { readonly place: number; readonly devices: number; readonly all: number }[]
}

/** What is known about the device of a record. */
export interface KnownDevice {
  /** 32 hex digits. */
  readonly id: string
  /** It returned a day after its first visit. */
  readonly isEstablished: boolean
  /** Of all its installations. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

/** Places of keys that are full: such devices are common. New devices never make a key full for established ones. */
export interface FullKeys {
  readonly full: readonly number[]
  readonly fullOfNew: readonly number[]
}

export interface Decision<Known> {
  /** The best record of the chosen device. Undefined: none of the candidates. */
  readonly record: Known | undefined
  /** Log-odds in nats that the decision is right, by the weights; calibration.json converts them to a probability. */
  readonly logOdds: number
  /** The highest confidence in the record: below 1 when its hardware differs and nothing but facts speaks for it. */
  readonly limit: number
  /** Candidates that pass the hard rules, best first. */
  readonly scored: readonly Scored<Known>[]
}

export interface Scored<Known> {
  readonly candidate: Known
  readonly score: number
  /** The score when new devices count too: an attacker can lower it, so it changes the confidence only. */
  readonly cautious: number
}

/** Devices whose scores differ by at most this, in nats, fit alike. */
const alike = 1
/** Also one that returned, beside a better one that never did: whoever has copied its facts can make devices in any network. */
const alikeOfEstablished = 2

/**
 * The device with the best record, when its score is above the threshold. Records of one device are one candidate. Of devices that
 * fit alike, an established one is chosen, then the one in the same network, then the older one; without such a network the one
 * seen last. The others lower the confidence.
 * They may be identical devices or one device that was split: a third record would never heal that.
 * @param model of the visit's family
 */
export function decide<Known extends Candidate>(
  visit: Fingerprint,
  keys: readonly NamedKey[],
  candidates: readonly Known[],
  { full, fullOfNew }: FullKeys,
  now: number,
  { score, threshold }: Model,
): Decision<Known> {
  const nameOf = (place: number) => keys[place]!.name
  const scored = candidates
    .flatMap((candidate): Scored<Known>[] => {
      const outcomes = compare(candidate.fingerprint, visit)
      if (cannotBeOne(candidate.fingerprint, visit, outcomes)) return []
      // Keys belong to the device: another record of it may have them.
      const shared = candidate.shared.filter(({ place }) => sharesKey(visit.family, nameOf(place), outcomes))
      const crowded = fullKeys(visit.family, (candidate.device.isEstablished ? full : fullOfNew).map(nameOf), outcomes)
      const scoreWith = (count: 'devices' | 'all') =>
        score(
          outcomes,
          [...shared.map((key) => ({ name: nameOf(key.place), devices: key[count] })), ...crowded],
          now - candidate.lastSeenAt,
        )
      const ordinary = scoreWith('devices')
      const isFlooded = shared.some(({ devices, all }) => devices !== all)
      return [{ candidate, score: ordinary, cautious: isFlooded ? Math.min(ordinary, scoreWith('all')) : ordinary }]
    })
    .sort((a, b) => b.score - a.score)
  const ofDevices = scored.filter(
    ({ candidate }, index) => scored.findIndex((other) => other.candidate.device.id === candidate.device.id) === index,
  )
  const chosen = firstOfAlike(visit, ofDevices)
  const others = ofDevices.reduce((sum, one) => sum + (one === chosen ? 0 : oddsOf(one)), 0)
  if (!chosen || chosen.score < threshold) {
    const all = others + (chosen ? oddsOf(chosen) : 0)
    return { record: undefined, logOdds: all === 0 ? Number.POSITIVE_INFINITY : -Math.log(all), limit: 1, scored }
  }
  const { candidate: record, cautious } = chosen
  return { record, logOdds: cautious - Math.log(1 + others), limit: limitOf(record.fingerprint, visit), scored }
}

/** The highest confidence for a device with another card, processor or memory, from a network where it has never been. */
const mostOfOtherHardware = 0.85

function limitOf(known: KnownFingerprint, visit: Fingerprint): number {
  const outcomes = compare(known, visit)
  const isAtHome = [outcome.agrees, outcome.agreesWithFormer].some((one) => outcomes[place.network] === one)
  return !isAtHome && hasOtherInside(outcomes) ? mostOfOtherHardware : 1
}

const oddsOf = ({ cautious }: Scored<unknown>) => Math.exp(Math.min(cautious, 50))

/** Of devices, best first, the one to choose among those that fit like the best one. */
export function firstOfAlike<Known extends Candidate>(
  visit: Fingerprint,
  ofDevices: readonly Scored<Known>[],
): Scored<Known> | undefined {
  const isNear = ({ fingerprint }: Known) => {
    const network = visit.hashes[place.network]
    return network !== 0 && fingerprint.hashes[place.network] === network
  }
  const [best] = ofDevices
  const isAlike = ({ score, candidate: { device } }: Scored<Known>) =>
    best !== undefined &&
    score >= best.score - (device.isEstablished && !best.candidate.device.isEstablished ? alikeOfEstablished : alike)
  return ofDevices.filter(isAlike).sort(
    ({ candidate: a }, { candidate: b }) =>
      Number(b.device.isEstablished) - Number(a.device.isEstablished) ||
      Number(isNear(b)) - Number(isNear(a)) ||
      // A device that was split keeps its first id, with its history.
      (isNear(a) ? a.device.firstSeenAt - b.device.firstSeenAt : b.device.lastSeenAt - a.device.lastSeenAt),
  )[0]
}

/** Whether the hard rules say that these are two devices. They cannot say so for indistinguishable devices. */
export function excludes(known: KnownFingerprint, visit: Fingerprint): boolean {
  return !visit.isIndistinguishable && cannotBeOne(known, visit, compare(known, visit))
}

/**
 * Whether a token names a device that this cannot be, by the same hardware as without a token: another system, engine, browser or
 * model, or differences in two groups. An older version is no difference alone, but counts as one group: it may be a downgrade.
 */
export function contradicts(known: KnownFingerprint, visit: Fingerprint): boolean {
  if (known.platformKey === 0 || visit.platformKey === 0) return false
  if (known.platformKey !== visit.platformKey) return true
  const isOlder = visit.version !== 0 && visit.version < known.version
  return otherHardware(visit.family, compare(known, visit)) + (isOlder ? 1 : 0) > mostOtherHardware
}
