// Is a list too old to count? IP addresses change their owners.

import type { ListKind } from '../../core/config/ip-data-settings.ts'
import { dayAheadMs, isInFuture } from '../../core/files/renewal.ts'

const dayMs = 86_400_000

/** Tor exits change daily. A publisher's list of crawlers is not valid after a month. */
const agesOutMs: Readonly<Partial<Record<ListKind, number>>> = { tor: dayMs, crawler: 30 * dayMs }

/** Whether the list is too old to count, or may be: it is dated in the future. A clock that is set back by hours makes no list unknown. */
export const isOutdated = ({ kind, datedMs }: { kind: ListKind; datedMs: number }, now: number): boolean =>
  isInFuture({ datedMs, aheadMs: dayAheadMs }, now) || now - datedMs > (agesOutMs[kind] ?? Number.POSITIVE_INFINITY)
