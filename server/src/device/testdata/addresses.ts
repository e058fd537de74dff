// Which lists contain an IP address? For tests of signals that use lists.

import type { ListKind } from '../../ip/lists/address-lists.ts'
import { type Anonymity, anonymityOf } from '../../ip/lists/anonymity.ts'

const vpnList = { kind: 'vpnServer' } as const

/** An IP address on two current lists of each of these kinds. */
export function listed(...kinds: readonly ListKind[]): Anonymity {
  const lists = [...kinds, ...kinds].map((kind) => ({ name: kind, kind, datedMs: 0, entries: 1 }))
  return anonymityOf(lists, { now: 0, isMobile: false, inUse: [vpnList] })
}

/** An IP address on no list. */
export const unlisted: Anonymity = anonymityOf([], { now: 0, isMobile: false, inUse: [vpnList] })
