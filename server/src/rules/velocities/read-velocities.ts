// Which velocities does a rule set declare? Reads them with every mistake at its place, and writes them as a file shows them.

import Type from 'typebox'
import { nearestWord } from '../../core/config/nearest-word.ts'
import { firstMistake } from '../../core/config/schema-errors.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { readCondition } from '../language/condition.ts'
import type { KnownLists } from '../language/list-mistake.ts'
import { builtInVelocities, findPath, velocityPath } from '../language/paths.ts'
import { type Condition, ConditionMistake, caps, type Velocity, type VelocityKey } from '../language/rule.ts'
import { printCondition, printPath } from '../language/text.ts'

/** A velocity as files and stores hold it: `{ distinct: 'params.card', per: 'device', within: '24h' }`. */
export interface WrittenVelocity {
  count?: 'decisions'
  distinct?: string
  sum?: string
  per: string
  within: string
  when?: string
}

export interface VelocityMistake {
  /** Place below `velocity`, for example `['cards', 'within']`. */
  readonly at: readonly string[]
  readonly reason: string
  /** In the text of a condition, from 1. */
  readonly line?: number
  readonly column?: number
}

/** Whose decisions a velocity may count, apart from params. */
export const velocitySubjects = [
  'user',
  'phoneNumber',
  'device',
  'installation',
  'ip',
  'ipPrefix',
  'emailMailbox',
] as const
/** What `per` may be, for messages. */
const keysText = `${velocitySubjects.join(', ')}, or a param such as params.card`
const windowText = 'a time from 5m to 30d, such as 5m, 24h or 7d'

const Text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: caps.pathLength, description }))
const VelocityHead = Type.Object(
  {
    count: Type.Optional(Type.Enum(['decisions'])),
    distinct: Text('the path whose distinct values are counted'),
    sum: Text('the path whose numbers are added'),
    per: Type.String({ minLength: 1, maxLength: caps.pathLength, description: keysText }),
    within: Type.String({ minLength: 2, maxLength: 8, description: windowText }),
  },
  { additionalProperties: false },
)
const head = compileOnUse(VelocityHead)

/** A name is a word of conditions. */
const namePattern = /^[a-z][A-Za-z0-9_]{0,39}$/
const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const shortestMs = 5 * unitMs.m
const longestMs = 30 * unitMs.d

/** The valid velocities. Do not use a set with any mistake. */
export function readVelocities(
  value: unknown,
  report: (mistake: VelocityMistake) => void,
  lists?: KnownLists,
): Velocity[] {
  if (value === undefined || value === null) return []
  if (!isObject(value)) {
    report({
      at: [],
      reason: 'velocity must be velocities by name: { cards: { distinct: params.card, per: device, within: 24h } }',
    })
    return []
  }
  const given = Object.entries(value)
  if (given.length > caps.velocities) {
    report({ at: [], reason: `more than ${caps.velocities} velocities` })
    return []
  }
  return given.flatMap(([name, each]) => {
    const mistake = nameMistake(name)
    if (mistake !== undefined) report({ at: [name], reason: mistake })
    const velocity = readVelocity(name, each, report, lists)
    return velocity && mistake === undefined ? [velocity] : []
  })
}

function nameMistake(name: string): string | undefined {
  if (!namePattern.test(name)) {
    return 'the name of a velocity has 1 to 40 letters, digits and _, and begins with a lower-case letter'
  }
  return builtInVelocities.includes(name)
    ? `${velocityPath(name)} is built in: choose another name for your own velocity`
    : undefined
}

function readVelocity(
  name: string,
  value: unknown,
  report: (mistake: VelocityMistake) => void,
  lists: KnownLists | undefined,
): Velocity | undefined {
  const fail = (key: string | undefined, reason: string): undefined => {
    report({ at: key === undefined ? [name] : [name, key], reason })
  }
  if (!isObject(value)) return fail(undefined, 'a velocity is { count, distinct or sum; per; within }')
  const { when, ...rest } = value
  if (!head.Check(rest)) {
    const reason = firstMistake(VelocityHead, rest, { alsoKnown: ['when'] }) ?? 'is not a velocity'
    const key = reason.split(' ', 1)[0]!
    return fail(Object.hasOwn(rest, key) ? key : undefined, reason)
  }
  const measures = (['count', 'distinct', 'sum'] as const).filter((key) => rest[key] !== undefined)
  const [measure] = measures
  if (measure === undefined || measures.length > 1) {
    return fail(undefined, 'a velocity has exactly one of count: decisions, distinct: PATH, sum: PATH')
  }
  const path = measure === 'count' ? undefined : readPath(rest[measure]!)
  if (path && 'reason' in path) return fail(measure, path.reason)
  if (path && measure === 'sum' && !['number', 'any'].includes(path.kind)) {
    return fail('sum', `${path.path} is not a number: count its values with distinct`)
  }
  const per = readKey(rest.per)
  if ('reason' in per) return fail('per', per.reason)
  const withinMs = windowOf(rest.within)
  if (withinMs === undefined) return fail('within', `within must be ${windowText}`)
  const condition = readWhen(name, when, report, lists)
  if (condition === 'mistake') return undefined
  return {
    name,
    measure,
    ...(path && { path: path.path }),
    per: per.key,
    within: rest.within,
    withinMs,
    ...(condition && { when: condition }),
  }
}

/** A path is written as in a condition: `params.card` or `params["my card"]`. */
function readPath(text: string) {
  try {
    const condition = readCondition(`exists ${text}`)
    const meaning = condition.op === 'exists' && findPath(condition.path)
    return meaning || { reason: 'must be one path, such as params.card' }
  } catch (error) {
    if (error instanceof ConditionMistake) return { reason: error.reason }
    throw error
  }
}

function readKey(text: string): { key: VelocityKey } | { reason: string } {
  const subject = velocitySubjects.find((each) => each === text)
  if (subject) return { key: subject }
  const path = readPath(text)
  if ('path' in path && path.path.startsWith('params.')) return { key: path.path as VelocityKey }
  const nearest = nearestWord(text, [...velocitySubjects])
  return { reason: `per must be ${keysText}${nearest === undefined ? '' : `; did you mean ${nearest}?`}` }
}

/** Milliseconds of `24h`; undefined when it is not a window. */
function windowOf(text: string): number | undefined {
  const [, number, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? []
  const ms = Number(number) * unitMs[unit as keyof typeof unitMs]
  return ms >= shortestMs && ms <= longestMs ? ms : undefined
}

function readWhen(
  name: string,
  when: unknown,
  report: (mistake: VelocityMistake) => void,
  lists: KnownLists | undefined,
): Condition | undefined | 'mistake' {
  if (when === undefined) return undefined
  try {
    return readCondition(when, { lists })
  } catch (error) {
    if (!(error instanceof ConditionMistake)) throw error
    const { line, column, reason, message } = error
    const at = [name, 'when']
    if (line === undefined || column === undefined) report({ at, reason: message })
    else report({ at, reason, line, column })
    return 'mistake'
  }
}

/** Velocities by name, with their keys in reading order. */
export function writtenVelocities(velocities: readonly Velocity[]): Record<string, WrittenVelocity> {
  return Object.fromEntries(
    velocities.map(({ name, measure, path, per, within, when }) => [
      name,
      {
        ...(path === undefined ? { count: 'decisions' as const } : { [measure]: printPath(path) }),
        per: per.startsWith('params.') ? printPath(per) : per,
        within,
        ...(when && { when: printCondition(when) }),
      },
    ]),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
