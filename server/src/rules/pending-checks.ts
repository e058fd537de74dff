// Which telecom checks have to be made before rules can decide? Only those without whose answer a condition is open.

import type { TelecomCheck } from '@ringfence/contract'
import { compileCondition } from './compile.ts'
import { pathsIn } from './condition.ts'
import type { InList } from './lists/list.ts'
import type { Condition } from './rule.ts'
import type { RuleInput } from './vocabulary.ts'

/** The paths that a check answers, or the start of them. */
const pathsOf: Readonly<Record<TelecomCheck, readonly string[]>> = {
  simSwap: ['telecom.simSwap.', 'missing.simSwap'],
  callForwarding: ['telecom.callForwarding.', 'missing.callForwarding'],
  portability: ['telecom.portability.', 'telecom.operator', 'missing.portability'],
}

/** The check that answers a path; undefined for a path that needs no operator. */
const checkOf = (path: string): TelecomCheck | undefined =>
  (Object.keys(pathsOf) as TelecomCheck[]).find((check) => pathsOf[check].some((start) => path.startsWith(start)))

/** Undefined: it depends on what a check would answer, as the score does too (Kleene's logic of three values). */
type OpenTest = (input: RuleInput, inList?: InList) => boolean | undefined

export type PendingChecks = (input: RuleInput, inList?: InList) => ReadonlySet<TelecomCheck>

/** `input` has everything but the answers of checks. */
export function pendingChecksOf(conditions: readonly Condition[]): PendingChecks {
  const reading = conditions.flatMap((when) => {
    const checks = pathsIn(when).flatMap((path) => checkOf(path) ?? [])
    return checks.length > 0 ? [{ checks, isOpen: openTest(when) }] : []
  })
  return (input, inList) => {
    const pending = new Set<TelecomCheck>()
    for (const { checks, isOpen } of reading) {
      if (checks.every((check) => pending.has(check))) continue
      if (isOpen(input, inList) === undefined) for (const check of checks) pending.add(check)
    }
    return pending
  }
}

function openTest(condition: Condition): OpenTest {
  switch (condition.op) {
    case 'all':
      return joined(condition.of.map(openTest), false)
    case 'any':
      return joined(condition.of.map(openTest), true)
    case 'not': {
      const test = openTest(condition.of)
      return (input, inList) => {
        const value = test(input, inList)
        return value === undefined ? undefined : !value
      }
    }
    default:
      return pathsIn(condition).some((path) => path === 'score' || checkOf(path) !== undefined)
        ? () => undefined
        : compileCondition(condition)
  }
}

/** `decisive`: the value of one part that is the value of all: false for `all`, true for `any`. */
function joined(tests: readonly OpenTest[], decisive: boolean): OpenTest {
  return (input, inList) => {
    let value: boolean | undefined = !decisive
    for (const test of tests) {
      const one = test(input, inList)
      if (one === decisive) return decisive
      if (one === undefined) value = undefined
    }
    return value
  }
}
