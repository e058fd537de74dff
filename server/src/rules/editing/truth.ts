// Does a condition always hold, or never? Tries one value of each kind that it can tell apart; what it cannot try stays open.

import { inputOf } from '../cases.ts'
import { compileCondition } from '../language/compile.ts'
import { pathsIn } from '../language/condition.ts'
import { isNumeric } from '../language/decimals.ts'
import { always, compileOpenTest } from '../language/open-test.ts'
import { findPath, isParam, type PathMeaning, velocityMeaning } from '../language/paths.ts'
import type { CaseInput, Comparison, Condition, Literal } from '../language/rule.ts'

/** `always` and `never`: whatever is known. `unknown`: it holds when nothing is known. Undefined: none of them is proven. */
export type Truth = 'always' | 'never' | 'unknown' | undefined

/** Combinations of values that are tried. Paths beyond them are open: neither true nor false (Kleene's logic of three values). */
const mostCombinations = 1_024
const absent = undefined
type Tried = readonly (Literal | undefined)[]

/** Of a condition that `readCondition` has accepted. Never wrong; undefined where it is too large to say. */
export function truthOf(condition: Condition): Truth {
  const comparisons = comparisonsIn(condition)
  const open = new Set(comparisons.flatMap((each) => (isOpen(each) ? pathsIn(each) : [])))
  const tried = new Map<string, Tried>()
  let combinations = 1
  for (const path of byUse(comparisons)) {
    if (open.has(path)) continue
    const values = valuesToTry(path, comparisons)
    if (combinations * values.length > mostCombinations) open.add(path)
    else {
      combinations *= values.length
      tried.set(path, values)
    }
  }
  const test = compileOpenTest(condition, (path) => (open.has(path) ? always : undefined))
  const found = new Set<boolean | undefined>()
  for (const input of inputsOf([...tried])) {
    found.add(test(inputOf(input)))
    if (found.size > 1) break
  }
  if (found.size === 1 && found.has(true)) return 'always'
  if (found.size === 1 && found.has(false)) return 'never'
  return compileCondition(condition)(inputOf({})) ? 'unknown' : undefined
}

function comparisonsIn(condition: Condition): Comparison[] {
  if (condition.op === 'not') return comparisonsIn(condition.of)
  return condition.op === 'all' || condition.op === 'any' ? condition.of.flatMap(comparisonsIn) : [condition]
}

/** What lists contain, how two paths relate, and what a param begins with that is a number in text, is not tried. */
const isOpen = (comparison: Comparison): boolean =>
  comparison.op === 'inList' ||
  (comparison.op === 'prefix' && isParam(comparison.path)) ||
  ('value' in comparison && typeof comparison.value === 'object')

/** The paths that are compared most often come first: they decide most. */
function byUse(comparisons: readonly Comparison[]): string[] {
  const uses = new Map<string, number>()
  for (const { path } of comparisons) uses.set(path, (uses.get(path) ?? 0) + 1)
  return [...uses].toSorted(([, a], [, b]) => b - a).map(([path]) => path)
}

function valuesToTry(path: string, comparisons: readonly Comparison[]): Tried {
  const meaning = findPath(path) ?? velocityMeaning(path)
  const literals = comparisons.filter((each) => each.path === path).flatMap(literalsOf)
  const texts = literals.filter((each) => typeof each === 'string')
  const numbers = literals.filter((each) => typeof each === 'number')
  switch (meaning.kind) {
    case 'flag':
      return [absent, true, false]
    case 'text':
      return [absent, ...textsToTry(meaning, texts)]
    case 'number':
      return [absent, ...numbersToTry(numbers)]
    default:
      return [absent, true, false, ...textsToTry(meaning, texts), ...asText(numbersToTry(numbers))]
  }
}

function literalsOf(comparison: Comparison): Literal[] {
  switch (comparison.op) {
    case 'exists':
    case 'inList':
      return []
    case 'in':
      return comparison.values
    case 'between':
      return [comparison.from, comparison.to]
    default:
      return typeof comparison.value === 'object' ? [] : [comparison.value]
  }
}

/** Each text of the condition, one that begins with it, and one that does neither. */
/** The integrator may send a number as text, which is neither equal to another text nor one that a rule names. */
const asText = (numbers: readonly number[]): Literal[] => [...numbers, ...numbers.map(String).filter(isNumeric)]

const textsToTry = ({ values }: PathMeaning, texts: readonly string[]): readonly string[] =>
  values ?? [...new Set(['\u{10fffd}', ...texts.flatMap((text) => [text, `${text}\u{10fffd}`])])]

/** Each number of the condition, and one between each two of them, below and above. */
function numbersToTry(numbers: readonly number[]): number[] {
  const sorted = [...new Set(numbers)].toSorted((a, b) => a - b)
  const between = sorted.slice(1).map((number, index) => number / 2 + sorted[index]! / 2)
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)]
  return [...sorted, ...between, least - distance(least), most + distance(most)]
}

/** Enough to give another number: 2^54 + 1 is 2^54. */
const distance = (number: number) => Math.max(1, 2 * Number.EPSILON * Math.abs(number))

function* inputsOf([first, ...others]: readonly (readonly [string, Tried])[]): Generator<CaseInput> {
  if (!first) return yield {}
  const [path, values] = first
  for (const rest of inputsOf(others)) {
    for (const value of values) yield value === undefined ? rest : { ...rest, [path]: value }
  }
}
