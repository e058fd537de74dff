// Which lists contain an IP address? For tests of signals that use lists.

import { type ListKind, listKinds } from '../../core/config/ip-data-settings.ts'
import { type Anonymity, anonymityOf } from '../../ip/lists/anonymity.ts'

const allKinds: ReadonlySet<ListKind> = new Set(listKinds)

/** An IP address on two current lists of each of these kinds. */
export function listed(...kinds: readonly ListKind[]): Anonymity {
  const lists = [...kinds, ...kinds].map((kind) => ({ name: kind, kind, datedMs: 0, entries: 1 }))
  return anonymityOf(lists, { now: 0, isMobile: false, kinds: allKinds })
}

/** An IP address on no list. */
export const unlisted: Anonymity = anonymityOf([], { now: 0, isMobile: false, kinds: allKinds })
