// What is the value of a velocity? The arithmetic of windows and counts, which the store and the replay of a backtest share.

import { partsOfOne } from '../language/decimals.ts'
import type { VelocityMeasure } from '../language/rule.ts'
import { mostDistinct, mostUnits, unitsPerOne } from '../language/velocity-limits.ts'

/** A window is counted in tenths, so that a key needs few records. */
const tenths = 10

export const tenthMsOf = (withinMs: number): number => withinMs / tenths

/**
 * When something that happened at this time leaves the window, in tenths since 1970: when its tenth is as old as the window. So the
 * window is never shorter than declared, and at most a tenth longer.
 */
export const leavingTenth = (at: number, tenthMs: number): number => Math.floor(at / tenthMs) + tenths + 1

/** The same in epoch milliseconds. */
export const leavesAt = (at: number, withinMs: number): number =>
  leavingTenth(at, tenthMsOf(withinMs)) * tenthMsOf(withinMs)

/** An amount in ten-thousandths. Undefined below 0, which would let a caller lower the sum, and for what is no number. */
export function unitsOf(amount: unknown): number | undefined {
  if (typeof amount === 'string') {
    const units = partsOfOne(amount, BigInt(unitsPerOne))
    return units === undefined || units < 0n ? undefined : Math.min(mostUnits, Number(units))
  }
  if (typeof amount !== 'number') return undefined
  return amount >= 0 ? Math.min(mostUnits, Math.round(amount * unitsPerOne)) : undefined
}

/** The sum of two amounts in ten-thousandths. */
export const unitsSum = (a: number, b: number): number => Math.min(mostUnits, a + b)

/** What is counted for a key within its window. */
export interface Counted {
  /** Decisions, or distinct values: at most `mostDistinct`. */
  readonly n: number
  /** Sum in ten-thousandths. */
  readonly units: number
  /** Whether the value of the present decision is among the distinct ones. */
  readonly isKnown: boolean
}

/** What the present decision adds to a velocity; undefined when it adds nothing. */
export interface Contribution {
  readonly units: number
}

/** The value of a velocity, including the present decision. */
export function velocityValue(
  measure: VelocityMeasure,
  { n, units, isKnown }: Counted,
  added: Contribution | undefined,
): number {
  if (measure === 'sum') return unitsSum(units, added?.units ?? 0) / unitsPerOne
  if (measure === 'count') return n + (added ? 1 : 0)
  return Math.min(mostDistinct, n + (added && !isKnown ? 1 : 0))
}
