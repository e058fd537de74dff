// Which velocities does a decision have? Reads all of them in one statement, and says what the decision adds to them.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import type { InList } from '../language/list.ts'
import type { RuleInput } from '../language/vocabulary.ts'
import {
  newLogPlace,
  type VelocityRow,
  type VelocityWrite,
  velocityRows,
  writeVelocities,
} from '../store/velocity-counts.ts'
import type { CompiledVelocity } from './compile-velocity.ts'
import { keyHashOf } from './forget.ts'
import { entryStart, KeyCounts, unitsText, valueText } from './key-counts.ts'
import { leavesAt, velocityValue } from './window.ts'

/** The values of the velocities of one rule set by name. A velocity whose key is not known is absent. */
export type VelocityValues = Readonly<Record<string, number>>

export interface VelocitiesOfDecision {
  /** For each rule set, in the given order. */
  readonly values: readonly VelocityValues[]
  /** Adds this decision. Commit it together with the decision, so that a retry does not count twice. */
  readonly statements: readonly BatchStatement[]
}

/** A key of this decision, such as its user, and the velocities that count it. */
interface Key {
  readonly hash: Uint8Array
  readonly velocities: Map<string, CompiledVelocity>
}

/**
 * The velocities that these rule sets declare (usually the live one, and the one in shadow), including the present decision at `now`
 * (epoch milliseconds). `inList` answers for the lists that their conditions read. Two that are defined alike are one, whatever their
 * names. Commit the statements within five minutes: later, what they fold could have left its window and be deleted.
 */
export async function velocitiesOfDecision(
  sets: readonly (readonly CompiledVelocity[])[],
  input: RuleInput,
  { database, keys, now, inList }: { database: Queryable; keys: TenantKeys; now: number; inList?: InList },
): Promise<VelocitiesOfDecision> {
  const found = keysOf(sets, input, keys)
  const rows = await velocityRows(
    database,
    found.map(({ hash }) => hash),
  )
  const valueHash = once((value: string) => valueText(keys.hash(`velocity value ${value}`)))
  const valueById = new Map<string, number>()
  const writes: VelocityWrite[] = []
  for (const [place, { hash, velocities }] of found.entries()) {
    const ofKey = rows.filter((row) => row.place === place)
    const counts = countsOf(ofKey, now)
    const nothingAdded = entryStart(now)
    let content = nothingAdded
    let leaves = 0
    for (const [id, { velocity, addedBy }] of velocities) {
      const added = addedBy(input, inList)
      const value = added?.value === undefined ? undefined : valueHash(added.value)
      valueById.set(id, velocityValue(velocity.measure, counts.of(id, value), added))
      if (!added || (value !== undefined && counts.hasNow(id, value))) continue
      content += ` ${id}${value ?? (velocity.measure === 'sum' ? unitsText(added.units) : '')}`
      leaves = Math.max(leaves, leavesAt(now, velocity.withinMs))
    }
    if (content === nothingAdded) continue
    writes.push(...writesOf(ofKey, counts, { keyHash: hash, content, leavesAt: leaves }, now))
  }
  return {
    values: sets.map((set) => namedValues(set, valueById)),
    statements: writes.length === 0 ? [] : [writeVelocities(writes, now)],
  }
}

function keysOf(sets: readonly (readonly CompiledVelocity[])[], input: RuleInput, keys: TenantKeys): Key[] {
  const byKind = new Map<string, Key | undefined>()
  for (const compiled of sets.flat()) {
    const { per } = compiled.velocity
    if (!byKind.has(per)) {
      const key = compiled.keyOf(input)
      const hash = key === undefined ? undefined : keyHashOf(keys, key)
      byKind.set(per, hash && { hash, velocities: new Map() })
    }
    byKind.get(per)?.velocities.set(compiled.id, compiled)
  }
  return [...byKind.values()].filter((key) => key !== undefined)
}

/** What the rows of one key have counted. */
export function countsOf(rows: readonly Pick<VelocityRow, 'part' | 'content'>[], now: number): KeyCounts {
  const counts = new KeyCounts(now)
  for (const { part, content } of rows) {
    if (part % 2 === 0) counts.addLog(content)
    else counts.addFolded(content)
  }
  return counts
}

/** Logs that share the decisions of a busy key, so that they do not wait for each other. */
const logsOfBusyKey = 4
/** A key is busy when its logs have this many decisions of the last second. */
const busyFrom = 4
/** A log is folded from this many characters, and this part of what was folded: each decision reads it, and each fold writes all. */
const foldFrom = { characters: 400, part: 1 / 16 }

/** Appends to a log of the key, and folds that log when it is long. */
function writesOf(
  rows: readonly VelocityRow[],
  counts: KeyCounts,
  entry: Pick<VelocityWrite, 'keyHash' | 'content' | 'leavesAt'>,
  now: number,
): VelocityWrite[] {
  const part = counts.recent < busyFrom ? 0 : 2 * Math.floor(Math.random() * logsOfBusyKey)
  const log = rows.find((row) => row.part === part)
  const foldedBefore = rows.find((row) => row.part === part + 1)?.content.length ?? 0
  const isShort = !log || log.content.length < Math.max(foldFrom.characters, foldFrom.part * foldedBefore)
  if (isShort) return [{ ...entry, part, folded: log?.folded ?? newLogPlace() }]
  const folded = log.folded + log.content.length
  const pair = rows.filter((row) => row.part === part || row.part === part + 1)
  const { content, leavesAt } = (pair.length === rows.length ? counts : countsOf(pair, now)).folded()
  const appended = { ...entry, part, folded }
  return content === '' ? [appended] : [appended, { keyHash: entry.keyHash, part: part + 1, folded, content, leavesAt }]
}

function namedValues(set: readonly CompiledVelocity[], valueById: ReadonlyMap<string, number>): VelocityValues {
  const values: Record<string, number> = {}
  for (const { id, velocity } of set) {
    const value = valueById.get(id)
    if (value !== undefined) values[velocity.name] = value
  }
  return values
}

/** Several velocities of a decision count the same value. */
function once(work: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    let result = known.get(text)
    if (result === undefined) {
      result = work(text)
      known.set(text, result)
    }
    return result
  }
}
