// Why did a rule fire, or what kept it from firing? Each of its comparisons with the values that it read.

import { compileCondition } from '../../rules/language/compile.ts'
import type { InList } from '../../rules/language/list.ts'
import { findPath, type VelocityNames } from '../../rules/language/paths.ts'
import type { Comparison, Condition, Literal, Rule } from '../../rules/language/rule.ts'
import { printCondition } from '../../rules/language/text.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'

export interface ExplainedComparison {
  readonly text: string
  /** Whether the rule has what it needs from it: below `not`, a comparison that is false. */
  readonly holds: boolean
  /** By path. What was not known is absent. */
  readonly values: Readonly<Record<string, Literal>>
}

export interface ExplainedRule {
  readonly fires: boolean
  /** One comparison is missing, and at least one other, which the rule needs too, is there. */
  readonly nearly: boolean
  /** In the order of the text. */
  readonly comparisons: readonly ExplainedComparison[]
}

interface Context {
  readonly input: RuleInput
  readonly inList: InList
  readonly velocities: VelocityNames
}

/** How far a condition is from what is wanted of it, on the shortest way. */
interface Distance {
  readonly missing: number
  readonly met: number
}

/** `input`: what rules read then. `velocities`: the names that the rule set declares. */
export function explainRule({ when }: Pick<Rule, 'when'>, context: Context): ExplainedRule {
  const comparisons: ExplainedComparison[] = []
  const { missing, met } = walk(when, true, context, comparisons)
  return { fires: missing === 0, nearly: missing === 1 && met > 0, comparisons }
}

function walk(condition: Condition, wanted: boolean, context: Context, found: ExplainedComparison[]): Distance {
  if (condition.op === 'not') return walk(condition.of, !wanted, context, found)
  if (condition.op !== 'all' && condition.op !== 'any') {
    const holds = compileCondition(condition)(context.input, context.inList) === wanted
    const text = printCondition(wanted ? condition : { op: 'not', of: condition })
    found.push({ text, holds, values: valuesOf(condition, context) })
    return holds ? { missing: 0, met: 1 } : { missing: 1, met: 0 }
  }
  const parts = condition.of.map((part) => walk(part, wanted, context, found))
  const needsAll = (condition.op === 'all') === wanted
  return needsAll ? parts.reduce(together) : parts.reduce(nearer)
}

const together = (one: Distance, other: Distance): Distance => ({
  missing: one.missing + other.missing,
  met: one.met + other.met,
})

const nearer = (one: Distance, other: Distance): Distance =>
  other.missing < one.missing || (other.missing === one.missing && other.met > one.met) ? other : one

function valuesOf(comparison: Comparison, { input, velocities }: Context): Record<string, Literal> {
  const other = 'value' in comparison && typeof comparison.value === 'object' ? [comparison.value.path] : []
  const read = [comparison.path, ...other].flatMap((path) => {
    const value = findPath(path, velocities)?.read(input)
    return isLiteral(value) ? [[path, value] as const] : []
  })
  return Object.fromEntries(read)
}

const isLiteral = (value: unknown): value is Literal =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
