// Why does a decision come out as it does? Every reason that applies, and the score that they make together.

import { type Contribution, combined } from '../../device/scores/combine.ts'
import { compileCondition } from '../language/compile.ts'
import { readCondition } from '../language/condition.ts'
import type { RuleInput } from '../language/vocabulary.ts'
import { reasonOfContribution } from './device-reasons.ts'
import { inputReasons } from './input-reasons.ts'
import { type Listed, listReasons } from './list-reasons.ts'
import type { Reason } from './reason.ts'

export interface Explanation {
  /** Strongest first; each code once. */
  readonly reasons: readonly Reason[]
  /** 0 to 100: 100 × (1 − the product of all 1 − weight/100). */
  readonly score: number
}

const compiled = inputReasons.map((reason) => ({ ...reason, holds: compileCondition(readCondition(reason.when)) }))

/**
 * The reasons of a decision. `contributions`: those of deviceRiskScore, where the decision has a device. They are not looked for in
 * the input again. `listed`: what rules found in lists and fire with. A rule that fired is no reason: `rules.fired` names it, and what it reads has its reason here.
 */
export function reasonsOf(
  input: RuleInput,
  contributions: readonly Contribution[] = [],
  listed: readonly Listed[] = [],
): Explanation {
  const ofInput = compiled.flatMap(({ holds, code, text, weight, source }): Reason[] =>
    holds(input) ? [{ code, text: typeof text === 'string' ? text : text(input), weight, source }] : [],
  )
  const found = [...contributions.map(reasonOfContribution), ...listReasons(listed)]
  const others = Map.groupBy(found, ({ code }) => code)
  const reasons = [...ofInput, ...[...others.values()].map(joined)].toSorted(strongestFirst)
  return { reasons, score: scoreOf(reasons) }
}

/** The same with more reasons, which rules have not read. */
export function withReasons({ reasons }: Explanation, more: readonly Reason[]): Explanation {
  const all = [...reasons, ...more].toSorted(strongestFirst)
  return { reasons: all, score: scoreOf(all) }
}

const strongestFirst = (one: Reason, other: Reason) => other.weight - one.weight || (one.code < other.code ? -1 : 1)

const scoreOf = (reasons: readonly Reason[]) =>
  combined(
    reasons.map(({ weight }) => ({ weight: weight / 100 })),
    100,
  )

/** Several labels of one device, or lists, are one reason: the text of the strongest, and the weight of all. */
function joined(reasons: readonly Reason[]): Reason {
  const [strongest, ...others] = reasons.toSorted((one, other) => other.weight - one.weight) as [Reason, ...Reason[]]
  if (others.length === 0) return strongest
  return { ...strongest, text: `${strongest.text}, and ${others.length} more`, weight: scoreOf(reasons) }
}
