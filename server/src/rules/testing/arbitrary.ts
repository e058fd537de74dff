// Which conditions, inputs and texts test the rules? Generators for fast-check.

import fc from 'fast-check'
import { inputOf } from '../cases.ts'
import { type PathMeaning, paths } from '../language/paths.ts'
import type { CaseInput, Comparison, Condition, Literal } from '../language/rule.ts'
import type { RuleInput } from '../language/vocabulary.ts'

/** Names that are special in JavaScript or in the text form, and others. */
const keys = fc.oneof(
  fc.constantFrom('amount', '__proto__', 'constructor', 'toString', 'my key', 'a.b', 'and', '"', '\\', 'é\u2028', '🙂'),
  fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }),
)
const openPaths: fc.Arbitrary<PathMeaning> = fc.oneof(
  keys.map((key) => ({ path: `params.${key}`, kind: 'any' as const, description: '', read: () => undefined })),
  keys.map((key) => ({
    path: `updateInfo.additionalInput.${key}`,
    kind: 'text' as const,
    description: '',
    read: () => undefined,
  })),
)

/** Few values, so that comparisons are often true. */
const number = fc.oneof(
  fc.constantFrom(0, -0, 1, 70, 70.5, -1, 1e21, 1e-7, Number.MAX_VALUE, 2 ** 53),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const text = fc.oneof(fc.constantFrom('', 'a', 'ab', 'DE', '__proto__'), fc.string({ maxLength: 8, unit: 'binary' }))

/** Money as text, near the numbers above and beyond what a double can hold. */
export const decimal = fc.oneof(
  fc.constantFrom('0', '-0', '00', '1', '1.0', '70.50', '-1.000000', '9007199254740993', '999999999999999.999999'),
  fc.stringMatching(/^-?\d{1,15}(\.\d{1,6})?$/),
)

function literalOf({ kind, values }: PathMeaning): fc.Arbitrary<Literal> {
  if (values) return fc.constantFrom(...values)
  if (kind === 'flag') return fc.boolean()
  if (kind === 'number') return number
  return kind === 'text' ? text : fc.oneof(text, decimal, number, fc.boolean())
}

const somePath = (kinds: readonly string[]) =>
  fc
    .oneof(fc.constantFrom(...paths.slice(0, 12), ...paths.slice(-12)), fc.constantFrom(...paths), openPaths)
    .filter(({ kind }) => kinds.includes(kind))

const anyPath = somePath(['flag', 'number', 'text', 'any'])
const numberPath = somePath(['number', 'any'])
const op = <const Name extends string>(...names: Name[]): fc.Arbitrary<Name> => fc.constantFrom(...names)

const isListed = ({ kind, values }: PathMeaning) => kind === 'text' && !values

const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  anyPath.chain((meaning) =>
    fc.record({ op: op('==', '!='), path: fc.constant(meaning.path), value: literalOf(meaning) }),
  ),
  fc.record({ op: op('<', '<=', '>', '>='), path: numberPath.map(({ path }) => path), value: number }),
  anyPath.chain(({ path, kind }) =>
    fc.record({
      op: op('==', '!='),
      path: fc.constant(path),
      value: somePath([kind, 'any']).map((other) => ({ path: other.path })),
    }),
  ),
  fc.record({
    op: op('<', '<=', '>', '>='),
    path: numberPath.map(({ path }) => path),
    value: numberPath.map(({ path }) => ({ path })),
  }),
  anyPath.chain((meaning) =>
    fc.record({
      op: op('in'),
      path: fc.constant(meaning.path),
      values: fc.array(literalOf(meaning), { minLength: 1, maxLength: 5 }),
    }),
  ),
  fc
    .tuple(numberPath, number, number)
    .map(([{ path }, a, b]) => ({ op: 'between' as const, path, from: Math.min(a, b), to: Math.max(a, b) })),
  fc.record({ op: op('prefix'), path: somePath(['text', 'any']).map(({ path }) => path), value: text }),
  fc.record({ op: op('exists'), path: anyPath.map(({ path }) => path) }),
  fc.record({
    op: op('inList'),
    list: fc.constantFrom('known', 'a-list_2'),
    path: fc.oneof(openPaths, fc.constantFrom(...paths.filter(isListed))).map(({ path }) => path),
  }),
)

/** Conditions of valid form, paths and types. */
export const conditions: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    comparison,
    fc.record({ op: op('all', 'any'), of: fc.array(tie('condition'), { minLength: 2, maxLength: 4 }) }),
    fc.record({ op: op('not'), of: tie('condition') }),
  ),
})).condition

/** Inputs with some of the paths, and with other values that an integrator may send. */
export const inputs: fc.Arbitrary<RuleInput> = fc
  .tuple(
    fc.array(
      anyPath.chain((meaning) => fc.tuple(fc.constant(meaning.path), literalOf(meaning))),
      { maxLength: 30 },
    ),
    fc.array(
      fc.tuple(keys, fc.oneof(fc.constantFrom(null, Number.NaN), fc.array(fc.nat(3)), fc.object({ maxDepth: 1 }))),
    ),
  )
  .map(([values, others]) => {
    const input = inputOf(Object.fromEntries(values) as CaseInput)
    if (others.length > 0) input.params = Object.assign(Object.create(null), input.params, Object.fromEntries(others))
    return input
  })

const fragment = fc.oneof(
  fc.constantFrom(
    ...['(', ')', '((((', ' and ', ' or ', ' not ', ' in ', ' in (', ' between ', ' prefix ', 'exists ', 'true', ','],
    ...['==', '!=', '<', '>=', '=', '&&', '"', '\\', '\n', '[', ']', 'vpn', 'ip', 'params', 'params.x', '__proto__'],
    ...['constructor.prototype', '0', '1e999', '-', '-1', '"a"', '\u0000', '\ud800', '🙂', 'sessionRiskScore > 70'],
  ),
  fc.string({ maxLength: 6, unit: 'binary' }),
)

/** Texts that resemble conditions, or do not. */
export const roughTexts: fc.Arbitrary<string> = fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join(''))
