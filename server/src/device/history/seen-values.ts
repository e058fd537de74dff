// Which accounts, phone numbers, countries and signals were seen on a device, and when last? Bounded: a flood cannot displace what counts.

import { hash } from 'node:crypto'

/** Stored by place: append, never move. */
const kinds = ['account', 'number', 'country', 'signal'] as const
export type SeenKind = (typeof kinds)[number]

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

export const nothingSeen: SeenValues = { account: new Map(), number: new Map(), country: new Map(), signal: new Map() }

/** A keyed hash of 8 bytes as a value. */
export const ofHash = (hash: Uint8Array): string => Buffer.from(hash).toString('latin1')
/** A text that is no personal data (a country, the name of a signal) as a value. */
export const ofText = (text: string): string => hash('sha256', text, 'latin1').slice(0, 8)

/** The values after a visit at this time; the same object when nothing has to be stored. */
export function withSeen(before: SeenValues, seen: readonly Seen[], at: number): SeenValues {
  const changed = seen.filter(({ kind, value }) => {
    const lastAt = before[kind].get(value)
    return lastAt === undefined || lastAt + rewriteMs <= at
  })
  if (changed.length === 0) return before
  const after = (kind: SeenKind) => {
    const values = new Map(before[kind])
    for (const one of changed) if (one.kind === kind) values.set(one.value, at)
    return newest(values, at - longestMs)
  }
  return { account: after('account'), number: after('number'), country: after('country'), signal: after('signal') }
}

function newest(values: Map<string, number>, since: number): ReadonlyMap<string, number> {
  const fresh = [...values].filter(([, at]) => at > since)
  if (fresh.length <= mostOfAKind) return fresh.length === values.size ? values : new Map(fresh)
  return new Map(fresh.sort(([, a], [, b]) => b - a).slice(0, mostOfAKind))
}

const valueBytes = 8
const timeBytes = 6
const entryBytes = 1 + valueBytes + timeBytes

/** For each value: kind, value, time. */
export function packed(seen: SeenValues): Uint8Array {
  const entries = kinds.flatMap((kind, place) => [...seen[kind]].map(([value, at]) => ({ place, value, at })))
  const bytes = Buffer.alloc(entries.length * entryBytes)
  for (const [index, { place, value, at }] of entries.entries()) {
    const from = index * entryBytes
    bytes[from] = place
    bytes.write(value, from + 1, 'latin1')
    bytes.writeUIntBE(Math.max(0, at), from + 1 + valueBytes, timeBytes)
  }
  return bytes
}

/** A kind that is newer than this version of the server is left out. */
export function unpacked(stored: Uint8Array): SeenValues {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)
  const seen: Record<SeenKind, Map<string, number>> = {
    account: new Map(),
    number: new Map(),
    country: new Map(),
    signal: new Map(),
  }
  for (let from = 0; from + entryBytes <= bytes.length; from += entryBytes) {
    const kind = kinds[bytes[from]!]
    if (!kind) continue
    const at = bytes.readUIntBE(from + 1 + valueBytes, timeBytes)
    seen[kind].set(bytes.toString('latin1', from + 1, from + 1 + valueBytes), at)
  }
  return seen
}
