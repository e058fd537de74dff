// Is a list too old to be believed? Some of what lists say is soon another's.

import type { ListKind, StoredList } from './address-lists.ts'

const dayMs = 86_400_000

/** Exits of Tor come and go, and may be anyone's tomorrow; what a publisher said of its crawlers a month ago it says no more. */
const agesOutMs: Readonly<Partial<Record<ListKind, number>>> = { tor: dayMs, crawler: 30 * dayMs }

/** Milliseconds since it was fetched; a clock that was put back makes none younger than new. */
export const ageMs = ({ datedMs }: Pick<StoredList, 'datedMs'>, now: number): number => Math.max(0, now - datedMs)

/** Whether it counts for nothing any more. */
export function isOutdated(list: Pick<StoredList, 'kind' | 'datedMs'>, now: number): boolean {
  return ageMs(list, now) > (agesOutMs[list.kind] ?? Number.POSITIVE_INFINITY)
}
