// What does a rule set require? Reads it with every mistake at its place; what it leaves out has its default.

import { nearestWord } from '../../core/config/nearest-word.ts'
import {
  defaultRequirements,
  type OtherwiseAction,
  otherwiseActions,
  type RequiredPart,
  type Requirements,
  requiredParts,
} from '../language/requirements.ts'
import type { Condition } from '../language/rule.ts'

export interface RequirementMistake {
  readonly at: readonly (string | number)[]
  readonly reason: string
}

const actionPattern = /^[A-Z][A-Z0-9_]{0,63}$/
const mostActions = 50
const largestAmount = 1e12

type Report = (mistake: RequirementMistake) => void

/**
 * The requirements of a rule set; what it leaves out has its default, also an action of `require`, so that nothing is lost by a forgotten
 * line. `require: {}` requires nothing. `conditions`: an action that they name is one of the tenant's.
 */
export function readRequirements(
  given: Readonly<Record<string, unknown>>,
  conditions: readonly Condition[],
  report: Report,
): Requirements {
  const names = new Set([...Object.keys(defaultRequirements.require), ...conditions.flatMap(actionsIn)])
  return {
    require: readRequire(given.require, names, report),
    otherwise: readOtherwise(given.otherwise, names, report),
    warnBelow: readWarnBelow(given.warnBelow, report),
  }
}

function readRequire(given: unknown, names: ReadonlySet<string>, report: Report): Requirements['require'] {
  const at = ['require']
  if (given === undefined) return defaultRequirements.require
  const shape = 'require must be parts by action: { LOGIN: [login, device], PAYMENT: [device, phone] }'
  if (!isObject(given)) {
    report({ at, reason: shape })
    return defaultRequirements.require
  }
  const entries = Object.entries(given)
  if (entries.length === 0) return {}
  if (entries.length > mostActions) report({ at, reason: `more than ${mostActions} actions` })
  const read: Record<string, readonly RequiredPart[]> = { ...defaultRequirements.require }
  for (const [action, parts] of entries.slice(0, mostActions)) {
    const here = [...at, action]
    const mistake = actionMistake(action, names)
    if (mistake !== undefined) report({ at: here, reason: mistake })
    else if (!Array.isArray(parts)) report({ at: here, reason: `must be a list of ${requiredParts.join(', ')}` })
    else read[action] = readParts(parts, here, report)
  }
  return read
}

function readParts(given: readonly unknown[], at: readonly string[], report: Report): RequiredPart[] {
  if (given.length > requiredParts.length) {
    report({ at, reason: `a list of at most ${requiredParts.join(', ')}, each once` })
    return []
  }
  const read = new Set<RequiredPart>()
  for (const [index, each] of given.entries()) {
    const part = requiredParts.find((name) => name === each)
    if (part && !read.has(part)) read.add(part)
    else report({ at: [...at, index], reason: part ? `${part} is listed twice` : notOneOf(each, requiredParts) })
  }
  return requiredParts.filter((part) => read.has(part))
}

function readOtherwise(given: unknown, names: ReadonlySet<string>, report: Report): Requirements['otherwise'] {
  const at = ['otherwise']
  if (given === undefined) return defaultRequirements.otherwise
  const actionOf = (value: unknown, here: readonly string[]): OtherwiseAction => {
    const action = otherwiseActions.find((name) => name === value)
    if (!action) report({ at: here, reason: notOneOf(value, otherwiseActions) })
    return action ?? 'CHALLENGE'
  }
  if (!isObject(given)) return actionOf(given, at)
  const entries = Object.entries(given)
  if (entries.length > mostActions) report({ at, reason: `more than ${mostActions} actions` })
  return Object.fromEntries(
    entries.slice(0, mostActions).map(([action, value]) => {
      const here = [...at, action]
      const mistake = actionMistake(action, names)
      if (mistake !== undefined) report({ at: here, reason: mistake })
      return [action, actionOf(value, here)]
    }),
  )
}

function readWarnBelow(given: unknown, report: Report): number {
  if (given === undefined) return defaultRequirements.warnBelow
  if (typeof given === 'number' && given >= 0 && given <= largestAmount) return given
  report({ at: ['warnBelow'], reason: 'must be an amount: a number from 0, without quotes' })
  return defaultRequirements.warnBelow
}

/** A name that is nearly one of those that are known is a slip: what it requires would never apply. */
function actionMistake(action: string, names: ReadonlySet<string>): string | undefined {
  if (names.has(action) && actionPattern.test(action)) return undefined
  const nearest = nearestWord(action, [...names])
  const shown = JSON.stringify(action.slice(0, 64))
  if (nearest !== undefined) return `${shown} is not an action of your decisions; did you mean ${nearest}?`
  return actionPattern.test(action)
    ? undefined
    : `${shown} is not an action: ${Object.keys(defaultRequirements.require).join(', ')} or your own, in capitals`
}

function notOneOf(given: unknown, names: readonly string[]): string {
  const nearest = typeof given === 'string' ? nearestWord(given, names) : undefined
  return `must be one of ${names.join(', ')}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`
}

/** The actions with which a condition compares the action of a decision. */
function actionsIn(condition: Condition): string[] {
  if (condition.op === 'not') return actionsIn(condition.of)
  if (condition.op === 'all' || condition.op === 'any') return condition.of.flatMap(actionsIn)
  if (condition.path !== 'action') return []
  const values = condition.op === 'in' ? condition.values : 'value' in condition ? [condition.value] : []
  return values.filter((value) => typeof value === 'string')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
