// Which params do rules compare with numbers? A value of them that is no number cannot be judged.

import { comparesNumbers } from '../language/compile.ts'
import { isParam } from '../language/paths.ts'
import type { Comparison, Condition, RuleSet } from '../language/rule.ts'

/** Also those that velocities add. Without those that are compared with text as well, which may be anything. */
export function numericParamsOf({ rules, velocities = [] }: Pick<RuleSet, 'rules' | 'velocities'>): string[] {
  const comparisons = [...rules, ...velocities].flatMap(({ when }) => (when ? comparisonsIn(when) : []))
  const added = velocities.flatMap(({ measure, path }) => (measure === 'sum' && path !== undefined ? [path] : []))
  const numeric = new Set([...comparisons.flatMap(numericIn), ...added.filter(isParam)])
  return [...numeric.difference(new Set(comparisons.filter(isOfText).map(({ path }) => path)))]
}

function comparisonsIn(condition: Condition): Comparison[] {
  if (condition.op === 'not') return comparisonsIn(condition.of)
  return condition.op === 'all' || condition.op === 'any' ? condition.of.flatMap(comparisonsIn) : [condition]
}

function numericIn(comparison: Comparison): string[] {
  const { path } = comparison
  switch (comparison.op) {
    case 'exists':
    case 'prefix':
    case 'inList':
      return []
    case 'between':
      return [path].filter(isParam)
    case 'in':
      return comparison.values.some((value) => typeof value === 'number') ? [path].filter(isParam) : []
    default: {
      const other = typeof comparison.value === 'object' ? [comparison.value.path] : []
      return comparesNumbers(comparison) ? [path, ...other].filter(isParam) : []
    }
  }
}

function isOfText(comparison: Comparison): boolean {
  switch (comparison.op) {
    case 'prefix':
    case 'inList':
      return true
    case 'in':
      return comparison.values.some((value) => typeof value !== 'number')
    case '==':
    case '!=':
      return typeof comparison.value === 'string' || typeof comparison.value === 'boolean'
    default:
      return false
  }
}
