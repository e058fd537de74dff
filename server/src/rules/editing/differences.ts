// What differs between two rule sets? Rules and velocities that were added, removed or changed, field by field.

import { isDeepStrictEqual } from 'node:util'
import { defaultRequirements } from '../language/requirements.ts'
import type { RuleSet } from '../language/rule.ts'
import { writtenRuleSet } from '../rule-set.ts'

export interface FieldDifference {
  readonly field: string
  /** As JSON shows it; absent where the field is. */
  readonly before?: unknown
  readonly after?: unknown
}

export interface Difference {
  readonly of: 'rule' | 'velocity' | 'requirement'
  /** Id of the rule, name of the velocity, or `require.LOGIN`, `otherwise`, `warnBelow`. */
  readonly id: string
  /** Of a rule: in the later set that has it. */
  readonly name?: string
  /** `moved`: among the others; matters only between rules of the same action and score. */
  readonly change: 'added' | 'removed' | 'changed' | 'moved'
  /** Empty for `moved`. */
  readonly fields: FieldDifference[]
}

/** In the order of the new set, with what was removed last. */
export function differencesOf(before: RuleSet, after: RuleSet): Difference[] {
  const [old, now] = [writtenRuleSet(before), writtenRuleSet(after)]
  const rules = (set: typeof old) => new Map(set.rules.map(({ id, ...rest }) => [id, rest as Fields]))
  const velocities = (set: typeof old) =>
    new Map(Object.entries(set.velocity ?? {}).map(([name, each]) => [name, { ...each } as Fields]))
  return [
    ...between('requirement', requirements(before), requirements(after)),
    ...between('rule', rules(old), rules(now)),
    ...between('velocity', velocities(old), velocities(now)),
  ]
}

function requirements({ requirements: set = defaultRequirements }: RuleSet): Named {
  const { require, otherwise, warnBelow } = set
  return new Map<string, Fields>([
    ...Object.entries(require).map(([action, parts]): [string, Fields] => [`require.${action}`, { parts }]),
    ['otherwise', { action: otherwise }],
    ['warnBelow', { amount: warnBelow }],
  ])
}

type Fields = Readonly<Record<string, unknown>>
type Named = ReadonlyMap<string, Fields>

function between(of: Difference['of'], before: Named, after: Named): Difference[] {
  const order = (map: Named, other: Named) => [...map.keys()].filter((id) => other.has(id))
  const [orderBefore, orderAfter] = [order(before, after), order(after, before)]
  const what = (id: string, { name }: Fields) => ({ of, id, ...(of === 'rule' && { name: String(name) }) })
  const found = [...after].flatMap(([id, fields]): Difference[] => {
    const old = before.get(id)
    if (!old) return [{ ...what(id, fields), change: 'added', fields: fieldsThatDiffer({}, fields) }]
    const changed = fieldsThatDiffer(old, fields)
    if (changed.length > 0) return [{ ...what(id, fields), change: 'changed', fields: changed }]
    const isMoved = of === 'rule' && orderBefore[orderAfter.indexOf(id)] !== id
    return isMoved ? [{ ...what(id, fields), change: 'moved', fields: [] }] : []
  })
  const removed = [...before].flatMap(([id, fields]): Difference[] =>
    after.has(id) ? [] : [{ ...what(id, fields), change: 'removed', fields: fieldsThatDiffer(fields, {}) }],
  )
  return [...found, ...removed]
}

function fieldsThatDiffer(before: Fields, after: Fields): FieldDifference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((field) => {
    const [was, is] = [before[field], after[field]]
    if (isDeepStrictEqual(was, is)) return []
    return [{ field, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }]
  })
}
