// Which reasons speak for a verdict, how strongly, and what could the facts say that are missing?

import { combined } from '../scores/combine.ts'

/** A reason for a verdict. `weight`: 0 to 1, the probability of the verdict if this were the only reason. */
export interface Reason {
  readonly text: string
  readonly weight: number
}

/** `undefined`: a fact is missing, so that nobody knows. */
export type Known = boolean | undefined

export type Row = readonly [holds: Known, weight: number, text: string]

/** The rows of a table whose condition is true. */
export const holding = (table: readonly Row[]): Reason[] => reasonsWhere(table, (holds) => holds === true)

function reasonsWhere(table: readonly Row[], isTaken: (holds: Known) => boolean): Reason[] {
  const reasons: Reason[] = []
  for (const row of table) if (isTaken(row[0])) reasons.push({ text: row[2], weight: row[1] })
  return reasons
}

/**
 * Whether the score of the table reaches the limit. `undefined` when it does not, but would if the missing facts said so: a report
 * that leaves facts out never looks better than one that has them.
 */
export function reaches(table: readonly Row[], isEnough: (score: number) => boolean): Known {
  if (isEnough(combined(holding(table)))) return true
  const possible = reasonsWhere(table, (holds) => holds !== false)
  return isEnough(combined(possible)) ? undefined : false
}

/** Whether all hold: one that does not is enough to know. */
export const both = (...conditions: readonly Known[]): Known =>
  conditions.includes(false) ? false : conditions.includes(undefined) ? undefined : true

/** Whether at least so many hold. */
export function atLeast(count: number, conditions: readonly Known[]): Known {
  const held = conditions.filter((condition) => condition === true).length
  const open = conditions.filter((condition) => condition === undefined).length
  return held >= count ? true : held + open >= count ? undefined : false
}

export const textsOf = (reasons: readonly Reason[]) => reasons.map(({ text, weight }) => `${text} (${weight})`)
