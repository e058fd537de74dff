// How much CPU time may a decision spend on a rule set? An estimate from its text alone, so that the same text always has the same cost.

import { listReadsIn } from '../language/compile.ts'
import { pathsIn } from '../language/condition.ts'
import { velocityPath } from '../language/paths.ts'
import type { Condition, RuleSet } from '../language/rule.ts'
import { checksIn } from '../pending-checks.ts'

/** Microseconds of CPU time for one decision, at worst. A rule set that costs more is not published. */
export const ruleBudget = 2_000

export interface RuleCost {
  /** Microseconds of CPU time for one decision, at worst. */
  readonly microseconds: number
  readonly budget: number
  /** The most expensive rules and velocities first, at most three. */
  readonly costliest: readonly { readonly name: string; readonly microseconds: number }[]
}

/** Nanoseconds, as measured (docs/decisions/0091-a-rule-set-has-a-budget.md). */
const weights = {
  comparison: 70,
  /** A comparison of two paths. */
  twoPaths: 220,
  combination: 10,
  /** The first look-up of a path in a list reads the value as a phone number or an email address, and hashes it. */
  lookUp: 10_000,
  lookUpAgain: 150,
  /** A test with values that are not known yet costs more than one that is true or false. */
  openTest: 1.5,
  velocity: 20_000,
  /** A busy key has up to 1,000 values in each of four places. */
  distinctVelocity: 150_000,
} as const

/** The cost when no part of a condition is skipped. */
export function costOf({ rules, velocities = [] }: RuleSet): RuleCost {
  const seen = new Set<string>()
  const parts = [
    ...velocities.map(({ name, measure, when }) => ({
      name: velocityPath(name),
      ns: weights[measure === 'distinct' ? 'distinctVelocity' : 'velocity'] + (when ? conditionNs(when, seen) : 0),
    })),
    ...rules.map(({ id, when }) => ({ name: id, ns: conditionNs(when, seen) })),
  ]
  return {
    microseconds: inMicroseconds(parts.reduce((sum, { ns }) => sum + ns, 0)),
    budget: ruleBudget,
    costliest: parts
      .toSorted((one, other) => other.ns - one.ns)
      .slice(0, 3)
      .map(({ name, ns }) => ({ name, microseconds: inMicroseconds(ns) })),
  }
}

/** Why a rule set is not published; undefined when its cost is within the budget. */
export function overBudget(cost: RuleCost): string | undefined {
  if (cost.microseconds <= cost.budget) return undefined
  const costliest = cost.costliest.map(({ name, microseconds }) => `${name} (${microseconds})`).join(', ')
  return `the rules may take ${cost.microseconds} µs of CPU time for one decision, and the budget is ${cost.budget} µs; the most expensive: ${costliest}. Look values up in fewer lists, or replace many comparisons of one path by \`in\` or a list`
}

const inMicroseconds = (ns: number) => Math.ceil(ns / 1000)

/** With what else is tested: whether operators have to be called, and which list entries are a reason. */
function conditionNs(when: Condition, seen: Set<string>): number {
  const testNs = evaluationNs(when, seen)
  const isPending = checksIn(pathsIn(when)).length > 0
  return testNs + (isPending ? weights.openTest * testNs : 0) + hitsNs(when)
}

function evaluationNs(condition: Condition, seen: Set<string>): number {
  switch (condition.op) {
    case 'not':
      return weights.combination + evaluationNs(condition.of, seen)
    case 'all':
    case 'any':
      return condition.of.reduce((sum, part) => sum + weights.combination + evaluationNs(part, seen), 0)
    case 'inList': {
      const lookUp = `${condition.list} ${condition.path}`
      if (seen.has(lookUp)) return weights.lookUpAgain
      seen.add(lookUp)
      return weights.lookUp
    }
    default:
      return 'value' in condition && typeof condition.value === 'object' ? weights.twoPaths : weights.comparison
  }
}

/** Each combination around a look-up is tested again; the look-ups themselves have their answers. */
function hitsNs(condition: Condition): number {
  switch (condition.op) {
    case 'not':
      return hitsNs(condition.of)
    case 'all':
    case 'any': {
      if (listReadsIn(condition).length === 0) return 0
      const again = evaluationNs(condition, allSeen)
      return weights.openTest * again + condition.of.reduce((sum, part) => sum + hitsNs(part), 0)
    }
    case 'inList':
      return weights.lookUpAgain
    default:
      return 0
  }
}

/** Every look-up has its answer. */
const allSeen = { has: () => true, add: () => allSeen } as unknown as Set<string>
