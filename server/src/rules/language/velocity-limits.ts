// How large can the value of a velocity be? A comparison with more never holds, or always.

import { velocityPath } from './paths.ts'
import type { Comparison, Velocity, VelocityMeasure } from './rule.ts'

/** More distinct values are not told apart: the velocity says 1,000, which means at least 1,000. */
export const mostDistinct = 1_000

/** Sums are counted in whole ten-thousandths, so that their order cannot change them. */
export const unitsPerOne = 10_000
/** The largest sum in ten-thousandths; a larger one stays there, and means at least so much. */
export const mostUnits = Number.MAX_SAFE_INTEGER
/** The same as a value that a rule reads: about 900 billion. */
const mostSum = mostUnits / unitsPerOne

const limits: Readonly<Record<VelocityMeasure, { readonly most: number; readonly words: string } | undefined>> = {
  count: undefined,
  distinct: { most: mostDistinct, words: 'counts up to 1,000 distinct values' },
  sum: { most: mostSum, words: 'adds up to 900,719,925,474.0991' },
}

/** What is wrong with a comparison of a velocity of the rule set, and with which of its values; undefined when it can hold or not hold. */
export function limitMistake(
  comparison: Comparison,
  velocities: readonly Velocity[],
): { operand: number; reason: string } | undefined {
  const velocity = velocities.find(({ name }) => comparison.path === velocityPath(name))
  const limit = velocity && limits[velocity.measure]
  if (!limit) return undefined
  const beyond = beyondLimit(comparison, limit.most)
  return (
    beyond && {
      operand: beyond.operand,
      reason: `${comparison.path} ${limit.words}, so this ${beyond.holds} holds: compare with at most ${limit.most}; >= ${limit.most} holds from there on`,
    }
  )
}

function beyondLimit(comparison: Comparison, most: number): { holds: 'never' | 'always'; operand: number } | undefined {
  switch (comparison.op) {
    case 'in': {
      const operand = comparison.values.findIndex((value) => typeof value === 'number' && value > most)
      return operand < 0 ? undefined : { holds: 'never', operand }
    }
    case 'between':
      if (comparison.from > most) return { holds: 'never', operand: 0 }
      return comparison.to > most ? { holds: 'always', operand: 1 } : undefined
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const { op, value } = comparison
      if (typeof value !== 'number') return undefined
      // The largest value itself is reached: only > and <= say nothing about it.
      const isBeyond = op === '>' || op === '<=' ? value >= most : value > most
      return isBeyond ? { holds: ['<', '<=', '!='].includes(op) ? 'always' : 'never', operand: 0 } : undefined
    }
    default:
      return undefined
  }
}
