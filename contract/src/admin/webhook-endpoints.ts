// How does the console change webhooks, test them, and send events again?

import { admin } from './admin-endpoint.ts'
import { problem } from './problem.ts'
import {
  AddedWebhook,
  AddWebhookRequest,
  RemovedWebhook,
  ReplayedEvents,
  ReplayWebhookRequest,
  TestedWebhook,
  WebhookRequest,
  WebhookState,
} from './webhooks.ts'

const tag = 'Console set-up'
const unknown = problem('There is no such webhook', 'webhook-unknown')
const conflict = (description: string) => problem(description, 'webhook-conflict')

export const webhookEndpoints = {
  addWebhook: admin({
    method: 'POST',
    path: '/admin/v1/webhooks/add',
    permission: 'webhooks.write',
    tag,
    summary: 'Add a webhook',
    description: 'Adds a webhook, and returns the secret that signs its deliveries once.',
    request: AddWebhookRequest,
    answer: AddedWebhook,
    refusals: { 409: conflict('The tenant has as many webhooks as it may') },
  }),
  pauseWebhook: admin({
    method: 'POST',
    path: '/admin/v1/webhooks/{webhookId}/pause',
    permission: 'webhooks.write',
    tag,
    summary: 'Pause a webhook',
    description: 'Lets its events wait until it is resumed.',
    request: WebhookRequest,
    answer: WebhookState,
    refusals: { 404: unknown },
  }),
  resumeWebhook: admin({
    method: 'POST',
    path: '/admin/v1/webhooks/{webhookId}/resume',
    permission: 'webhooks.write',
    tag,
    summary: 'Resume a webhook',
    description: 'Delivers again, also after the webhook was disabled.',
    request: WebhookRequest,
    answer: WebhookState,
    refusals: { 404: unknown },
  }),
  rotateWebhook: admin({
    method: 'POST',
    path: '/admin/v1/webhooks/{webhookId}/rotate',
    permission: 'webhooks.write',
    tag,
    summary: 'Rotate the secret of a webhook',
    description: 'Makes a new secret, and returns it once. For a day, deliveries have a signature of each secret.',
    request: WebhookRequest,
    answer: AddedWebhook,
    refusals: { 404: unknown, 409: conflict('Somebody else changed it at the same time') },
  }),
  removeWebhook: admin({
    method: 'POST',
    path: '/admin/v1/webhooks/{webhookId}/remove',
    permission: 'webhooks.write',
    tag,
    summary: 'Remove a webhook',
    description: 'Removes a webhook, and the events that wait for it.',
    request: WebhookRequest,
    answer: RemovedWebhook,
    refusals: { 404: unknown },
  }),
  testWebhook: admin({
    method: 'POST',
    path: '/admin/v1/webhooks/{webhookId}/test',
    permission: 'webhooks.write',
    tag,
    summary: 'Send a test event',
    description: 'Sends an event of type `webhook.test`; its delivery is listed like any other.',
    request: WebhookRequest,
    answer: TestedWebhook,
    refusals: { 404: unknown, 409: conflict('It is paused or disabled') },
  }),
  replayWebhook: admin({
    method: 'POST',
    path: '/admin/v1/webhooks/{webhookId}/replay',
    permission: 'webhooks.write',
    tag,
    summary: 'Send events again',
    description:
      'Sends one event again, or those of a time range, in their order and after those that wait. A call reads at most 2,000 events: send the same fields with `next` as `cursor` until it is absent.',
    request: ReplayWebhookRequest,
    answer: ReplayedEvents,
    refusals: { 404: unknown, 409: conflict('It is disabled, or the event is not stored') },
  }),
} as const
