// How sure is an identification? Converts log-odds to a probability, with a curve measured on held-out visits.

import fitted from './calibration.json' with { type: 'json' }
import type { Family } from './components.ts'

/** Rising log-odds in nats, and the share of right decisions at such log-odds. */
export type Curve = readonly (readonly [logOdds: number, probability: number])[]

export interface FamilyCalibration {
  /** For visits that were assigned to a known device. */
  readonly known: Curve
  /** For visits that were assigned to a new device. */
  readonly new: Curve
}

const calibration = fitted.families as unknown as Readonly<Record<Family, FamilyCalibration>>

/** A token that fits the hardware. An estimate: a copied browser profile on equal hardware is the remaining risk. */
export const confidenceByToken = 0.999
/** An indistinguishable device without a token counts as new, which nothing can confirm. */
export const confidenceOfIndistinguishable = 0.5

/** From 0 to 1. Interpolates linearly; beyond the ends, uses the nearest point. */
export function confidenceOf(family: Family, kind: keyof FamilyCalibration, logOdds: number): number {
  return read(calibration[family][kind], logOdds)
}

export function read(curve: Curve, logOdds: number): number {
  const next = curve.findIndex(([at]) => at >= logOdds)
  if (next <= 0) return (next === 0 ? curve[0] : curve.at(-1))?.[1] ?? 0.5
  const [[fromAt, from], [toAt, to]] = [curve[next - 1]!, curve[next]!]
  return from + ((to - from) * (logOdds - fromAt)) / (toAt - fromAt)
}
