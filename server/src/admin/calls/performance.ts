// POST /admin/v1/performance: how did decisions turn out in a period, and in the one before?

import type { Performance, PerformanceRequest } from '@ringfence/contract'
import type { ActorCall } from '../call.ts'
import { performanceOf } from '../overview/performance.ts'
import type { AdminNeeds } from '../room.ts'

export const adminReadPerformance = (
  body: PerformanceRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<Performance> => performanceOf(body, actor, needs)
