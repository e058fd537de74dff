// Which receivers have events waiting? Looks twice a second, and soon after this server wrote some.

import { randomUUID } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { nat64Prefixes } from '../../ip/nat64-prefixes.ts'
import { nextReceiverWaiting, waitingDeliveries } from '../../storage/events/deliveries.ts'
import { dropLeases } from '../../storage/events/leases.ts'
import type { EventsNeeds } from '../room.ts'
import { isStream } from '../streams/stream-id.ts'
import { guardedLookup, type Resolve } from '../webhooks/target.ts'
import { receiverLease } from './receiver-lease.ts'
import { streamDelivery } from './stream-delivery.ts'
import { type ReceiverDelivery, WebhookDelivery } from './webhook-delivery.ts'
import type { DeliveryResources } from './webhook-receiver.ts'

const everyMs = 500
/** Events of one turn are written together. */
const soonMs = 20
/** A receiver for which nothing waits has no connections after this time. */
const idleMs = 60_000
/** At a scrape; counting more would take long. */
const mostCounted = 100_000

export interface Dispatcher {
  /** Events may be waiting. */
  wake(): void
  /** One round: begins every delivery that may begin now. */
  round(): Promise<void>
  close(): Promise<void>
}

export interface DispatcherResources extends DeliveryResources, Pick<EventsNeeds, 'events' | 'delivery'> {
  readonly resolve: Resolve
}

/** A receiver that cannot be served is logged at most so often. */
const loggedEveryMs = 60_000

interface Serving {
  readonly delivery: ReceiverDelivery
  usedAt: number
  loggedAt: number
}

export function dispatcher(resources: DispatcherResources): Dispatcher {
  const {
    database,
    settings,
    log,
    clock,
    metrics,
    events,
    delivery: { streams: eventStreams },
    resolve,
  } = resources
  const serverId = randomUUID()
  const lookup: LookupFunction = guardedLookup(resolve, settings.webhookTargets, nat64Prefixes(settings))
  const serving = new Map<string, Serving>()
  let isClosed = false
  let running: Promise<void> | undefined
  let isAskedAgain = false
  let timer: NodeJS.Timeout | undefined

  function plan(ms: number): void {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(run, ms)
    timer.unref()
  }
  function wake(): void {
    if (running) isAskedAgain = true
    else plan(soonMs)
  }
  function run(): void {
    running ??= round()
      .catch((error) => log.debug({ err: error }, 'cannot look for events that wait'))
      .finally(() => {
        running = undefined
        plan(isAskedAgain ? soonMs : everyMs)
        isAskedAgain = false
      })
  }

  /** Undefined for a stream that this server does not have: another one may have it. */
  function deliveryTo(next: { receiverId: string; tenantId: string }): ReceiverDelivery | undefined {
    const lease = receiverLease(next.receiverId, serverId, resources)
    if (!isStream(next.receiverId)) return new WebhookDelivery(next, { lease, lookup, again: wake }, resources)
    const stream = eventStreams.get(next.receiverId)
    return stream && streamDelivery(stream, lease, resources)
  }

  /** One receiver that cannot be served must not hold up those after it. */
  async function pump(one: Serving, receiverId: string): Promise<void> {
    try {
      await one.delivery.pump()
    } catch (error) {
      if (performance.now() - one.loggedAt < loggedEveryMs) return
      one.loggedAt = performance.now()
      log.warn({ err: error, receiverId }, 'cannot deliver to a receiver of events; trying again')
    }
  }

  async function round(): Promise<void> {
    for (let id = ''; !isClosed; ) {
      const next = await nextReceiverWaiting(database, id)
      if (!next) break
      id = next.receiverId
      let one = serving.get(id)
      if (!one) {
        const delivery = deliveryTo(next)
        if (!delivery) continue
        one = { delivery, usedAt: 0, loggedAt: Number.NEGATIVE_INFINITY }
        serving.set(id, one)
      }
      one.usedAt = performance.now()
      await pump(one, id)
    }
    for (const [id, { delivery, usedAt }] of serving) {
      if (performance.now() - usedAt < idleMs) continue
      serving.delete(id)
      await delivery.close()
    }
  }

  metrics.atEachScrape(async () => {
    const waiting = await waitingDeliveries(database, undefined, mostCounted).catch(() => undefined)
    if (!waiting) return
    const { count, since } = waiting
    metrics.set('eventsWaiting', count)
    metrics.set('eventsWaitingSeconds', since === null ? 0 : Math.max(0, clock.now() - since) / 1000)
  })
  events.onWaiting(wake)
  plan(everyMs)
  return {
    wake,
    round,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.all([...serving.values()].map(({ delivery }) => delivery.close()))
      await running
      await dropLeases(database, serverId).catch(() => undefined)
    },
  }
}
