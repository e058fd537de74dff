// Is a list too old to count? IP addresses change their owners.

import type { ListKind } from '../../core/config/ip-data-settings.ts'
import type { StoredList } from './address-lists.ts'

const dayMs = 86_400_000

/** Tor exits change daily. A publisher's list of crawlers is not valid after a month. */
const agesOutMs: Readonly<Partial<Record<ListKind, number>>> = { tor: dayMs, crawler: 30 * dayMs }

/** Milliseconds since the list was fetched; 0 after the clock was set back. */
export const ageMs = ({ datedMs }: Pick<StoredList, 'datedMs'>, now: number): number => Math.max(0, now - datedMs)

/** Whether the list is too old to count. */
export function isOutdated(list: Pick<StoredList, 'kind' | 'datedMs'>, now: number): boolean {
  return ageMs(list, now) > (agesOutMs[list.kind] ?? Number.POSITIVE_INFINITY)
}
