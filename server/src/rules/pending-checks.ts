// Which telecom checks have to be made before rules can decide? Only those without whose answer a condition is open.

import { type TelecomCheck, telecomChecks } from '@ringfence/contract'
import { pathsIn } from './language/condition.ts'
import type { InList } from './language/list.ts'
import { always, compileOpenTest, type OpenPaths } from './language/open-test.ts'
import { velocityPath } from './language/paths.ts'
import type { Condition, RuleSet, Velocity } from './language/rule.ts'
import type { RuleInput } from './language/vocabulary.ts'
import { compileVelocities } from './velocities/compile-velocity.ts'

/** The check that answers a path; undefined for a path that needs no operator. */
function checkOf(path: string): TelecomCheck | undefined {
  if (['telecom.operator', 'account.newOperator', 'sim.operatorOfNumber'].includes(path)) return 'portability'
  const [, name] = /^(?:telecom|missing)\.(\w+)/.exec(path) ?? []
  return telecomChecks.find((check) => check === name)
}

/** The checks that answer these paths, one for each path. */
export const checksIn = (paths: readonly string[]) => paths.flatMap((path) => checkOf(path) ?? [])

export type PendingChecks = (input: RuleInput, inList?: InList) => ReadonlySet<TelecomCheck>

/** The checks that these rules wait for, and the velocities that they read. `input` has everything but the answers of checks. */
export function pendingChecksOf({ rules, velocities = [] }: RuleSet): PendingChecks {
  const conditions = rules.map(({ when }) => when)
  const read = new Set(conditions.flatMap(pathsIn))
  const counted = velocities.filter(({ name }) => read.has(velocityPath(name)))
  const openPaths = openPathsOf(counted)
  const all: Reading[] = [...conditions.map((when) => ({ when })), ...counted.flatMap(readingOf)]
  const reading = all.flatMap(({ when, counts }) => {
    const checks = checksIn(pathsIn(when))
    return checks.length === 0 ? [] : [{ checks, counts, isOpen: compileOpenTest(when, openPaths) }]
  })
  return (input, inList) => {
    const pending = new Set<TelecomCheck>()
    for (const { checks, counts, isOpen } of reading) {
      if (checks.every((check) => pending.has(check)) || counts?.(input) === false) continue
      if (isOpen(input, inList) === undefined) for (const check of checks) pending.add(check)
    }
    return pending
  }
}

interface Reading {
  readonly when: Condition
  /** Whether a velocity has a key in this decision; absent for a rule. */
  readonly counts?: (input: RuleInput) => boolean
}

/** A velocity counts each decision, whatever the rules that read it say now: what it counts has to be known. */
function readingOf(velocity: Velocity): Reading[] {
  const { when, path } = velocity
  const parts: Condition[] = [...(when ? [when] : []), ...(path === undefined ? [] : [{ op: 'exists' as const, path }])]
  const [condition] = parts
  if (condition === undefined) return []
  const { keyOf } = compileVelocities([velocity])[0]!
  return [
    {
      when: parts.length === 1 ? condition : { op: 'all', of: parts },
      counts: (input) => keyOf(input) !== undefined,
    },
  ]
}

/** With fewer sessions of an account, everything is new to everybody. */
export const fewestForNew = 3

/** Too few sessions are known for anything to be new, whatever the operator. */
const mayBeNew = ({ account }: RuleInput) => (account?.sessions ?? 0) >= fewestForNew

/** What an answer of an operator may still change: what it says, and what is made of it. */
function openPathsOf(velocities: readonly Velocity[]): OpenPaths {
  const openPath: OpenPaths = (path) => {
    if (path === 'account.newOperator') return mayBeNew
    if (path === 'sim.operatorOfNumber') return ({ sim }) => sim?.networkCode !== undefined
    // Only an answer names the home operator where no prefix does.
    if (path === 'telecom.homeOperator') return ({ telecom }) => telecom?.homeOperator === undefined
    return path === 'score' || path === 'missing.everything' || checkOf(path) !== undefined ? always : undefined
  }
  const open = compileVelocities(
    velocities.filter(({ when, path }) =>
      [...(when ? pathsIn(when) : []), ...(path ? [path] : [])].some((each) => openPath(each)),
    ),
  )
  // Without its key a velocity has no value, whatever an operator says.
  const isCounted = new Map<string, (input: RuleInput) => boolean>(
    open.map(({ velocity: { name }, keyOf }) => [velocityPath(name), (input) => keyOf(input) !== undefined]),
  )
  return (path) => isCounted.get(path) ?? openPath(path)
}
