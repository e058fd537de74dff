// Is it known already whether a condition holds? Not while it reads a path whose value is still open: Kleene's logic of three values.

import { compileCondition } from './compile.ts'
import { pathsIn } from './condition.ts'
import type { InList } from './list.ts'
import type { Condition } from './rule.ts'
import type { RuleInput } from './vocabulary.ts'

/** True or false whatever the open paths turn out to be; undefined when that depends on them. */
export type OpenTest = (input: RuleInput, inList?: InList) => boolean | undefined

/** When a path is open; undefined for a path that never is. */
export type OpenPaths = (path: string) => ((input: RuleInput) => boolean) | undefined

/** A path that is open in every input. */
export const always = () => true

/** Compiles a condition that `readCondition` has accepted. */
export function compileOpenTest(condition: Condition, openPaths: OpenPaths): OpenTest {
  const compiled = (part: Condition) => compileOpenTest(part, openPaths)
  switch (condition.op) {
    case 'all':
      return joined(condition.of.map(compiled), false)
    case 'any':
      return joined(condition.of.map(compiled), true)
    case 'not': {
      const test = compiled(condition.of)
      return (input, inList) => {
        const value = test(input, inList)
        return value === undefined ? undefined : !value
      }
    }
    default: {
      const test = compileCondition(condition)
      const open = pathsIn(condition).flatMap((path) => openPaths(path) ?? [])
      if (open.length === 0) return test
      return (input, inList) => (open.some((isOpen) => isOpen(input)) ? undefined : test(input, inList))
    }
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
