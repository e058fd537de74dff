// What is a rule? A condition over what is known of a session, and what follows when it holds.

import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { firstMistake } from '../config/schema-errors.ts'

/** What a condition and a rule set may hold at most; whatever is larger is refused before it is looked at. */
export const caps = {
  /** Characters of a condition as text. */
  textLength: 65_536,
  /** Conditions within conditions. */
  depth: 32,
  /** Comparisons and combinations of one condition. */
  conditions: 1_000,
  /** Values of a list. */
  listLength: 1_000,
  /** Characters of a text within a condition. */
  literalLength: 1_024,
  pathLength: 256,
  rules: 200,
  cases: 50,
} as const

const closed = { additionalProperties: false } as const

const Path = Type.String({ minLength: 1, maxLength: caps.pathLength })
const Text = Type.String({ maxLength: caps.literalLength })
const Finite = Type.Number({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE })

/** What a path is compared with; a number is finite. */
export const Literal = Type.Union([Text, Finite, Type.Boolean()])
export type Literal = Static<typeof Literal>

/** Another path of the same session: `ipDetails.country != telecom.country`. */
const OtherPath = Type.Object({ path: Path }, closed)

const equality = ['==', '!='] as const
const order = ['<', '<=', '>', '>='] as const

const anyValue = { description: 'a text, a number, true, false, or { "path": … }' }
const anyNumber = { description: 'a number, or { "path": … }' }

/** The shape of each kind of condition by its operator; of those that hold others, these are checked one by one. */
const comparisons = [
  Type.Object({ op: Type.Enum([...equality]), path: Path, value: Type.Union([Literal, OtherPath], anyValue) }, closed),
  Type.Object({ op: Type.Enum([...order]), path: Path, value: Type.Union([Finite, OtherPath], anyNumber) }, closed),
  Type.Object(
    {
      op: Type.Literal('in'),
      path: Path,
      values: Type.Array(Literal, { minItems: 1, description: 'texts, numbers, true or false' }),
    },
    closed,
  ),
  Type.Object({ op: Type.Literal('between'), path: Path, from: Finite, to: Finite }, closed),
  Type.Object({ op: Type.Literal('prefix'), path: Path, value: Text }, closed),
  Type.Object({ op: Type.Literal('exists'), path: Path }, closed),
] as const
const combinations = [
  Type.Object({ op: Type.Enum(['all', 'any']), of: Type.Array(Type.Unknown(), { minItems: 2 }) }, closed),
  Type.Object({ op: Type.Literal('not'), of: Type.Unknown() }, closed),
] as const

export type EqualityOperator = (typeof equality)[number]
export type OrderOperator = (typeof order)[number]
export type Comparison = Static<(typeof comparisons)[number]>

/**
 * A condition as a tree. `all` and `any` hold two at least, in the order in which they are asked; a comparison with an
 * absent value is false, whatever the operator, so that `not` of it is true.
 */
export type Condition =
  | Comparison
  | { op: 'all'; of: Condition[] }
  | { op: 'any'; of: Condition[] }
  | { op: 'not'; of: Condition }

/** The strongest last. */
export const actions = ['ALLOW', 'WARN', 'BLOCK'] as const

const printable = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

/** A rule without its condition and cases, which rule-set.ts reads. */
export const RuleHead = Type.Object(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
      description: 'letters, digits, - and _; stays the same when the rule is changed',
    }),
    name: Type.String({ minLength: 1, maxLength: 100, pattern: printable, description: 'shown in reports' }),
    action: Type.Enum([...actions], { description: 'what is answered when it fires' }),
    score: Type.Number({ minimum: 0, maximum: 1000, description: 'added to the total when it fires' }),
    description: Type.Optional(Type.String({ maxLength: 1000, description: 'why; for whoever reads reports' })),
    message: Type.Optional(Type.String({ maxLength: 500, description: 'what the user may be told' })),
  },
  closed,
)

/** Values by path: what a rule is tried with. */
export type CaseInput = Readonly<Record<string, Literal>>
/** An example that a rule must fire at, or stay silent at. */
export type RuleCase = { name?: string } & ({ fires: CaseInput } | { silent: CaseInput })

export interface Rule extends Static<typeof RuleHead> {
  when: Condition
  cases?: RuleCase[]
}

/** Every rule is asked; the order counts only between rules of the same action and score. */
export interface RuleSet {
  rules: Rule[]
}

/** Why a condition is refused. The message says where and what to do. */
export class ConditionMistake extends Error {
  override name = 'ConditionMistake'
  /** What is wrong, without the place. */
  readonly reason: string
  /** From 1, in the condition's own text; absent when it was given as a tree. */
  readonly line: number | undefined
  readonly column: number | undefined
  constructor(reason: string, place?: { line: number; column: number } | string) {
    const where = typeof place === 'object' ? `line ${place.line}, column ${place.column}` : place
    super(where ? `${where}: ${reason}` : reason)
    this.reason = reason
    if (typeof place === 'object') [this.line, this.column] = [place.line, place.column]
  }
}

const shapes = new Map(
  [...comparisons, ...combinations].flatMap((shape) => {
    const { op } = shape.properties as Record<string, { const?: string; enum?: string[] }>
    const compiled = Compile(shape)
    return (op!.enum ?? [op!.const]).map((name) => [
      name as unknown,
      { shape, fits: (node: unknown) => compiled.Check(node) },
    ])
  }) as [op: unknown, { shape: TSchema; fits(node: unknown): boolean }][],
)

/**
 * A condition that came from outside as a tree, checked in shape, depth and size; whether its paths and types fit is told
 * by `mistakeIn`. @throws ConditionMistake that names the place, as `of[1].value`
 */
export function readConditionTree(value: unknown): Condition {
  let left: number = caps.conditions
  const read = (node: unknown, at: string, depth: number): void => {
    if (depth > caps.depth) throw new ConditionMistake(`deeper than ${caps.depth} conditions within each other`, at)
    if (left-- === 0) throw new ConditionMistake(`more than ${caps.conditions} conditions`, at)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) {
      throw new ConditionMistake('must be a condition, such as { "op": "==", "path": "newDevice", "value": true }', at)
    }
    const { op, of, values } = node as Record<string, unknown>
    const shape = Object.hasOwn(node, 'op') ? shapes.get(op) : undefined
    if (!shape) throw new ConditionMistake(`op must be one of ${[...shapes.keys()].join(' ')}`, at)
    const list = Array.isArray(of) ? of : Array.isArray(values) ? values : []
    if (list.length > caps.listLength) throw new ConditionMistake(`a list of more than ${caps.listLength}`, at)
    if (Object.keys(node).length > 4) throw new ConditionMistake('has keys that no condition has', at)
    if (!shape.fits(node)) throw new ConditionMistake(firstMistake(shape.shape, node) ?? 'is no condition', at)
    const inner = at && `${at}.`
    if (op === 'not') read(of, `${inner}of`, depth + 1)
    else if (Array.isArray(of)) for (const [i, each] of of.entries()) read(each, `${inner}of[${i}]`, depth + 1)
  }
  read(value, '', 1)
  return value as Condition
}
