// POST /admin/v1/webhooks…: adds, pauses, rotates, tests and removes webhooks, and sends events again.

import type {
  AddedWebhook,
  AddWebhookRequest,
  RemovedWebhook,
  ReplayedEvents,
  ReplayWebhookRequest,
  TestedWebhook,
  WebhookRequest,
  WebhookState,
} from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { momentIn } from '../../core/json/existing-date.ts'
import { WebhookRefused, Webhooks } from '../../events/webhooks/webhooks.ts'
import type { ActorCall } from '../call.ts'
import { refuseUnlessInClear } from '../masking/in-clear.ts'
import type { AdminNeeds } from '../room.ts'

/** Events that one call of a replay reads: some tenths of a second. */
const mostReplayed = 2000

/** Refuses with `permissionMissing`, `fieldInvalid` or `webhookConflict`. */
export const adminAddWebhook = (
  { url, types, description }: AddWebhookRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<AddedWebhook> =>
  changing(call, needs, async (all, tenantId) => {
    refuseUnlessInClear(call.actor, 'a webhook receives')
    call.response.hasSecret = true
    const { id, secret } = await all.add(tenantId, { url, types, ...(description !== undefined && { description }) })
    return { webhookId: id, secret }
  })

/** Refuses with `webhookUnknown`. */
export const adminPauseWebhook = (body: WebhookRequest, call: ActorCall, needs: AdminNeeds): Promise<WebhookState> =>
  setState(body, 'paused', call, needs)

/** Refuses with `webhookUnknown`. */
export const adminResumeWebhook = (body: WebhookRequest, call: ActorCall, needs: AdminNeeds): Promise<WebhookState> =>
  setState(body, 'active', call, needs)

const setState = (
  { webhookId }: WebhookRequest,
  state: WebhookState['state'],
  call: ActorCall,
  needs: AdminNeeds,
): Promise<WebhookState> =>
  changing(call, needs, async (all, tenantId) => {
    await all.setState(tenantId, webhookId, state)
    return { webhookId, state }
  })

/** Refuses with `webhookUnknown` or `webhookConflict`. */
export const adminRotateWebhook = (
  { webhookId }: WebhookRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<AddedWebhook> =>
  changing(call, needs, async (all, tenantId) => {
    call.response.hasSecret = true
    return { webhookId, ...(await all.rotate(tenantId, webhookId)) }
  })

/** Refuses with `webhookUnknown`. */
export const adminRemoveWebhook = (
  { webhookId }: WebhookRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<RemovedWebhook> =>
  changing(call, needs, async (all, tenantId) => {
    await all.remove(tenantId, webhookId)
    return { removed: true }
  })

/** Refuses with `webhookUnknown` or `webhookConflict`. */
export const adminTestWebhook = (
  { webhookId }: WebhookRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<TestedWebhook> =>
  changing(call, needs, async (all, tenantId) => ({ eventId: await all.test(tenantId, webhookId) }))

/** Refuses with `fieldInvalid`, `webhookUnknown` or `webhookConflict`. */
export function adminReplayWebhook(
  { webhookId, eventId, since, until, cursor }: ReplayWebhookRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<ReplayedEvents> {
  if ((eventId === undefined) === (since === undefined && until === undefined))
    throw new Refusal('fieldInvalid', { mistake: 'eventId: send it, or since and until' })
  return changing(call, needs, async (all, tenantId) => {
    if (eventId !== undefined) return { events: await all.replay(tenantId, webhookId, { eventId }) }
    const range = { since: moment('since', since), until: moment('until', until) }
    const after = cursor === undefined ? range : { ...range, after: cursor }
    const { sent, next } = await all.replayPart(tenantId, webhookId, after, mostReplayed)
    return { events: sent, ...(next !== undefined && { next }) }
  })
}

function moment(field: string, text: string | undefined): number {
  const at = text === undefined ? undefined : momentIn(text)
  if (at === undefined) throw new Refusal('fieldInvalid', { mistake: `${field}: it must be an RFC 3339 time` })
  return at
}

const failureOf = { unknown: 'webhookUnknown', invalid: 'fieldInvalid', conflict: 'webhookConflict' } as const

async function changing<T>(
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
  work: (all: Webhooks, tenantId: string) => Promise<T>,
): Promise<T> {
  try {
    const result = await work(new Webhooks(needs), tenantId)
    needs.delivery.receivers.changed(tenantId)
    return result
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error
    throw new Refusal(failureOf[error.reason], { mistake: error.message })
  }
}
