// Where does the next page of a search begin? A cursor is sealed: it works for the tenant and the filters that it was made for only.

import { hash } from 'node:crypto'
import { Refusal } from '../errors.ts'
import type { TenantKeys } from './keyring.ts'

/** `id`: 16 bytes, of the last row of the page. */
export const sealCursor = (id: Uint8Array, filters: object, keys: Pick<TenantKeys, 'seal'>): string =>
  Buffer.from(keys.seal(id, contextOf(filters))).toString('base64url')

/** Refuses with `fieldInvalid` a cursor that was made for other filters, or that is not ours. */
export function openCursor(cursor: string, filters: object, keys: Pick<TenantKeys, 'openBytes'>): Uint8Array {
  try {
    return keys.openBytes(Buffer.from(cursor, 'base64url'), contextOf(filters))
  } catch (cause) {
    const mistake = 'cursor must be the nextCursor of the page before; send it with the same filters'
    throw new Refusal('fieldInvalid', { mistake, cause })
  }
}

/** The order of the fields does not matter. */
function contextOf(filters: object): string {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  return `search cursor ${hash('sha256', JSON.stringify(sorted), 'base64url')}`
}
