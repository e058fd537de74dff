// GET /admin/v1/overview: what happened in a time range, and what needs attention.

import type { Overview, OverviewRequest } from '@ringfence/contract'
import type { ActorCall } from '../call.ts'
import { overviewOf } from '../overview/overview.ts'
import type { AdminNeeds } from '../room.ts'

/** Refuses with `fieldInvalid`. */
export const adminReadOverview = (body: OverviewRequest, { actor }: ActorCall, needs: AdminNeeds): Promise<Overview> =>
  overviewOf(body, actor, needs)
