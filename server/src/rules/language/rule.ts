// What is a rule? A condition on the data of a session, and the action and score when it holds.

import { reviewHours } from '@ringfence/contract'
import Type, { type Static, type TSchema } from 'typebox'
import { firstMistake } from '../../core/config/schema-errors.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { ListName } from './list.ts'
import type { Requirements } from './requirements.ts'

/** The limits of conditions and rule sets. Larger ones are refused before they are read. */
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
  velocities: 20,
  cases: 50,
} as const

const closed = { additionalProperties: false } as const

const Path = Type.String({ minLength: 1, maxLength: caps.pathLength })
const Text = Type.String({ maxLength: caps.literalLength })
const Finite = Type.Number({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE })

/** A value that a path is compared with. */
export const Literal = Type.Union([Text, Finite, Type.Boolean()])
export type Literal = Static<typeof Literal>

/** Another path of the same session: `ipDetails.country != telecom.country`. */
const OtherPath = Type.Object({ path: Path }, closed)

const equality = ['==', '!='] as const
const order = ['<', '<=', '>', '>='] as const

const anyValue = { description: 'a text, a number, true, false, or { "path": … }' }
const anyNumber = { description: 'a number, or { "path": … }' }

/** The schema of each kind of condition. Nested conditions are checked one by one. */
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
  Type.Object({ op: Type.Literal('inList'), list: ListName, path: Path }, closed),
] as const
const combinations = [
  Type.Object({ op: Type.Enum(['all', 'any']), of: Type.Array(Type.Unknown(), { minItems: 2 }) }, closed),
  Type.Object({ op: Type.Literal('not'), of: Type.Unknown() }, closed),
] as const

export type OrderOperator = (typeof order)[number]
export type Comparison = Static<(typeof comparisons)[number]>

/**
 * A condition as a tree. `all` and `any` have at least two parts, evaluated in order. A comparison with an absent value is
 * false for every operator, so `not` of it is true.
 */
export type Condition =
  | Comparison
  | { op: 'all'; of: Condition[] }
  | { op: 'any'; of: Condition[] }
  | { op: 'not'; of: Condition }

/** Strongest last. A device report has three of them only: `shownInReport`. */
export const actions = ['ALLOW', 'WARN', 'REVIEW', 'CHALLENGE', 'BLOCK'] as const
export type Action = (typeof actions)[number]

const printable = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

/** A rule without its condition and cases, which rule-set.ts reads. */
export const RuleHead = Type.Object(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
      description: 'letters, digits, - and _; stays the same when the rule changes',
    }),
    name: Type.String({ minLength: 1, maxLength: 100, pattern: printable, description: 'shown in reports' }),
    action: Type.Enum([...actions], { description: 'the decision when the rule fires' }),
    score: Type.Number({ minimum: 0, maximum: 1000, description: 'added to the total when the rule fires' }),
    description: Type.Optional(Type.String({ maxLength: 1000, description: 'the reason, for readers of reports' })),
    message: Type.Optional(Type.String({ maxLength: 500, description: 'message that may be shown to the user' })),
    acceptNumber: Type.Optional(
      Type.Boolean({ description: 'a sign-in with the phone number passes its challenge, whatever its operator says' }),
    ),
    reviewHours: Type.Optional(
      Type.Integer({
        minimum: reviewHours.least,
        maximum: reviewHours.most,
        description: 'how long reviewers have for what it sends to REVIEW, in hours; absent: the deadline of reviews',
      }),
    ),
  },
  closed,
)

/** Values by path: the input of a case. */
export type CaseInput = Readonly<Record<string, Literal>>
/** An example for which a rule must fire or stay silent. */
export type RuleCase = { name?: string } & ({ fires: CaseInput } | { silent: CaseInput })

export interface Rule extends Static<typeof RuleHead> {
  when: Condition
  cases?: RuleCase[]
}

/** How a velocity counts: decisions, distinct values of a path, or the sum of a path. */
export type VelocityMeasure = 'count' | 'distinct' | 'sum'

/** Whose decisions a velocity counts: a subject of the decision, or a param. */
export type VelocityKey =
  | 'user'
  | 'phoneNumber'
  | 'device'
  | 'installation'
  | 'ip'
  | 'ipPrefix'
  | 'emailMailbox'
  | `params.${string}`

/** A count that a rule set declares, read by its rules as `velocity.<name>`. */
export interface Velocity {
  name: string
  measure: VelocityMeasure
  /** The path whose values are counted or added; absent for `count`. */
  path?: string
  per: VelocityKey
  /** Length of the window as it was written, such as `24h`, and in milliseconds. */
  within: string
  withinMs: number
  /** Counts only decisions for which this holds. */
  when?: Condition
}

/** Every rule is evaluated. The order matters only between rules of the same action and score. */
export interface RuleSet {
  rules: Rule[]
  /** Absent when the set declares none. */
  velocities?: Velocity[]
  /** Absent: the defaults. */
  requirements?: Requirements
}

/** Why a condition is refused. The message says where, and what to do. */
export class ConditionMistake extends Error {
  override name = 'ConditionMistake'
  /** The mistake, without its place. */
  readonly reason: string
  /** From 1, in the text of the condition; absent for a tree. */
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
    const compiled = compileOnUse(shape)
    return (op!.enum ?? [op!.const]).map((name) => [
      name as unknown,
      { shape, fits: (node: unknown) => compiled.Check(node) },
    ])
  }) as [op: unknown, { shape: TSchema; fits(node: unknown): boolean }][],
)

/**
 * Reads a condition that is a tree, and checks its shape, depth and size. `mistakeIn` checks its paths and types.
 * @throws ConditionMistake that names the place, for example `of[1].value`
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
    if (!shape.fits(node)) throw new ConditionMistake(firstMistake(shape.shape, node) ?? 'is not a condition', at)
    const inner = at && `${at}.`
    if (op === 'not') read(of, `${inner}of`, depth + 1)
    else if (Array.isArray(of)) for (const [i, each] of of.entries()) read(each, `${inner}of[${i}]`, depth + 1)
  }
  read(value, '', 1)
  return value as Condition
}
