// /admin/v1: what a tenant has set up, and how the server that answers is doing.

import type {
  NoFields,
  ShownApps,
  ShownClients,
  ShownWebhooks,
  SystemState,
  WebhookAttempts,
  WebhookAttemptsRequest,
} from '@ringfence/contract'
import { listApps } from '../../apps/stored-apps.ts'
import { listPublicKeysOf } from '../../clients/store/client-public-keys.ts'
import { countLiveSecrets, listClients } from '../../clients/store/clients.ts'
import { Refusal } from '../../core/errors.ts'
import { ringfenceVersion } from '../../core/version.ts'
import { WebhookRefused, Webhooks } from '../../events/webhooks/webhooks.ts'
import type { ActorCall } from '../call.ts'
import type { AdminNeeds } from '../room.ts'
import { shownApp } from './apps.ts'
import { isoTime, timeMember } from './iso-time.ts'

export async function adminListApps(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  { database }: AdminNeeds,
): Promise<ShownApps> {
  const apps = await listApps(database, tenantId)
  return { apps: apps.map(shownApp) }
}

export async function adminListClients(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  { database }: AdminNeeds,
): Promise<ShownClients> {
  const [clients, liveSecrets, publicKeys] = await Promise.all([
    listClients(database, tenantId),
    countLiveSecrets(database, tenantId),
    listPublicKeysOf(database, tenantId),
  ])
  const keysOf = Map.groupBy(publicKeys, ({ clientId }) => clientId)
  return {
    clients: clients.map((client) => ({
      ...{ clientId: client.id, name: client.name, createdAt: isoTime(client.createdAt) },
      ...(client.scopes !== null && { scopes: client.scopes.split(' ') }),
      ...(client.role !== null && { role: client.role }),
      ...(client.allowedIps !== null && { allowedIps: client.allowedIps.split(' ') }),
      liveSecrets: client.revokedAt === null ? (liveSecrets.get(client.id) ?? 0) : 0,
      ...(keysOf.has(client.id) && {
        publicKeys: keysOf.get(client.id)!.map(({ keyId, createdAt }) => ({ keyId, createdAt: isoTime(createdAt) })),
      }),
      ...timeMember('expiresAt', client.expiresAt),
      ...timeMember('revokedAt', client.revokedAt),
      ...timeMember('lastUsedAt', client.lastUsedAt),
    })),
  }
}

export async function adminListWebhooks(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<ShownWebhooks> {
  const found = await new Webhooks(needs).list(tenantId)
  return {
    webhooks: found.map(({ id, types, createdAt, failingSince, failure, waitingSince, ...webhook }) => ({
      ...{ webhookId: id, ...webhook, types: [...types], createdAt: isoTime(createdAt) },
      ...timeMember('failingSince', failingSince),
      ...(failure !== undefined && { failure }),
      ...timeMember('waitingSince', waitingSince),
    })),
  }
}

/** Refuses with `webhookUnknown`. */
export async function adminListWebhookAttempts(
  { webhookId, limit = 50 }: WebhookAttemptsRequest,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<WebhookAttempts> {
  try {
    const attempts = await new Webhooks(needs).attempts(tenantId, webhookId, limit)
    return {
      attempts: attempts.map(({ attemptedAt, status, ...attempt }) => ({
        ...attempt,
        attemptedAt: isoTime(attemptedAt),
        ...(status !== undefined && { status }),
      })),
    }
  } catch (error) {
    throw error instanceof WebhookRefused ? new Refusal('webhookUnknown') : error
  }
}

export async function adminReadSystem(
  _: NoFields,
  __: ActorCall,
  {
    clock,
    database,
    servers: { readiness, requestCounts },
    heavyWork: { overload },
    doctor: { dataDates },
  }: AdminNeeds,
): Promise<SystemState> {
  const data = await dataDates()
  return {
    version: ringfenceVersion(),
    nodeVersion: process.version,
    now: isoTime(clock.now()),
    store: await readiness.check(),
    engine: database.engine,
    servers: requestCounts.servers.count(),
    requestsInFlight: overload.inFlight(),
    requestsWaiting: overload.waiting(),
    data: data.map(({ name, datedMs }) => ({ name, datedAt: isoTime(datedMs) })),
  }
}
