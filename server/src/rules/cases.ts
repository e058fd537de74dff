// Does a rule do what its cases say? A case is values by path, for which the rule must fire or stay silent.

import Type from 'typebox'
import { compileOnUse } from '../core/json/compile-on-use.ts'
import { compileCondition } from './language/compile.ts'
import { literalMistake, unknownPath } from './language/condition.ts'
import type { KnownLists } from './language/list-mistake.ts'
import { findPath, openParts, type VelocityNames } from './language/paths.ts'
import { type CaseInput, Literal, type Rule, type RuleCase } from './language/rule.ts'
import type { RuleInput } from './language/vocabulary.ts'
import { caseListPrefix, inListOfCase } from './lists/case-lists.ts'

const pathsOfACase = 100
const name = compileOnUse(Type.Optional(Type.String({ minLength: 1, maxLength: 200 })))
const literal = compileOnUse(Literal)

/** Reads a case, or returns what is wrong with it. */
export function readCase(value: unknown, velocities?: VelocityNames): RuleCase | string {
  const shape = 'a case is { fires: { path: value } } or { silent: { path: value } }, with an optional name'
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return shape
  const { fires, silent, name: title, ...others } = value as Record<string, unknown>
  const input = fires ?? silent
  if (Object.keys(others).length > 0 || (fires === undefined) === (silent === undefined)) return shape
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return shape
  if (title !== undefined && !name.Check(title)) return 'the name of a case has 1 to 200 characters'
  const given = Object.entries(input)
  if (given.length > pathsOfACase) return `more than ${pathsOfACase} paths`
  for (const [path, each] of given) {
    if (path.startsWith(caseListPrefix)) {
      if (typeof each === 'string' || typeof each === 'number') continue
      return `${path} is a value that the list has: a text or a number`
    }
    const meaning = findPath(path, velocities)
    if (!meaning) return unknownPath(path, velocities)
    if (!literal.Check(each)) return `${path} must be a text, a number, true or false`
    const mistake = literalMistake(meaning, each)
    if (mistake !== undefined) return mistake
  }
  return value as RuleCase
}

/** The input of rules when only these values are known. */
export function inputOf(values: CaseInput): RuleInput {
  // Without a prototype, so that `params.__proto__` is a key like any other.
  const input: Record<string, unknown> = Object.create(null)
  for (const [path, value] of Object.entries(values)) {
    if (path.startsWith(caseListPrefix)) continue
    const open = openParts.find(({ prefix }) => path.startsWith(prefix))
    const end = open ? open.prefix.length - 1 : path.lastIndexOf('.')
    let part = input
    for (const key of end < 0 ? [] : path.slice(0, end).split('.')) {
      part[key] ??= Object.create(null)
      part = part[key] as Record<string, unknown>
    }
    part[path.slice(end + 1)] = value
  }
  return input as RuleInput
}

export interface FailedCase {
  rule: string
  /** From 1. */
  number: number
  name?: string
  expected: 'fires' | 'silent'
  input: CaseInput
}

export interface CaseResults {
  cases: number
  failed: FailedCase[]
  /** Rules without a case that fires, or without one that stays silent. */
  untried: { rule: string; lacks: ('fires' | 'silent')[] }[]
}

/** Runs every case of every rule. With `lists`, a value is compared as its list compares it. */
export function runCases(rules: readonly Rule[], lists?: KnownLists): CaseResults {
  const results: CaseResults = { cases: 0, failed: [], untried: [] }
  for (const { id, when, cases = [] } of rules) {
    const holds = compileCondition(when)
    const lacks = new Set(['fires', 'silent'] as const)
    for (const [index, each] of cases.entries()) {
      const [expected, input] = 'fires' in each ? (['fires', each.fires] as const) : (['silent', each.silent] as const)
      results.cases++
      lacks.delete(expected)
      if (holds(inputOf(input), inListOfCase(input, lists)) === (expected === 'fires')) continue
      const title = each.name === undefined ? {} : { name: each.name }
      results.failed.push({ rule: id, number: index + 1, ...title, expected, input })
    }
    if (lacks.size > 0) results.untried.push({ rule: id, lacks: [...lacks] })
  }
  return results
}
