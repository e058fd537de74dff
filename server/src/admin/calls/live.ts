// GET /admin/v1/events/live: what happens at the tenant now, on every server.

import type { LiveEventsRequest } from '@ringfence/contract'
import type { StreamAnswer } from '../../core/stream-answer.ts'
import type { ActorCall } from '../call.ts'
import type { AdminNeeds } from '../room.ts'

/** Refuses with `rateLimited` and `unavailable` when there are too many streams. */
export const adminWatchEvents = async (
  body: LiveEventsRequest,
  { actor }: ActorCall,
  { admin: { liveStreams } }: AdminNeeds,
): Promise<StreamAnswer> => liveStreams.open(body, actor)
