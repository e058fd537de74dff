// /admin/v1/overview and /performance: what happened in a time range, what needs attention, and how decisions turned out.

import type { Overview, OverviewRequest, Performance, PerformanceRequest } from '@ringfence/contract'
import type { ActorCall } from '../call.ts'
import { overviewOf } from '../overview/overview.ts'
import { performanceOf } from '../overview/performance.ts'
import type { AdminNeeds } from '../room.ts'

/** Refuses with `fieldInvalid`. */
export const adminReadOverview = (body: OverviewRequest, { actor }: ActorCall, needs: AdminNeeds): Promise<Overview> =>
  overviewOf(body, actor, needs)

export const adminReadPerformance = (
  body: PerformanceRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<Performance> => performanceOf(body, actor, needs)
