// What does a server keep of a list in memory? Hashes or networks with their times, up to a version of the list.

import { parseAddress } from '../../core/address/address.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { SipHash } from '../../core/crypto/siphash.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { changesAfter, type EntryRow, type FeedPosition, feedStart, type ListRow } from '../store/lists.ts'
import { AddressTable } from './address-table.ts'
import { contextOfEntry, type EntryContent, formsThatMatch, hashOfList, inSeconds } from './entries.ts'
import { HashTable, never, type Times } from './hash-table.ts'
import { rangeOf } from './kinds.ts'

/** Rows of one read: the embedded engine reads on the thread that answers requests, so each takes few milliseconds. */
const sliceRows = 500

export class LoadedList {
  readonly #list: Pick<ListRow, 'id' | 'kind'>
  readonly #tenantId: string
  readonly #keys: TenantKeys
  readonly #hash: SipHash
  readonly #addresses: AddressTable | undefined
  readonly #hashes = new HashTable()
  #at: FeedPosition = feedStart
  #version = 0

  constructor(list: Pick<ListRow, 'id' | 'kind'>, tenantId: string, keys: TenantKeys) {
    this.#list = list
    this.#tenantId = tenantId
    this.#keys = keys
    this.#hash = hashOfList(keys, list.id)
    this.#addresses = list.kind === 'ip' ? new AddressTable() : undefined
  }

  /** The version of the list up to which every change is in memory. */
  get version(): number {
    return this.#version
  }

  get bytes(): number {
    return this.#hashes.bytes + (this.#addresses?.bytes ?? 0)
  }

  get size(): number {
    return this.#hashes.size + (this.#addresses?.size ?? 0)
  }

  /** Whether a text in its compared form (kinds.ts) is in the list. */
  has(text: string, now: number): boolean {
    const seconds = inSeconds(now)
    if (!this.#addresses) {
      return formsThatMatch(this.#list.kind, text).some((form) => {
        const { low, high } = this.#hash.of(form)
        return this.#hashes.has(low, high, seconds)
      })
    }
    const address = parseAddress(text)
    return address !== undefined && this.#addresses.has(address, seconds)
  }

  /** Whether it was in the list then; what was removed since counts as never added. */
  hadAt(text: string, at: number): boolean {
    const seconds = inSeconds(at)
    if (!this.#addresses) {
      return formsThatMatch(this.#list.kind, text).some((form) => {
        const { low, high } = this.#hash.of(form)
        return this.#hashes.hadAt(low, high, seconds)
      })
    }
    const address = parseAddress(text)
    return address !== undefined && this.#addresses.hadAt(address, seconds)
  }

  /** Reads the next changes up to this version. @returns whether there may be more */
  async readOn(database: Queryable, upTo: number): Promise<boolean> {
    const rows = await changesAfter(database, this.#list.id, this.#at, {
      limit: sliceRows,
      content: this.#addresses !== undefined,
    })
    for (const row of rows) this.#apply(row)
    const last = rows.at(-1)
    if (last) this.#at = { version: last.version, valueHash: last.valueHash }
    // Changes of a version are committed together, so those before the last one are complete.
    if (rows.length < sliceRows) this.#version = Math.max(upTo, this.#at.version)
    return rows.length === sliceRows
  }

  #apply({ valueHash, addedAt, expiresAt, removed, sealed }: Omit<EntryRow, 'sealed'> & { sealed?: Uint8Array }): void {
    const until = expiresAt === null ? never : inSeconds(expiresAt)
    const times: Times = { from: inSeconds(addedAt), until }
    if (!this.#addresses) {
      const view = new DataView(valueHash.buffer, valueHash.byteOffset, 8)
      const [low, high] = [view.getInt32(0, true), view.getInt32(4, true)]
      if (removed === 1) this.#hashes.remove(low, high)
      else this.#hashes.put(low, high, times)
      return
    }
    const { id } = this.#list
    const content = JSON.parse(this.#keys.open(sealed!, contextOfEntry(this.#tenantId, id, valueHash))) as EntryContent
    // An older version took blocks of translated addresses, which match nothing now.
    const range = rangeOf(content.value)
    if (!range) return
    if (removed === 1) this.#addresses.remove(range)
    else this.#addresses.put(range, times)
  }
}
