// Which keys does a tenant, or the store, have at a time? One look-up key for ever, and data keys by version, one of which seals.

import { randomBytes } from 'node:crypto'

export interface KeySet {
  /** Keys HMACs by which rows are found. It is never rotated: the values behind the hashes are not stored. */
  readonly lookUp: Uint8Array
  /** What opens sealed texts, by version. */
  readonly dataKeys: ReadonlyMap<number, Uint8Array>
  /** The version that seals. */
  readonly sealsWith: number
}

const keyBytes = 32
/** A sealed text names its version in one byte; larger numbers are free for other forms. */
const versions = 127
const first = 1

export const newKeySet = (): KeySet => firstKeySet(newKey(), newKey())

export const firstKeySet = (dataKey: Uint8Array, lookUp: Uint8Array): KeySet => ({
  lookUp,
  dataKeys: new Map([[first, dataKey]]),
  sealsWith: first,
})

/** With a new data key that does not seal yet. After version 127 comes a number that is free again. */
export function withNewDataKey(set: KeySet): { set: KeySet; version: number } {
  const next = (version: number) => (version % versions) + 1
  let version = next(set.sealsWith)
  while (set.dataKeys.has(version)) version = next(version)
  return { set: { ...set, dataKeys: new Map([...set.dataKeys, [version, newKey()]]) }, version }
}

/** Without every data key but the one that seals. */
export const withoutOldDataKeys = (set: KeySet): KeySet => ({
  ...set,
  dataKeys: new Map([[set.sealsWith, set.dataKeys.get(set.sealsWith)!]]),
})

/** 64 bytes while there is only the first version, as in the first release; otherwise JSON. */
export function keySetBytes({ lookUp, dataKeys, sealsWith }: KeySet): Uint8Array {
  if (dataKeys.size === 1 && dataKeys.has(first)) return Buffer.concat([dataKeys.get(first)!, lookUp])
  const keys = Object.fromEntries([...dataKeys].map(([version, key]) => [version, textOf(key)]))
  return Buffer.from(JSON.stringify({ lookUp: textOf(lookUp), keys, sealsWith }))
}

/** @throws Error when the bytes are not a key set */
export function keySetOf(stored: Uint8Array): KeySet {
  const bytes = new Uint8Array(stored)
  if (bytes.length === 2 * keyBytes) return firstKeySet(bytes.slice(0, keyBytes), bytes.slice(keyBytes))
  const { lookUp, keys, sealsWith } = JSON.parse(Buffer.from(bytes).toString()) as {
    lookUp: string
    keys: Record<string, string>
    sealsWith: number
  }
  const dataKeys = new Map(Object.entries(keys).map(([version, key]) => [Number(version), bytesOf(key)]))
  if (!dataKeys.has(sealsWith)) throw new Error(`a key set without the version ${sealsWith}, which seals`)
  return { lookUp: bytesOf(lookUp), dataKeys, sealsWith }
}

const newKey = () => new Uint8Array(randomBytes(keyBytes))
const textOf = (key: Uint8Array) => Buffer.from(key).toString('base64')
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
