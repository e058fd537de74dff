// What do lists say of an address? For tests of signals that rest on them.

import type { ListKind } from '../../ip/lists/address-lists.ts'
import { type Anonymity, anonymityOf } from '../../ip/lists/anonymity.ts'

/** An address that two lists of each of these kinds name, fetched just now. */
export function listed(...kinds: readonly ListKind[]): Anonymity {
  const lists = [...kinds, ...kinds].map((kind) => ({ name: kind, kind, datedMs: 0, entries: 1 }))
  return anonymityOf(lists, { now: 0, isMobile: false })
}

/** An address that no list names. */
export const unlisted: Anonymity = anonymityOf([], { now: 0, isMobile: false })
