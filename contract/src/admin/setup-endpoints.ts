// How does the console read what a tenant has set up, and how the service is doing?

import { admin } from './admin-endpoint.ts'
import { problem } from './problem.ts'
import { NoFields } from './session.ts'
import {
  ShownApps,
  ShownClients,
  ShownWebhooks,
  SystemState,
  WebhookAttempts,
  WebhookAttemptsRequest,
} from './setup.ts'

const tag = 'Console set-up'

export const setupEndpoints = {
  listApps: admin({
    method: 'GET',
    path: '/admin/v1/apps',
    permission: 'apps.read',
    tag,
    summary: 'List apps',
    description: 'Returns the apps of the tenant with all their settings.',
    request: NoFields,
    answer: ShownApps,
  }),
  listClients: admin({
    method: 'GET',
    path: '/admin/v1/clients',
    permission: 'keys.read',
    tag,
    summary: 'List client keys',
    description: 'Returns the client keys of the tenant with their restrictions, without secrets.',
    request: NoFields,
    answer: ShownClients,
  }),
  listWebhooks: admin({
    method: 'GET',
    path: '/admin/v1/webhooks',
    permission: 'webhooks.read',
    tag,
    summary: 'List webhooks',
    description: 'Returns the webhooks of the tenant, with how many events wait for each.',
    request: NoFields,
    answer: ShownWebhooks,
  }),
  listWebhookAttempts: admin({
    method: 'GET',
    path: '/admin/v1/webhooks/{webhookId}/attempts',
    permission: 'webhooks.read',
    tag,
    summary: 'List deliveries of a webhook',
    description: 'Returns the last attempts to deliver events.',
    request: WebhookAttemptsRequest,
    answer: WebhookAttempts,
    refusals: { 404: problem('There is no such webhook', 'webhook-unknown') },
  }),
  readSystem: admin({
    method: 'GET',
    path: '/admin/v1/system',
    permission: 'system.read',
    tag,
    summary: 'Read the state of the service',
    description: 'Returns version, store, load, and the age of the data that answers rest on.',
    request: NoFields,
    answer: SystemState,
  }),
} as const
