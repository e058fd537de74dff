// Which path does a rule mean? Finds it in the vocabulary, or suggests the nearest one.

import type { TSchema } from 'typebox'
import { lastName, nearestWord } from '../../core/config/nearest-word.ts'
import { numberAsKept } from '../../core/json/numbers.ts'
import { signals } from '../../device/signals/index.ts'
import type { Signal } from '../../device/signals/signal.ts'
import { openPartReaders, type Read, readersOf } from './readers.ts'
import { RuleInput, ruleInputSchemaOf } from './vocabulary.ts'

export type PathKind = 'flag' | 'number' | 'text' | 'any'

/** What a rule may read under a path. */
export interface PathMeaning {
  readonly path: string
  /** `any`: a value from the integrator; text, number, true or false. */
  readonly kind: PathKind
  /** The allowed texts. */
  readonly values?: readonly string[]
  readonly unit?: string
  readonly description: string
  /** Its key is chosen by the integrator, so that it may contain any kind of text. */
  readonly isOpen?: true
  /** Returns its value in an input; undefined when absent. */
  readonly read: Read
}

/** A part whose keys the integrator chooses: `params.` followed by any key. */
export type OpenPart = Pick<PathMeaning, 'kind' | 'description'> & { readonly prefix: string }

interface Part {
  type?: string
  enum?: string[]
  unit?: string
  description?: string
  properties?: Record<string, Part>
  patternProperties?: Record<string, Part>
}

function partsOf(schema: Part, prefix = ''): [path: string, part: Part][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, part]) =>
    part.properties ? partsOf(part, `${prefix}${key}.`) : [[`${prefix}${key}`, part] as [string, Part]],
  )
}

const kinds: Readonly<Record<string, PathKind>> = { boolean: 'flag', number: 'number', string: 'text' }

/** Every path outside open parts, in the order of the vocabulary. */
export function pathsOf(list: readonly Signal[]): PathMeaning[] {
  const readers = readersOf(list)
  return partsOf(ruleInputSchemaOf(list) as TSchema as Part).flatMap(([path, part]) => {
    if (part.patternProperties) return []
    const { unit, description = '', enum: values } = part
    const kind = values ? 'text' : kinds[part.type ?? '']!
    return [{ path, kind, description, ...(values && { values }), ...(unit && { unit }), read: readers[path]! }]
  })
}

export const paths: readonly PathMeaning[] = pathsOf(signals)

export const openParts: readonly OpenPart[] = partsOf(RuleInput as TSchema as Part).flatMap(
  ([path, { patternProperties, description = '' }]) => {
    if (!patternProperties) return []
    const [keyed] = Object.values(patternProperties)
    return [{ prefix: `${path}.`, kind: kinds[keyed?.type ?? ''] ?? 'any', description }]
  },
)

const byPath: ReadonlyMap<string, PathMeaning> = new Map(paths.map((meaning) => [meaning.path, meaning]))

/** Names of the velocities that a rule set declares; its rules read them as `velocity.<name>`. */
export type VelocityNames = readonly string[]

export const velocityPrefix = 'velocity.'

/** The path under which rules read a velocity. */
export const velocityPath = (name: string): string => `${velocityPrefix}${name}`

/** Whether the backend sends the value: any number may be decimal text. */
export const isParam = (path: string): boolean => path.startsWith('params.')

/** The meaning of a path; undefined when the rules of a set with these velocities cannot read it. */
export function findPath(path: string, velocities: VelocityNames = []): PathMeaning | undefined {
  const known = byPath.get(path)
  if (known) return known
  if (path.startsWith(velocityPrefix) && velocities.includes(path.slice(velocityPrefix.length))) {
    return velocityMeaning(path)
  }
  const open = openParts.find(({ prefix }) => path.length > prefix.length && path.startsWith(prefix))
  if (!open) return undefined
  const { prefix, kind, description } = open
  return { path, kind, description, isOpen: true, read: keyReaderOf(prefix.slice(0, -1), path.slice(prefix.length)) }
}

/** The meaning of a path that reads a velocity of a rule set. */
export function velocityMeaning(path: string): PathMeaning {
  const name = path.slice(velocityPrefix.length)
  const read: Read = ({ velocity }) =>
    velocity !== undefined && Object.hasOwn(velocity, name) ? Reflect.get(velocity, name) : undefined
  return { path, kind: 'number', description: 'A velocity of the rule set', read }
}

/** The names below `velocity.` that Ringfence defines. */
export const builtInVelocities: VelocityNames = paths
  .filter(({ path }) => path.startsWith(velocityPrefix))
  .map(({ path }) => path.slice(velocityPrefix.length))

/** The key may be anything, even `__proto__`, so only own properties are read. */
function keyReaderOf(part: string, key: string): Read {
  const valuesOf = openPartReaders[part]!
  return (input) => {
    const values = valuesOf(input)
    return values !== undefined && Object.hasOwn(values, key) ? numberAsKept(values[key]) : undefined
  }
}

/** The path that was probably meant: one with the same last name, else the one with the fewest changed letters. */
export function nearestPath(path: string, velocities: VelocityNames = []): string | undefined {
  if (path.length > longestPath) return undefined
  const dot = path.lastIndexOf('.')
  const openPart = nearestWord(
    path.slice(0, Math.max(0, dot)),
    openParts.map(({ prefix }) => prefix.slice(0, -1)),
  )
  if (openPart !== undefined) return `${openPart}${path.slice(dot)}`
  const known = [...velocities.map(velocityPath), ...paths.map((meaning) => meaning.path)]
  const wanted = lastName(path)
  return known.find((name) => lastName(name) === wanted) ?? nearestWord(path, known)
}

const longestPath = 64
