// /admin/v1/overview, /performance and /decisions/search: what happened in a time range, how decisions turned out, and which ones.

import type {
  FoundDecisions,
  Overview,
  OverviewRequest,
  Performance,
  PerformanceRequest,
  SearchDecisionsRequest,
} from '@ringfence/contract'
import type { ActorCall } from '../call.ts'
import { overviewOf } from '../overview/overview.ts'
import { performanceOf } from '../overview/performance.ts'
import { searchDecisions } from '../overview/search-decisions.ts'
import type { AdminNeeds } from '../room.ts'

/** Refuses with `fieldInvalid`. */
export const adminReadOverview = (body: OverviewRequest, { actor }: ActorCall, needs: AdminNeeds): Promise<Overview> =>
  overviewOf(body, actor, needs)

export const adminReadPerformance = (
  body: PerformanceRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<Performance> => performanceOf(body, actor, needs)

/** Refuses with `fieldInvalid`. */
export const adminSearchDecisions = (
  body: SearchDecisionsRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<FoundDecisions> => searchDecisions(body, actor.tenantId, needs)
