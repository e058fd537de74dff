// Is this a valid rule set? Reads one with every mistake at its place, and writes one as it is stored and shown.

import { firstMistake } from '../core/config/schema-errors.ts'
import { compileOnUse } from '../core/json/compile-on-use.ts'
import { readCase } from './cases.ts'
import { type KnownNames, readCondition } from './language/condition.ts'
import type { KnownLists } from './language/list-mistake.ts'
import type { VelocityNames } from './language/paths.ts'
import {
  defaultRequirements,
  type OtherwiseAction,
  type RequiredPart,
  type Requirements,
  requirementKeys,
} from './language/requirements.ts'
import { ConditionMistake, caps, type Rule, type RuleCase, RuleHead, type RuleSet } from './language/rule.ts'
import { printCondition } from './language/text.ts'
import { readRequirements } from './requirements/read-requirements.ts'
import { readVelocities, type WrittenVelocity, writtenVelocities } from './velocities/read-velocities.ts'

export interface RuleSetMistake {
  /** Place, for example `['rules', 3, 'when']`. */
  readonly at: readonly (string | number)[]
  /** Id of the rule, where it has one. */
  readonly rule?: string
  readonly reason: string
  /** In the text of a condition, from 1. */
  readonly line?: number
  readonly column?: number
}

/** A rule as files and stores hold it: its condition is text. */
export type WrittenRule = Omit<Rule, 'when'> & { when: string }

/** A rule set as files hold it. */
export interface WrittenRuleSet {
  require?: Record<string, RequiredPart[]>
  otherwise?: OtherwiseAction | Record<string, OtherwiseAction>
  warnBelow?: number
  velocity?: Record<string, WrittenVelocity>
  rules: WrittenRule[]
}

/** More mistakes than a person reads at once. */
const mostMistakes = 50
/** Of one rule. */
const mostKeys = 20
const head = compileOnUse(RuleHead)

/**
 * The valid rules, and the mistakes of the others. Do not use a set with any mistake. With `lists`, the lists that rules name must exist.
 * `isStored`: it was accepted once, so a comparison that never or always holds is no mistake: the rest of its rule still decides.
 */
export function readRuleSet(
  value: unknown,
  { lists, isStored = false }: { lists?: KnownLists | undefined; isStored?: boolean } = {},
): { ruleSet: RuleSet; mistakes: RuleSetMistake[] } {
  const mistakes: RuleSetMistake[] = []
  const rules: Rule[] = []
  const report = (mistake: RuleSetMistake) => {
    if (mistakes.length < mostMistakes) mistakes.push(mistake)
  }
  const given = isObject(value) ? value.rules : undefined
  const others = isObject(value) ? Object.keys(value).filter((key) => !knownKeys.includes(key)) : []
  const velocities = readVelocities(
    isObject(value) ? value.velocity : undefined,
    (mistake) => report({ ...mistake, at: ['velocity', ...mistake.at] }),
    lists,
  )
  // A rule that reads a velocity with a mistake has no mistake itself.
  const names = isObject(value) && isObject(value.velocity) ? Object.keys(value.velocity) : []
  if (!Array.isArray(given)) report({ at: ['rules'], reason: 'rules must be a list of rules' })
  else if (given.length > caps.rules) report({ at: ['rules'], reason: `more than ${caps.rules} rules` })
  else if (others.length > 0)
    report({ at: [], reason: `${shownKeys(others)} is not a known key; allowed: ${knownKeys.join(', ')}` })
  else {
    const ids = new Set<string>()
    for (const [index, each] of given.entries()) {
      if (mistakes.length === mostMistakes) break
      const at = ['rules', index]
      const rule = readRule(each, { velocities: names, declared: isStored ? [] : velocities, lists }, (mistake) =>
        report({ ...mistake, at: [...at, ...mistake.at] }),
      )
      if (rule && ids.has(rule.id))
        report({ at: [...at, 'id'], rule: rule.id, reason: `there is a rule ${rule.id} already` })
      else if (rule) rules.push(rule)
      if (rule) ids.add(rule.id)
    }
  }
  const conditions = [...rules, ...velocities].flatMap(({ when }) => when ?? [])
  const requirements = readRequirements(isObject(value) ? value : {}, conditions, report)
  return { ruleSet: { rules, ...(velocities.length > 0 && { velocities }), requirements }, mistakes }
}

const knownKeys: readonly string[] = ['rules', 'velocity', ...requirementKeys]

/** Reads a rule set that must be valid. @throws Error with the first mistake */
export function ruleSetOf(value: unknown): RuleSet {
  const { ruleSet, mistakes } = readRuleSet(value)
  const [mistake] = mistakes
  if (mistake) throw new Error(mistakeText(mistake))
  return ruleSet
}

/** One line: place and reason. */
export function mistakeText({ at, rule, reason, line, column }: RuleSetMistake): string {
  const place = at.reduce<string>(
    (path, key) => (typeof key === 'number' ? `${path}[${key}]` : path ? `${path}.${key}` : key),
    '',
  )
  const within = line === undefined ? '' : `, line ${line}, column ${column}`
  return `${rule === undefined ? '' : `rule ${rule}, `}${place || 'the whole'}${within}: ${reason}`
}

function readRule(value: unknown, known: KnownNames, report: (mistake: RuleSetMistake) => void): Rule | undefined {
  if (!isObject(value)) {
    report({ at: [], reason: 'a rule has id, name, when, action and score' })
    return undefined
  }
  if (Object.keys(value).length > mostKeys) {
    report({ at: [], reason: 'has keys that no rule has' })
    return undefined
  }
  const { when, cases, ...rest } = value
  const named = typeof value.id === 'string' ? { rule: value.id.slice(0, 64) } : {}
  let wrong = false
  const reportOf = (mistake: RuleSetMistake) => {
    wrong = true
    report({ ...named, ...mistake })
  }
  if (!head.Check(rest)) {
    // `when` and `cases` are read separately.
    const reason = firstMistake(RuleHead, rest, { alsoKnown: ['when', 'cases'] }) ?? 'is not a rule'
    const key = reason.split(' ', 1)[0]!
    reportOf({ at: Object.hasOwn(rest, key) ? [key] : [], reason })
  }
  const condition = conditionOf(when, known, reportOf)
  const readCases = casesOf(cases, known.velocities ?? [], reportOf)
  if (wrong || condition === undefined) return undefined
  return { ...(rest as Omit<Rule, 'when'>), when: condition, ...(readCases.length > 0 && { cases: readCases }) }
}

function conditionOf(when: unknown, known: KnownNames, report: (mistake: RuleSetMistake) => void) {
  if (when === undefined) {
    report({ at: [], reason: 'when is missing: the condition, such as when: vpn and newDevice' })
    return undefined
  }
  try {
    return readCondition(when, known)
  } catch (error) {
    if (!(error instanceof ConditionMistake)) throw error
    const { line, column, reason, message } = error
    if (line === undefined || column === undefined) report({ at: ['when'], reason: message })
    else report({ at: ['when'], reason, line, column })
    return undefined
  }
}

function casesOf(cases: unknown, velocities: VelocityNames, report: (mistake: RuleSetMistake) => void): RuleCase[] {
  if (cases === undefined || cases === null) return []
  if (!Array.isArray(cases)) report({ at: ['cases'], reason: 'cases must be a list' })
  else if (cases.length > caps.cases) report({ at: ['cases'], reason: `more than ${caps.cases} cases` })
  else {
    return cases.flatMap((each, index) => {
      const read = readCase(each, velocities)
      if (typeof read !== 'string') return [read]
      report({ at: ['cases', index], reason: read })
      return []
    })
  }
  return []
}

/** A rule set with its conditions as text, and its keys in reading order. */
export function writtenRuleSet(ruleSet: RuleSet): WrittenRuleSet {
  const { velocities = [], requirements = defaultRequirements } = ruleSet
  return {
    ...writtenRequirements(requirements),
    ...(velocities.length > 0 && { velocity: writtenVelocities(velocities) }),
    rules: writtenRules(ruleSet),
  }
}

const writtenRequirements = ({ require, otherwise, warnBelow }: Requirements) => ({
  require: Object.fromEntries(Object.entries(require).map(([action, parts]) => [action, [...parts]])),
  otherwise: typeof otherwise === 'string' ? otherwise : { ...otherwise },
  warnBelow,
})

/** Rules with their conditions as text, and their keys in reading order. */
export function writtenRules({ rules }: Pick<RuleSet, 'rules'>): WrittenRule[] {
  return rules.map(({ id, name, when, action, score, description, message, acceptNumber, reviewHours, cases }) => ({
    id,
    name,
    when: printCondition(when),
    action,
    score,
    ...(description !== undefined && { description }),
    ...(message !== undefined && { message }),
    ...(acceptNumber !== undefined && { acceptNumber }),
    ...(reviewHours !== undefined && { reviewHours }),
    ...(cases !== undefined && { cases }),
  }))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shownKeys = (keys: readonly string[]) =>
  keys
    .slice(0, 3)
    .map((key) => JSON.stringify(key.slice(0, 64)))
    .join(', ')
