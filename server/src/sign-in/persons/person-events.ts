// Which events does a person have? Linked, unlinked, merged, and an identity added; those of one user stay in order.

import type { EventData } from '@ringfence/contract'
import type { NewEvent } from '../../core/event-recorder.ts'

type Who = Pick<NewEvent, 'orderedBy' | 'subjects'>
const about = (userId: string, requestId: string | undefined): Who => ({
  orderedBy: `account ${userId}`,
  subjects: { userId, requestId },
})

export const linked = (data: EventData<'user.linked'>, requestId?: string): NewEvent => ({
  type: 'user.linked',
  data,
  ...about(data.userId, requestId),
  outcome: 'linked',
})

export const unlinked = (data: EventData<'user.unlinked'>, requestId?: string): NewEvent => ({
  type: 'user.unlinked',
  data,
  ...about(data.userId, requestId),
  outcome: 'unlinked',
})

export const merged = (data: EventData<'user.merged'>, requestId?: string): NewEvent => ({
  type: 'user.merged',
  data,
  ...about(data.userId, requestId),
  outcome: 'merged',
})

export const identityAdded = (data: EventData<'user.identity.added'>, requestId?: string): NewEvent => ({
  type: 'user.identity.added',
  data,
  ...about(data.userId, requestId),
  outcome: 'added',
})
