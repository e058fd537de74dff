// Is this a rule set? Reads one from outside, with every mistake at its place, and writes it as it is kept and shown.

import { Compile } from 'typebox/compile'
import { firstMistake } from '../config/schema-errors.ts'
import { readCase } from './cases.ts'
import { readCondition } from './condition.ts'
import { ConditionMistake, caps, type Rule, type RuleCase, RuleHead, type RuleSet } from './rule.ts'
import { printCondition } from './text.ts'

export interface RuleSetMistake {
  /** Where: `['rules', 3, 'when']`. */
  readonly at: readonly (string | number)[]
  /** Id of the rule, where it has one. */
  readonly rule?: string
  readonly reason: string
  /** Within the text of a condition, from 1. */
  readonly line?: number
  readonly column?: number
}

/** A rule as files and stores hold it: its condition is text. */
export type WrittenRule = Omit<Rule, 'when'> & { when: string }

/** No more mistakes than a person reads at once. */
const mistakesTold = 50
/** Of a rule; more are not looked at. */
const mostKeys = 20
const head = Compile(RuleHead)

/** The rules that can be used, and what is wrong with the others. A set with any mistake should not be used. */
export function readRuleSet(value: unknown): { ruleSet: RuleSet; mistakes: RuleSetMistake[] } {
  const mistakes: RuleSetMistake[] = []
  const rules: Rule[] = []
  const tell = (mistake: RuleSetMistake) => {
    if (mistakes.length < mistakesTold) mistakes.push(mistake)
  }
  const given = isObject(value) ? value.rules : undefined
  const others = isObject(value) ? Object.keys(value).filter((key) => key !== 'rules') : []
  if (!Array.isArray(given)) tell({ at: ['rules'], reason: 'rules must be a list of rules' })
  else if (given.length > caps.rules) tell({ at: ['rules'], reason: `more than ${caps.rules} rules` })
  else if (others.length > 0) tell({ at: [], reason: `${shownKeys(others)} is no known key; known here: rules` })
  else {
    const ids = new Set<string>()
    for (const [index, each] of given.entries()) {
      if (mistakes.length === mistakesTold) break
      const at = ['rules', index]
      const rule = readRule(each, (mistake) => tell({ ...mistake, at: [...at, ...mistake.at] }))
      if (rule && ids.has(rule.id))
        tell({ at: [...at, 'id'], rule: rule.id, reason: `there is a rule ${rule.id} already` })
      else if (rule) rules.push(rule)
      if (rule) ids.add(rule.id)
    }
  }
  return { ruleSet: { rules }, mistakes }
}

/** A rule set that is known to be right. @throws Error with the first mistake */
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

function readRule(value: unknown, tell: (mistake: RuleSetMistake) => void): Rule | undefined {
  if (!isObject(value)) {
    tell({ at: [], reason: 'a rule has id, name, when, action and score' })
    return undefined
  }
  if (Object.keys(value).length > mostKeys) {
    tell({ at: [], reason: 'has keys that no rule has' })
    return undefined
  }
  const { when, cases, ...rest } = value
  const named = typeof value.id === 'string' ? { rule: value.id.slice(0, 64) } : {}
  let wrong = false
  const tellOf = (mistake: RuleSetMistake) => {
    wrong = true
    tell({ ...named, ...mistake })
  }
  if (!head.Check(rest)) {
    const mistake = firstMistake(RuleHead, rest) ?? 'is no rule'
    const key = mistake.split(' ', 1)[0]!
    // `when` and `cases` are read apart.
    const reason = mistake.replace('known here: ', 'known here: when, cases, ')
    tellOf({ at: Object.hasOwn(rest, key) ? [key] : [], reason })
  }
  const condition = conditionOf(when, tellOf)
  const readCases = casesOf(cases, tellOf)
  if (wrong || condition === undefined) return undefined
  return { ...(rest as Omit<Rule, 'when'>), when: condition, ...(readCases.length > 0 && { cases: readCases }) }
}

function conditionOf(when: unknown, tell: (mistake: RuleSetMistake) => void) {
  if (when === undefined) {
    tell({ at: [], reason: 'when is missing: the condition, such as when: vpn and newDevice' })
    return undefined
  }
  try {
    return readCondition(when)
  } catch (error) {
    if (!(error instanceof ConditionMistake)) throw error
    const { line, column, reason, message } = error
    if (line === undefined || column === undefined) tell({ at: ['when'], reason: message })
    else tell({ at: ['when'], reason, line, column })
    return undefined
  }
}

function casesOf(cases: unknown, tell: (mistake: RuleSetMistake) => void): RuleCase[] {
  if (cases === undefined || cases === null) return []
  if (!Array.isArray(cases)) tell({ at: ['cases'], reason: 'cases must be a list' })
  else if (cases.length > caps.cases) tell({ at: ['cases'], reason: `more than ${caps.cases} cases` })
  else {
    return cases.flatMap((each, index) => {
      const read = readCase(each)
      if (typeof read !== 'string') return [read]
      tell({ at: ['cases', index], reason: read })
      return []
    })
  }
  return []
}

/** Rules with their conditions as text, in the order in which people read their parts. */
export function writtenRules({ rules }: RuleSet): WrittenRule[] {
  return rules.map(({ id, name, when, action, score, description, message, cases }) => ({
    id,
    name,
    when: printCondition(when),
    action,
    score,
    ...(description !== undefined && { description }),
    ...(message !== undefined && { message }),
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
