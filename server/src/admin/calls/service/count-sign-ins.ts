// GET /admin/v1/sign-in-channels/counts: how many sign-ins and messages had which outcome, by day and method?

import type { SignInCounts, SignInCountsRequest } from '@ringfence/contract'
import type { Pause } from '../../../core/heavy-work/slices.ts'
import { lowestIdAt } from '../../../core/storage/ids/event-id.ts'
import { foundEvents } from '../../../decisions/search/found-events.ts'
import { searchEvents } from '../../../events/store/search.ts'
import type { ActorCall } from '../../call.ts'
import type { AdminNeeds } from '../../room.ts'
import { isoTime } from '../iso-time.ts'

const dayMs = 86_400_000
const types = ['sign_in.started', 'sign_in.completed', 'sign_in.failed', 'sign_in.refused', 'otp.delivery'] as const
/** Of each type. All together cost some tenths of a second. */
const mostRead = 1000
/** Above every id: a UUIDv7 begins with its time. */
const highestId = Buffer.alloc(16, 255)
const nobody = {
  userHash: null,
  numberHash: null,
  deviceHash: null,
  ipHash: null,
  emailHash: null,
  requestHash: null,
} as const

export const adminCountSignIns = (
  request: SignInCountsRequest,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<SignInCounts> => needs.heavyWork.slices.during(tenantId, (pause) => counted(request, tenantId, needs, pause))

async function counted(
  { days = 7 }: SignInCountsRequest,
  tenantId: string,
  { database, tenantKeyring, clock }: AdminNeeds,
  pause: Pause,
): Promise<SignInCounts> {
  const since = (Math.floor(clock.now() / dayMs) - days + 1) * dayMs
  const range = { tenantId, from: lowestIdAt(since), before: highestId, subjects: nobody, outcome: undefined }
  const pages = await Promise.all(types.map((type) => searchEvents(database, { ...range, types: [type] }, mostRead)))
  const counts = new Map<string, SignInCounts['counts'][number]>()
  const reasons = new Map<string, number>()
  for (const { rows } of pages) {
    for (const { type, timestamp, outcome = '', data } of await foundEvents(rows, tenantId, tenantKeyring, pause)) {
      const { method = 'unknown', reason, reasons: several = [] } = data as Named
      const place = { day: timestamp.slice(0, 10), type, method, outcome }
      const key = JSON.stringify(place)
      const known = counts.get(key)
      counts.set(key, { ...place, count: (known?.count ?? 0) + 1 })
      for (const each of reason === undefined ? several : [reason]) reasons.set(each, (reasons.get(each) ?? 0) + 1)
    }
  }
  return {
    since: isoTime(since),
    isComplete: pages.every(({ next }) => next === undefined),
    counts: [...counts.values()].sort((a, b) => b.day.localeCompare(a.day) || b.count - a.count),
    reasons: [...reasons]
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, 20),
  }
}

interface Named {
  readonly method?: string
  readonly reason?: string
  readonly reasons?: readonly string[]
}
