// Ringfence with one webhook, as a process that measures what deliveries cost it.

import { setTimeout as pause } from 'node:timers/promises'
import { eventTypes } from '@ringfence/contract'
import { readConfig } from '../../../server/src/core/config/config.ts'
import type { NewEvent } from '../../../server/src/core/event-recorder.ts'
import { logTo } from '../../../server/src/core/telemetry/log.ts'
import { Webhooks } from '../../../server/src/events/webhooks/webhooks.ts'
import { startService } from '../../../server/src/main.ts'
import { cpuSeconds } from '../harness/harness.ts'
import { answerParent, givenOptions } from '../harness/processes.ts'
import { masterKey } from '../harness/servers.ts'

export interface DeliveringOptions {
  dataFolder: string
  /** Of the webhook. */
  url: string
}

/**
 * `written`: one event after the other, while the webhook is paused. `alone`: the same, each until it is delivered.
 * `backlog`: what waits is delivered; nothing is written.
 */
export interface Deliveries {
  readonly kind: 'written' | 'alone' | 'backlog'
  readonly events: number
  /** Events of one key are delivered one after the other. */
  readonly keys: number
}

const { dataFolder, url } = givenOptions<DeliveringOptions>()
const config = readConfig({ options: { port: 0, masterKey, dataFolder, webhookTargets: 'any' } })
const { parts } = await startService({ config, log: logTo(1), environment: {} })
const { database, events, delivery, tenantKeyring } = parts
const { id: tenantId } = await tenantKeyring.createTenant('bench')
const webhooks = new Webhooks(parts)
const { id } = await webhooks.add(tenantId, { url, types: ['*'] })
delivery.receivers.changed(tenantId)

async function happen(key: number): Promise<void> {
  const type = 'sign_in.completed'
  const event = { type, data: eventTypes[type].example, orderedBy: `user ${key}` } as NewEvent
  await database.batch(await events.statements(tenantId, [event]))
}

const waits = async () => (await database.query('select 1 as one from event_delivery limit 1')).length > 0

/** The dispatcher knows a receiver for a second. */
async function become(state: 'active' | 'paused'): Promise<void> {
  await webhooks.setState(tenantId, id, state)
  await pause(1500)
}

async function fill(count: number, keys: number): Promise<void> {
  for (let from = 0; from < count; from += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, i) => happen((from + i) % keys)))
  }
}

/** A delivery that waits is looked at each time with as little as possible. */
async function delivered(everyMs: number): Promise<void> {
  while (await waits()) await pause(everyMs)
}

async function oneByOne(count: number, keys: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await happen(i % keys)
    await pause(40)
  }
}

answerParent(async ({ kind, events: count, keys }: Deliveries) => {
  await become('paused')
  if (kind === 'backlog') await fill(count, keys)
  if (kind === 'alone') await become('active')
  const before = cpuSeconds()
  if (kind === 'backlog') await webhooks.setState(tenantId, id, 'active')
  else await oneByOne(count, keys)
  if (kind !== 'written') await delivered(50)
  const microsecondsEach = ((cpuSeconds() - before) / count) * 1e6
  if (kind === 'written') await webhooks.setState(tenantId, id, 'active')
  if (kind === 'written') await delivered(50)
  return { microsecondsEach }
})
