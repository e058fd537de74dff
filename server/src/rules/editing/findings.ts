// What is odd about valid rules? One that always or never fires, or can never decide; and which operators they have called.

import type { TelecomCheck } from '@ringfence/contract'
import { pathsIn } from '../language/condition.ts'
import { velocityPath } from '../language/paths.ts'
import { actions, type Condition, type RuleSet } from '../language/rule.ts'
import { checksIn } from '../pending-checks.ts'
import { pathsOfVelocity } from '../velocities/compile-velocity.ts'
import { truthOf } from './truth.ts'

/**
 * `alwaysFires`, `neverFires`: whatever is known. `firesUnknown`: also for a session of which nothing is known.
 * `neverDecides`: another rule always fires with a stronger action.
 */
export type FindingKind = 'alwaysFires' | 'neverFires' | 'firesUnknown' | 'neverDecides'

export interface Finding {
  readonly rule: string
  readonly kind: FindingKind
  readonly text: string
}

const texts = {
  always: ['alwaysFires', 'The condition is always true: the rule fires for every decision'],
  never: ['neverFires', 'The condition can never be true: the rule never fires'],
  unknown: [
    'firesUnknown',
    'The rule also fires when nothing is known of a session: `not` of a value that is not known is true. Add `exists` if you do not want that',
  ],
} as const

/** In the order of the rules. */
export function findingsOf({ rules }: RuleSet): Finding[] {
  const strongest = (a: number, b: number) => Math.max(a, b)
  const truths = rules.map((rule) => ({ rule, truth: truthOf(rule.when) }))
  const always = truths.filter(({ truth }) => truth === 'always').map(({ rule }) => rank(rule.action))
  const decides = always.reduce(strongest, -1)
  return truths.flatMap(({ rule: { id, action }, truth }): Finding[] => {
    if (truth !== undefined) {
      const [kind, text] = texts[truth]
      return [{ rule: id, kind, text }]
    }
    if (rank(action) >= decides) return []
    const text = 'The rule can never decide: another rule always fires, with a stronger action'
    return [{ rule: id, kind: 'neverDecides', text }]
  })
}

const rank = (action: (typeof actions)[number]) => actions.indexOf(action)

/** The rules that block and together hold for every session. Undefined when that is not proven. */
export function blocksEverybody({ rules }: RuleSet): boolean {
  const [first, ...others] = rules.filter(({ action }) => action === 'BLOCK').map(({ when }) => when)
  if (!first) return false
  const any: Condition = others.length === 0 ? first : { op: 'any', of: [first, ...others] }
  return truthOf(any) === 'always'
}

export interface OperatorCalls {
  readonly check: TelecomCheck
  /** The rules and velocities that read its answer. */
  readonly readBy: string[]
}

/** Which telecom checks a decision makes for these rules, unless it can be decided without. */
export function operatorCallsOf({ rules, velocities = [] }: RuleSet): OperatorCalls[] {
  const readers = [
    ...rules.map(({ id, when }) => [id, checksIn(pathsIn(when))] as const),
    ...velocities.map((each) => [velocityPath(each.name), checksIn(pathsOfVelocity(each))] as const),
  ]
  const checks = new Set(readers.flatMap(([, read]) => read))
  return [...checks].map((check) => ({
    check,
    readBy: readers.flatMap(([name, read]) => (read.includes(check) ? [name] : [])),
  }))
}
