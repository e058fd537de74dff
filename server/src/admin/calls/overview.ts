// GET /admin/v1/overview: what happened in a time range, and what needs attention.

import type { Overview, OverviewRequest } from '@ringfence/contract'
import type { ActorCall } from '../../call.ts'
import type { Platform } from '../../platform.ts'
import { overviewOf } from '../overview/overview.ts'

/** Refuses with `fieldInvalid`. */
export const adminReadOverview = (body: OverviewRequest, { actor }: ActorCall, platform: Platform): Promise<Overview> =>
  overviewOf(body, actor, platform)
