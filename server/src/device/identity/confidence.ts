// How sure is an identification? Converts log-odds to a probability, with a curve measured on held-out visits.

import fitted from './calibration.json' with { type: 'json' }
import { type Family, place } from './components.ts'
import type { Fingerprint } from './fingerprint.ts'

/** Rising log-odds in nats, and the share of right decisions at such log-odds. */
export type Curve = readonly (readonly [logOdds: number, probability: number])[]

export interface FamilyCalibration {
  /** For visits that were assigned to a known device. */
  readonly known: Curve
  /** For visits that were assigned to a new device. */
  readonly new: Curve
}

/** How much of a device a visit shows: fewer facts make the same log-odds less certain. */
export const completenesses = ['all', 'withoutAddress', 'some', 'few'] as const
export type Completeness = (typeof completenesses)[number]

const calibration = fitted.families as unknown as Readonly<
  Record<Family, Readonly<Record<Completeness, FamilyCalibration>>>
>

/** How many components a browser of this family has. */
const usual: Readonly<Record<Family, number>> = { 'blink-desktop': 36, 'blink-mobile': 33, gecko: 31, webkit: 34 }

/** Compares the number of known components with the usual number of the family. */
export function completenessOf({ family, hashes }: Fingerprint): Completeness {
  let count = 0
  for (const hash of hashes) if (hash !== 0) count++
  const isPlaced = hashes[place.address] !== 0
  // The IP address gives three components.
  const part = (isPlaced ? count : count + 3) / usual[family]
  if (part < 0.6) return 'few'
  if (part < 0.9) return 'some'
  return isPlaced ? 'all' : 'withoutAddress'
}

/** The installation proved its key. An estimate: a copied browser profile is the remaining risk. */
export const confidenceByKey = 0.999
/** Facts never prove more than a key does. An estimate where a visit hides those that could contradict: attackers choose which, people do not. */
export const mostByFacts = (visit: Fingerprint) => (completenessOf(visit) === 'few' ? 0.9 : confidenceByKey)
/** Below it, similarity gives no id away: the visit gets a new id, and the device that it resembles is `likely`. */
export const sureFrom = 0.9
/** A token without a key can be copied. An estimate, lower where too few facts could contradict it. */
export const confidenceByToken = (visit: Fingerprint) => Math.min(0.99, mostByFacts(visit))
/** An indistinguishable device without key or token counts as new, which nothing can confirm. */
export const confidenceOfIndistinguishable = 0.5

/**
 * The probability that a decision is right, from 0 to 1. Interpolates linearly; above the measured log-odds, the last point counts.
 * Below them, a known device has at most the odds of its weights: several devices fit alike, and one of them was chosen.
 */
export function confidenceOf(visit: Fingerprint, kind: keyof FamilyCalibration, logOdds: number): number {
  const curve = calibration[visit.family][completenessOf(visit)][kind]
  const measured = read(curve, logOdds)
  const isBelow = kind === 'known' && logOdds < (curve[0]?.[0] ?? 0)
  return isBelow ? Math.min(measured, 1 / (1 + Math.exp(-logOdds))) : measured
}

export function read(curve: Curve, logOdds: number): number {
  const next = curve.findIndex(([at]) => at >= logOdds)
  if (next <= 0) return (next === 0 ? curve[0] : curve.at(-1))![1]
  const [[fromAt, from], [toAt, to]] = [curve[next - 1]!, curve[next]!]
  return from + ((to - from) * (logOdds - fromAt)) / (toAt - fromAt)
}
