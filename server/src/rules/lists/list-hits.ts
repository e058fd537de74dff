// Which values in lists help a rule to fire? A look-up in a rule whose other parts are false says nothing about this session.

import { listReadsIn } from '../language/compile.ts'
import type { InList, ListRead } from '../language/list.ts'
import { always, compileOpenTest, type OpenPaths } from '../language/open-test.ts'
import { velocityPath } from '../language/paths.ts'
import type { Condition, RuleSet, Velocity } from '../language/rule.ts'
import type { RuleInput } from '../language/vocabulary.ts'

/** The look-ups that found a value, in a rule that fires with it. */
export type ListHits = (input: RuleInput, inList: InList) => readonly ListRead[]

/**
 * `input` has everything but the score, which the hits themselves raise, and the rule set's own velocities, whose conditions may read
 * the score: a rule that fires if these fit counts as one that fires.
 */
export function listHitsOf({ rules, velocities = [] }: RuleSet): ListHits {
  const openPaths = openPathsOf(velocities)
  const finders = rules.flatMap(({ when }) => finderOf(when, true, openPaths) ?? [])
  return (input, inList) => finders.flatMap((find) => find(input, inList))
}

function openPathsOf(velocities: readonly Velocity[]): OpenPaths {
  const open = new Set(['score', ...velocities.map(({ name }) => velocityPath(name))])
  return (path) => (open.has(path) ? always : undefined)
}

/** The look-ups that make a condition `wanted`; undefined for a condition without any. */
function finderOf(condition: Condition, wanted: boolean, openPaths: OpenPaths): ListHits | undefined {
  switch (condition.op) {
    case 'not':
      return finderOf(condition.of, !wanted, openPaths)
    case 'all':
    case 'any': {
      const parts = condition.of.flatMap((part) => finderOf(part, wanted, openPaths) ?? [])
      if (parts.length === 0) return undefined
      const test = compileOpenTest(condition, openPaths)
      return (input, inList) => (test(input, inList) === !wanted ? [] : parts.flatMap((find) => find(input, inList)))
    }
    case 'inList': {
      if (!wanted) return undefined
      const [look] = listReadsIn(condition) as [ListRead]
      return (input, inList) => (inList(look.list, look.read(input)) ? [look] : [])
    }
    default:
      return undefined
  }
}
