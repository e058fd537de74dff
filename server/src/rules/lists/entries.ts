// How is a value of a list stored? Under a keyed hash, sealed with its note and author.

import type { ListKind } from '@ringfence/contract'
import { parseAddress } from '../../core/address/address.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { SipHash } from '../../core/crypto/siphash.ts'
import type { Pause } from '../../core/heavy-work/slices.ts'
import { withoutZeroOfPlan } from '../../phone/read-number.ts'
import type { EntryRow, ListRow } from '../store/lists.ts'
import { comparedText, kindsOfLists, networkText, widthOf } from './kinds.ts'

/** What is sealed. */
export interface EntryContent {
  readonly value: string
  readonly note?: string
  /** Who added it; absent when it was removed. */
  readonly by?: string
}

/** An entry as it is shown. Times are epoch milliseconds. */
export interface Entry extends EntryContent {
  readonly addedAt: number
  readonly expiresAt?: number
  /** An earlier version stored it in a form that is no value any more. */
  readonly neverMatches?: true
}

/**
 * Hashes the values of one list. Each list has its own key, derived from the tenant's, so that nobody sees which lists share a value.
 * Among a million values, two have the same 64 bits once in 30 million lists.
 */
export const hashOfList = (keys: TenantKeys, listId: Uint8Array): SipHash =>
  new SipHash(keys.hash(`value list ${Buffer.from(listId).toString('hex')}`))

export const contextOfList = (tenantId: string, id: Uint8Array) => `value_list ${tenantId} ${hexOf(id)}`
export const contextOfEntry = (tenantId: string, id: Uint8Array, valueHash: Uint8Array) =>
  `list_entry ${tenantId} ${hexOf(id)} ${hexOf(valueHash)}`

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** Expiry counts in whole seconds. */
export const inSeconds = (epochMs: number) => Math.floor(epochMs / 1000)

/** Whether an entry of the store matches at this time. */
export const isInForce = ({ removed, expiresAt }: Pick<EntryRow, 'removed' | 'expiresAt'>, now: number): boolean =>
  removed === 0 && (expiresAt === null || inSeconds(expiresAt) > inSeconds(now))

/** Whether an entry that is there now matched at this time. */
export const wasInForce = (entry: Pick<EntryRow, 'removed' | 'expiresAt' | 'addedAt'>, at: number): boolean =>
  isInForce(entry, at) && inSeconds(entry.addedAt) <= inSeconds(at)

/** The forms of entries that match a compared text: of an IP address, it and every network around it, the smallest first. */
export function formsThatMatch(kind: ListKind, text: string): string[] {
  if (kind === 'phoneNumber') return [text, ...withoutZeroOfPlan(text)]
  if (kind !== 'ip') return [text]
  const address = parseAddress(text)
  if (!address) return []
  const width = widthOf(address)
  return Array.from({ length: width + 1 }, (_, i) => networkText(address, width - i))
}

/** Whether a value can match an entry that is stored as this text, perhaps by an earlier version or under an older numbering plan. */
export function canMatch(kind: ListKind, stored: string): boolean {
  if (kindsOfLists[kind].entry(stored) === stored) return true
  const text = comparedText(kind, stored)
  return text !== undefined && formsThatMatch(kind, text).includes(stored)
}

export function openEntry(
  row: EntryRow,
  { id }: Pick<ListRow, 'id' | 'kind'>,
  tenantId: string,
  keys: TenantKeys,
): Entry {
  const content = JSON.parse(keys.open(row.sealed, contextOfEntry(tenantId, id, row.valueHash))) as EntryContent
  return { ...content, addedAt: row.addedAt, ...(row.expiresAt !== null && { expiresAt: row.expiresAt }) }
}

/** With what a reader of the list should know. */
export function describedEntry(...args: Parameters<typeof openEntry>): Entry {
  const entry = openEntry(...args)
  return canMatch(args[1].kind, entry.value) ? entry : { ...entry, neverMatches: true }
}

export const sealEntry = (
  content: EntryContent,
  { tenantId, id }: { tenantId: string; id: Uint8Array },
  valueHash: Uint8Array,
  keys: TenantKeys,
): Uint8Array => keys.seal(JSON.stringify(content), contextOfEntry(tenantId, id, valueHash))

/** The same for many, in slices. */
export async function sealedEach<Entry extends { readonly content: EntryContent; readonly valueHash: Uint8Array }>(
  entries: Iterable<Entry>,
  place: { tenantId: string; id: Uint8Array },
  keys: TenantKeys,
  pause: Pause,
): Promise<(Entry & { sealed: Uint8Array })[]> {
  const sealed: (Entry & { sealed: Uint8Array })[] = []
  for (const entry of entries) {
    sealed.push({ ...entry, sealed: sealEntry(entry.content, place, entry.valueHash, keys) })
    await pause()
  }
  return sealed
}

export interface AddedEntries {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
}

export interface RemovedEntries {
  /** More than the values, where an earlier version stored one in another form too. */
  removed: number
  /** Values that were not in the list. */
  missing: number
}
