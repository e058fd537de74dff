// Which accounts, phone numbers, countries and signals were seen on a device, and when last? Bounded: a flood cannot displace what counts.

import { hash } from 'node:crypto'

/**
 * Stored by place: append, never move. `account`, `number`: named by a backend. `person`: signed in here. `hinted…`: sent by the page,
 * which can name anybody or nobody, so they have room of their own.
 */
const kinds = ['account', 'number', 'country', 'signal', 'person', 'hintedAccount', 'hintedNumber'] as const
export type SeenKind = (typeof kinds)[number]
/** The kinds whose values are accounts, and phone numbers. */
export const accountKinds = ['account', 'person', 'hintedAccount'] as const
export const numberKinds = ['number', 'hintedNumber'] as const

/** When each value was last seen (epoch milliseconds), by kind. A value is 8 bytes, as one character each. */
export type SeenValues = Readonly<Record<SeenKind, ReadonlyMap<string, number>>>

/** A value that a visit shows. */
export interface Seen {
  readonly kind: SeenKind
  readonly value: string
}

/**
 * Of more values than this, the newest stay. So the count of a window is the true one, or this: more values never make it fall.
 */
export const mostOfAKind = 64
/** A value that was stored less than this ago is not stored again. */
export const rewriteMs = 600_000
/** No count looks back further. */
export const longestMs = 28 * 86_400_000

const ofEachKind = <Value>(made: (kind: SeenKind) => Value): Record<SeenKind, Value> => ({
  account: made('account'),
  number: made('number'),
  country: made('country'),
  signal: made('signal'),
  person: made('person'),
  hintedAccount: made('hintedAccount'),
  hintedNumber: made('hintedNumber'),
})

export const nothingSeen: SeenValues = ofEachKind(() => new Map())

/** A keyed hash of 8 bytes as a value. */
export const ofHash = (hash: Uint8Array): string => Buffer.from(hash).toString('latin1')
/** A text that is no personal data (a country, the name of a signal) as a value. */
export const ofText = (text: string): string => hash('sha256', text, 'latin1').slice(0, 8)

/** The values after a visit at this time; the same object when nothing has to be stored. */
export function withSeen(before: SeenValues, seen: readonly Seen[], at: number): SeenValues {
  const changed = notStored(before, seen, at)
  if (changed.length === 0) return before
  return ofEachKind((kind) => {
    const values = new Map(before[kind])
    for (const one of changed) if (one.kind === kind) values.set(one.value, at)
    return newest(values, at - longestMs)
  })
}

/** Those of `seen` that a visit at this time stores. */
export const notStored = (before: SeenValues, seen: readonly Seen[], at: number): Seen[] =>
  seen.filter(({ kind, value }) => {
    const lastAt = before[kind].get(value)
    return lastAt === undefined || lastAt + rewriteMs <= at
  })

/** Everything that one of the two has seen, with the later time. */
export function joined(one: SeenValues, other: SeenValues): SeenValues {
  const values = Object.entries(other).flatMap(([kind, its]) =>
    [...its].map(([value, at]): [Seen, number] => [{ kind: kind as SeenKind, value }, at]),
  )
  return values
    .sort(([, a], [, b]) => a - b)
    .filter(([{ kind, value }, at]) => (one[kind].get(value) ?? 0) < at)
    .reduce((seen, [its, at]) => withSeen(seen, [its], at), one)
}

/** All values of these kinds, with the last time of each. */
export function unionOf(seen: SeenValues, kinds: readonly SeenKind[]): ReadonlyMap<string, number> {
  const union = new Map<string, number>()
  for (const [value, at] of kinds.flatMap((kind) => [...seen[kind]]))
    union.set(value, Math.max(at, union.get(value) ?? at))
  return union
}

function newest(values: Map<string, number>, since: number): ReadonlyMap<string, number> {
  const fresh = [...values].filter(([, at]) => at > since)
  if (fresh.length <= mostOfAKind) return fresh.length === values.size ? values : new Map(fresh)
  return new Map(fresh.sort(([, a], [, b]) => b - a).slice(0, mostOfAKind))
}

const valueBytes = 8
const timeBytes = 6
const entryBytes = 1 + valueBytes + timeBytes

/** More bytes than this are never packed. */
export const longestPacked = kinds.length * mostOfAKind * entryBytes

/** For each value: kind, value, time. */
export const packed = (seen: SeenValues): Uint8Array =>
  packedEntries(kinds.flatMap((kind) => [...seen[kind]].map(([value, at]) => ({ kind, value, at }))))

/** Entries to append: the later of two about the same value counts. */
export const packedAt = (seen: readonly Seen[], at: number): Uint8Array =>
  packedEntries(seen.map((one) => ({ ...one, at })))

function packedEntries(entries: readonly (Seen & { readonly at: number })[]): Uint8Array {
  const bytes = Buffer.alloc(entries.length * entryBytes)
  for (const [index, { kind, value, at }] of entries.entries()) {
    const from = index * entryBytes
    bytes[from] = kinds.indexOf(kind)
    bytes.write(value, from + 1, 'latin1')
    bytes.writeUIntBE(Math.max(0, at), from + 1 + valueBytes, timeBytes)
  }
  return bytes
}

/** A kind that is newer than this version of the server is left out. */
export function unpacked(stored: Uint8Array): SeenValues {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)
  const seen = ofEachKind(() => new Map<string, number>())
  for (let from = 0; from + entryBytes <= bytes.length; from += entryBytes) {
    const kind = kinds[bytes[from]!]
    if (!kind) continue
    const value = bytes.toString('latin1', from + 1, from + 1 + valueBytes)
    const at = bytes.readUIntBE(from + 1 + valueBytes, timeBytes)
    const before = seen[kind].get(value)
    if (before === undefined || before < at) seen[kind].set(value, at)
  }
  return seen
}
