// What do lists say of an address? For tests of signals that rest on them.

import { type Anonymity, anonymityOf } from '../../../ip/anonymity.ts'
import { type Listing, type ListKind, listKinds } from '../../../ip/anonymity-lists.ts'

/** An address that lists of these kinds name, fetched just now. */
export function listed(...kinds: readonly ListKind[]): Anonymity {
  const listing = Object.fromEntries(listKinds.map((kind) => [kind, kinds.includes(kind) ? 2 : 0])) as Listing
  const lists = kinds.map((kind) => ({ name: kind, kind, datedMs: 0, entries: 1 }))
  return anonymityOf(listing, lists, { now: 0, isMobile: false })
}

/** An address that no list names. */
export const unlisted: Anonymity = anonymityOf(undefined, [], { now: 0, isMobile: false })
