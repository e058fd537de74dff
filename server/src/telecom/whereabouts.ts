// What do several sources together state about a number: who serves it, who allocated it, and whether it was ported?

import type { OperatorEntry } from '../core/config/operator-entry.ts'
import type { OperatorId, PortabilityAnswer } from './portability-sources/source.ts'

/** An operator of a number. It has an id when a source or the registry knows one, else only a name. */
export interface Operator {
  id?: OperatorId
  /** Upper-case token. */
  name: string
  /** Its entry in the configuration file: settings and connector. */
  entry?: OperatorEntry
}

/** Merged statements. Of each kind the first counts. */
export interface Stated extends Partial<PortabilityAnswer> {
  readonly ageSeconds?: number | undefined
  /** The source that said whether it was ported. */
  readonly portedBy?: string
  readonly operatorBy?: string
  /** Another source than `portedBy` said that the number was ported away from home. */
  readonly othersSayPorted?: boolean
}

export interface Whereabouts {
  operator?: Operator
  homeOperator?: Operator
  ported?: boolean
}

/** Whether an answer states something that was not stated before. */
export function addsTo(stated: Stated, answer: PortabilityAnswer): boolean {
  return (['operator', 'homeOperator', 'ported'] as const).some(
    (key) => stated[key] === undefined && answer[key] !== undefined,
  )
}

/** Adds what was not stated before. */
export function merge(
  stated: Stated,
  { answer, ageSeconds, by }: { answer: PortabilityAnswer; ageSeconds?: number | undefined; by: string },
  toOperator: (id: OperatorId) => Operator,
): Stated {
  const { operator, homeOperator, ported } = answer
  const isBackHome =
    operator !== undefined && homeOperator !== undefined && same(toOperator(operator), toOperator(homeOperator))
  return {
    ...answer,
    ...(ported !== undefined && { portedBy: by }),
    ...(operator !== undefined && { operatorBy: by }),
    ...(ported && stated.ported !== undefined && !isBackHome && { othersSayPorted: true }),
    ...stated,
    ageSeconds: older(stated.ageSeconds, ageSeconds),
  }
}

/** Whether further sources can add nothing. A number that is not ported is with its home operator. */
export function isSettled({ operator, homeOperator, ported }: Stated): boolean {
  if (ported === false) return operator !== undefined || homeOperator !== undefined
  return ported !== undefined && operator !== undefined && homeOperator !== undefined
}

/**
 * What follows from the statements. "Not ported" never follows against a source that says ported, and sources that contradict each other
 * leave it open. Prefix data add a home operator and nothing else: numbers are ported and ranges change hands.
 */
export function conclude(
  stated: Stated,
  toOperator: (id: OperatorId) => Operator,
  homeByPrefix: Operator | undefined,
): Whereabouts {
  let operator = stated.operator === undefined ? undefined : toOperator(stated.operator)
  let homeOperator = stated.homeOperator === undefined ? undefined : toOperator(stated.homeOperator)
  let { ported } = stated
  if (ported && operator && homeOperator && same(operator, homeOperator)) {
    // The source that lists the port names the home operator as its recipient: the number was ported back.
    if (stated.operatorBy === stated.portedBy && !stated.othersSayPorted) ported = false
    else homeOperator = undefined
  } else if (ported === false) {
    if (stated.othersSayPorted || (operator && homeOperator && areDistinct(operator, homeOperator))) ported = undefined
    else {
      operator ??= homeOperator
      homeOperator ??= operator
    }
  }
  if (!homeOperator && homeByPrefix && !(ported && operator && isLike(operator, homeByPrefix)))
    homeOperator = homeByPrefix
  return {
    ...(operator && { operator }),
    ...(homeOperator && { homeOperator }),
    ...(ported !== undefined && { ported }),
  }
}

/** The age of the oldest reused answer. New answers have no age. */
const older = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)

/** Compares by id, never by name. */
const same = (a: Operator, b: Operator) => a.id !== undefined && a.id === b.id

/** Two ids that the configuration does not know may be one operator. */
const areDistinct = (a: Operator, b: Operator) => a.entry !== undefined && b.entry !== undefined && a.id !== b.id

const isLike = (a: Operator, b: Operator) => same(a, b) || a.name === b.name
