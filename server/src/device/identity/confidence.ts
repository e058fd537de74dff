// How sure is an identification? The log-odds of a decision, read as a probability off what held-out visits showed.

import fitted from './calibration.json' with { type: 'json' }
import type { Family } from './components.ts'

/** Log-odds in nats, rising, and the share of decisions with such log-odds that were right. */
export type Curve = readonly (readonly [logOdds: number, probability: number])[]

export interface FamilyCalibration {
  /** Where a visit was taken for one of a known device. */
  readonly known: Curve
  /** Where it was taken for the first of its device. */
  readonly new: Curve
}

const calibration = fitted.families as unknown as Readonly<Record<Family, FamilyCalibration>>

/** A token that fits the hardware. Not measured: copies of a browser's profile on equal hardware are what is left of doubt. */
export const confidenceByToken = 0.999
/** Of devices that all look alike one without a token is taken for new, and nothing tells whether it is. */
export const confidenceOfUniform = 0.5

/** From 0 to 1. Between two points of the curve a straight line; beyond them the last one's. */
export function confidenceOf(family: Family, kind: keyof FamilyCalibration, logOdds: number): number {
  return read(calibration[family][kind], logOdds)
}

export function read(curve: Curve, logOdds: number): number {
  const next = curve.findIndex(([at]) => at >= logOdds)
  if (next <= 0) return (next === 0 ? curve[0] : curve.at(-1))?.[1] ?? 0.5
  const [[fromAt, from], [toAt, to]] = [curve[next - 1]!, curve[next]!]
  return from + ((to - from) * (logOdds - fromAt)) / (toAt - fromAt)
}
