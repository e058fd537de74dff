// How does a form show a condition? As rows, in groups within each other. What it has no row for, it shows as text and leaves as it is.

import type { RuleVocabulary } from '../../../api/types.ts'

type Literal = string | number | boolean

export interface Row {
  readonly path: string
  readonly op: string
  readonly value: Literal
  /** Of `inList`. */
  readonly list?: string
}

/** Parts of which all or any hold, or do not. */
export interface Group {
  readonly join: Join
  /** At least one. */
  readonly parts: readonly Part[]
}
export type Join = 'all' | 'any' | 'notAll' | 'none'

/** A comparison that has no row. */
export interface Other {
  readonly tree: unknown
}

export type Part = Row | Group | Other

export const isGroup = (part: Part): part is Group => 'parts' in part
export const isOther = (part: Part): part is Other => 'tree' in part

type PathKind = RuleVocabulary['paths'][number]['kind']
interface Tree {
  op?: string
  path?: string
  of?: unknown
  value?: unknown
  values?: unknown
  list?: string
}

/** A condition that is no group is the only part of one. */
export function groupOf(tree: unknown): Group {
  const part = partOf(tree)
  return isGroup(part) ? part : { join: 'all', parts: [part] }
}

function partOf(tree: unknown): Part {
  const { op, of } = (tree ?? {}) as Tree
  if ((op === 'all' || op === 'any') && Array.isArray(of)) return { join: op, parts: of.map(partOf) }
  if (op === 'not') {
    const inner = partOf(of)
    if (!isGroup(inner)) return { join: 'notAll', parts: [inner] }
    if (inner.join === 'all') return { ...inner, join: 'notAll' }
    if (inner.join === 'any') return { ...inner, join: 'none' }
    return { join: 'notAll', parts: [inner] }
  }
  return rowOf(tree) ?? { tree }
}

function rowOf(tree: unknown): Row | undefined {
  const { op, path, value, list } = (tree ?? {}) as Tree
  if (typeof op !== 'string' || typeof path !== 'string') return undefined
  if (op === 'exists') return { path, op, value: true }
  if (op === 'inList') return { path, op, value: '', list: list ?? '' }
  if (!['==', '!=', '<', '<=', '>', '>=', 'prefix'].includes(op)) return undefined
  return typeof value === 'object' || value === undefined ? undefined : { path, op, value: value as Literal }
}

export function treeOf(part: Part): unknown {
  if (isOther(part)) return part.tree
  if (isGroup(part)) {
    const of = part.parts.map(treeOf)
    const joined = of.length === 1 ? of[0] : { op: part.join === 'any' || part.join === 'none' ? 'any' : 'all', of }
    return part.join === 'notAll' || part.join === 'none' ? { op: 'not', of: joined } : joined
  }
  const { path, op, value, list } = part
  return op === 'exists' ? { op, path } : op === 'inList' ? { op, path, list } : { op, path, value }
}

/** A comparison as text, near enough to recognise it. */
export function textOf(tree: unknown): string {
  const { op, path, of: _, ...rest } = (tree ?? {}) as Tree & Record<string, unknown>
  return [path, op, ...Object.values(rest).map((each) => JSON.stringify(each))].filter(Boolean).join(' ')
}

/** A group as a person begins it: with the other way to join, since the same one would be one group with what is around it. */
export const newGroup = ({ join }: Group): Group => ({
  join: join === 'any' || join === 'none' ? 'all' : 'any',
  parts: [newRow, newRow],
})

/** Suggests nothing: a person chooses what to compare. */
export const newRow: Row = { path: '', op: '==', value: true }

/** Whether a person has still to choose what a row compares. */
export const isUnfinished = (part: Part): boolean =>
  isGroup(part) ? part.parts.some(isUnfinished) : !isOther(part) && part.path === ''

/** Lists that can contain what is at the path. */
export const listsFor = (path: string, { lists, openParts }: RuleVocabulary): RuleVocabulary['lists'] =>
  openParts.some(({ prefix }) => path.startsWith(prefix)) ? lists : lists.filter(({ paths }) => paths.includes(path))

/** Without the part; a group that is empty then goes too. Undefined: nothing is left. */
export function without(group: Group, index: number): Group | undefined {
  return group.parts.length === 1 ? undefined : { ...group, parts: group.parts.toSpliced(index, 1) }
}

/** What a new row compares a path with. */
export function rowFor(path: string, vocabulary: RuleVocabulary): Row {
  const { kind, values } = meaningOf(path, vocabulary)
  if (kind === 'flag') return { path, op: '==', value: true }
  if (kind === 'number') return { path, op: '>=', value: 1 }
  return { path, op: '==', value: values?.[0] ?? '' }
}

export const meaningOf = (
  path: string,
  { paths }: RuleVocabulary,
): { kind: PathKind; values?: string[]; description: string } =>
  paths.find((each) => each.path === path) ?? { kind: path.startsWith('velocity.') ? 'number' : 'any', description: '' }
