// Can a condition ever be true? Checks that its paths exist, and that they are compared with values of their type.

import { nearestWord } from '../../core/config/nearest-word.ts'
import { unreadChecks } from '../../telecom/rule-paths.ts'
import { type KnownLists, listMistake } from './list-mistake.ts'
import { findPath, nearestPath, type PathKind, type PathMeaning, type VelocityNames, velocityPrefix } from './paths.ts'
import {
  type Comparison,
  type Condition,
  ConditionMistake,
  type Literal,
  readConditionTree,
  type Velocity,
} from './rule.ts'
import { mistakeAt, parseCondition } from './text.ts'
import { limitMistake } from './velocity-limits.ts'

/** A mistake in a comparison: in its path, or in the value at an index. */
export interface TypeMistake {
  comparison: Comparison
  operand: 'path' | number
  reason: string
}

/** Names that are valid in one rule set. */
export interface KnownNames {
  /** The velocities that it declares. */
  readonly velocities?: VelocityNames
  /** Those of them without a mistake: how far they count. */
  readonly declared?: readonly Velocity[]
  /** The lists of the tenant; without them, any list may be named. */
  readonly lists?: KnownLists | undefined
}

/**
 * Reads a condition, as text or as a tree, and checks everything. `known`: which names it may use.
 * @throws ConditionMistake with line and column of a text, or the place in a tree
 */
export function readCondition(given: unknown, known: KnownNames = {}): Condition {
  if (typeof given !== 'string') {
    const condition = readConditionTree(given)
    const mistake = mistakeIn(condition, known)
    if (mistake) throw new ConditionMistake(mistake.reason, placeIn(condition, mistake.comparison))
    return condition
  }
  const { condition, offsets } = parseCondition(given)
  const mistake = mistakeIn(condition, known)
  if (!mistake) return condition
  const { comparison, operand, reason } = mistake
  const { path, values } = offsets.get(comparison)!
  throw mistakeAt(given, operand === 'path' ? path : (values[operand] ?? path), reason)
}

/** The first comparison that can never be true; undefined when there is none. */
export function mistakeIn(condition: Condition, known: KnownNames = {}): TypeMistake | undefined {
  if (condition.op === 'not') return mistakeIn(condition.of, known)
  if (condition.op === 'all' || condition.op === 'any') {
    for (const part of condition.of) {
      const mistake = mistakeIn(part, known)
      if (mistake) return mistake
    }
    return undefined
  }
  const found = mistakeOf(condition, known) ?? limitMistake(condition, known.declared ?? [])
  return found && { comparison: condition, operand: found.operand, reason: found.reason }
}

/** Every path that a condition reads. */
export function pathsIn(condition: Condition): string[] {
  if (condition.op === 'not') return pathsIn(condition.of)
  if (condition.op === 'all' || condition.op === 'any') return condition.of.flatMap(pathsIn)
  const other = 'value' in condition && typeof condition.value === 'object' ? [condition.value.path] : []
  return [condition.path, ...other]
}

type Found = Pick<TypeMistake, 'operand' | 'reason'>
const onPath = (reason: string): Found => ({ operand: 'path', reason })

function mistakeOf(comparison: Comparison, { velocities, lists }: KnownNames): Found | undefined {
  const meaning = findPath(comparison.path, velocities)
  if (!meaning) return onPath(unknownPath(comparison.path, velocities))
  switch (comparison.op) {
    case 'exists':
      return undefined
    case 'inList':
      return listMistake(comparison.list, meaning, lists)
    case '==':
    case '!=':
      return operandMistake(meaning, comparison.value, velocities)
    case 'in': {
      const reasons = comparison.values.map((value) => literalMistake(meaning, value))
      const operand = reasons.findIndex((reason) => reason !== undefined)
      return operand < 0 ? undefined : { operand, reason: reasons[operand]! }
    }
    case 'between':
      if (!fits(meaning, 'number')) return onPath(notOfKind(meaning, 'between'))
      return comparison.from <= comparison.to
        ? undefined
        : { operand: 1, reason: 'the upper bound is below the lower one' }
    case 'prefix':
      if (!fits(meaning, 'text')) return onPath(notOfKind(meaning, 'prefix'))
      // The parser accepts any value here, because it does not know the type of the path.
      return typeof comparison.value === 'string'
        ? undefined
        : { operand: 0, reason: 'prefix takes a text in double quotes' }
    default: {
      if (!fits(meaning, 'number')) return onPath(notOfKind(meaning, comparison.op))
      if (typeof comparison.value === 'object') return operandMistake(meaning, comparison.value, velocities)
      return typeof comparison.value === 'number'
        ? undefined
        : { operand: 0, reason: `${comparison.op} compares with a number, without quotes` }
    }
  }
}

function operandMistake(
  meaning: PathMeaning,
  value: Literal | { path: string },
  velocities?: VelocityNames,
): Found | undefined {
  if (typeof value !== 'object') {
    const reason = literalMistake(meaning, value)
    return reason === undefined ? undefined : { operand: 0, reason }
  }
  const other = findPath(value.path, velocities)
  if (!other) return { operand: 0, reason: unknownPath(value.path, velocities) }
  if (other.kind === meaning.kind || other.kind === 'any' || meaning.kind === 'any') return undefined
  return { operand: 0, reason: `${meaning.path} is ${words[meaning.kind]}, ${other.path} is ${words[other.kind]}` }
}

/** Why a path can never have this value; undefined when it can. */
export function literalMistake({ path, kind, values }: PathMeaning, value: Literal): string | undefined {
  const given = kindOf(value)
  if (kind !== 'any' && kind !== given) {
    return `${path} is ${words[kind]}, not ${words[given]}${kind === 'text' && given === 'number' ? ': write it in double quotes' : ''}`
  }
  if (values === undefined || typeof value !== 'string' || values.includes(value)) return undefined
  const nearest = nearestWord(value, values)
  return `${path} is one of ${values.join(', ')}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`
}

/** Says that a path does not exist, and suggests the nearest one, or another way. */
export function unknownPath(path: string, velocities?: VelocityNames): string {
  const nearest = nearestPath(path, velocities)
  const shown = JSON.stringify(path.length > 64 ? `${path.slice(0, 64)}…` : path)
  const unread = unreadChecks.find((name) => path.startsWith(`telecom.${name}.`))
  if (unread) return `there is no ${shown}: answers of ${unread} are not stored; pass what you need of them as a param`
  if (nearest !== undefined) return `there is no ${shown}; did you mean ${nearest}?`
  const isVelocity = path.startsWith(velocityPrefix)
  return `there is no ${shown}; ${isVelocity ? 'declare it under velocity, beside rules' : 'the reference of rules lists every path'}`
}

const words: Readonly<Record<PathKind, string>> = {
  flag: 'true or false',
  number: 'a number',
  text: 'a text',
  any: 'anything',
}

const kindOf = (value: Literal): PathKind =>
  typeof value === 'boolean' ? 'flag' : typeof value === 'number' ? 'number' : 'text'

const fits = ({ kind }: PathMeaning, wanted: PathKind) => kind === wanted || kind === 'any'

function notOfKind({ path, kind }: PathMeaning, operator: string): string {
  return `${path} is ${words[kind]}, and ${operator} compares ${operator === 'prefix' ? 'texts' : 'numbers'}`
}

/** `of[1].of` of a comparison within a tree. */
function placeIn(condition: Condition, wanted: Comparison, at = ''): string | undefined {
  if (condition === wanted) return at || undefined
  const inner = at && `${at}.`
  if (condition.op === 'not') return placeIn(condition.of, wanted, `${inner}of`)
  if (condition.op !== 'all' && condition.op !== 'any') return undefined
  for (const [i, part] of condition.of.entries()) {
    const place = placeIn(part, wanted, `${inner}of[${i}]`)
    if (place !== undefined) return place
  }
  return undefined
}
