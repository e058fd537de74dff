// What does a server have of a version of the rules? Its compiled rules, and what has to be known before they can run.

import { type CompiledRule, compileRules, listReadsIn } from './language/compile.ts'
import { pathsIn } from './language/condition.ts'
import type { ListRead } from './language/list.ts'
import type { RuleSet } from './language/rule.ts'
import { type ListHits, listHitsOf } from './lists/list-hits.ts'
import { type PendingChecks, pendingChecksOf } from './pending-checks.ts'
import { type CompiledRequirements, compileRequirements } from './requirements/required.ts'
import { type CompiledVelocity, compileVelocities } from './velocities/compile-velocity.ts'

export interface LoadedRules {
  readonly version: number
  readonly rules: readonly CompiledRule[]
  /** Whether any rule or velocity reads telecom data of the phone number. */
  readonly readTelecom: boolean
  readonly velocities: readonly CompiledVelocity[]
  /** What its rules and velocities look up in lists. */
  readonly listReads: readonly ListRead[]
  /** The look-ups that are a reason of a decision. */
  readonly listHits: ListHits
  /** The telecom checks that a decision has to make before these rules can decide. */
  readonly pendingChecks: PendingChecks
  /** What has to be known before an action is allowed. */
  readonly requirements: CompiledRequirements
}

const eachOnce = (reads: readonly ListRead[]): ListRead[] => [
  ...new Map(reads.map((read) => [`${read.list} ${read.path}`, read])).values(),
]

/** Compiles everything that a version needs, once. @throws Error for an unknown path */
export function loadedRules(version: number, ruleSet: RuleSet): LoadedRules {
  const { rules, velocities = [] } = ruleSet
  const conditions = [...rules, ...velocities].flatMap(({ when }) => when ?? [])
  const paths = [...conditions.flatMap(pathsIn), ...velocities.flatMap(({ path }) => path ?? [])]
  return {
    version,
    rules: compileRules(rules),
    readTelecom: paths.some((path) => path.startsWith('telecom.')),
    velocities: compileVelocities(velocities),
    listReads: eachOnce(conditions.flatMap(listReadsIn)),
    listHits: listHitsOf({ rules, velocities }),
    pendingChecks: pendingChecksOf({ rules, velocities }),
    requirements: compileRequirements(ruleSet),
  }
}
