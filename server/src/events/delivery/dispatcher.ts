// Which receivers have events waiting? Looks twice a second, and soon after this server wrote some.

import { randomUUID } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { nat64Prefixes } from '../../core/address/nat64-prefixes.ts'
import type { EventsNeeds } from '../room.ts'
import { nextReceiverWaiting, waitingDeliveries } from '../store/deliveries.ts'
import { dropLeases } from '../store/leases.ts'
import { isStream } from '../streams/stream-id.ts'
import { guardedLookup, type Resolve } from '../webhooks/target.ts'
import { Confirmations } from './confirmations.ts'
import { receiverLease } from './receiver-lease.ts'
import { StreamDelivery } from './stream-delivery.ts'
import { type ReceiverDelivery, WebhookDelivery } from './webhook-delivery.ts'
import type { DeliveryResources } from './webhook-receiver.ts'

const everyMs = 500
/** Events of one turn are written together. */
const soonMs = 20
/** A receiver for which nothing waits has no connections after this time. */
const idleMs = 60_000
/** At a scrape; counting more would take long. */
const mostCounted = 100_000

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

export class Dispatcher {
  readonly #resources: DispatcherResources
  readonly #serverId = randomUUID()
  readonly #lookup: LookupFunction
  readonly #confirmations: Confirmations
  readonly #serving = new Map<string, Serving>()
  #isClosed = false
  #running: Promise<void> | undefined
  #isAskedAgain = false
  #timer: NodeJS.Timeout | undefined

  constructor(resources: DispatcherResources) {
    const { settings, metrics, events, resolve } = resources
    this.#resources = resources
    this.#confirmations = new Confirmations(resources.database)
    this.#lookup = guardedLookup(resolve, settings.webhookTargets, nat64Prefixes(settings))
    metrics.atEachScrape(() => this.#measure())
    events.onWaiting(() => this.wake())
    this.#plan(everyMs)
  }

  /** Events may be waiting. */
  wake(): void {
    if (this.#running) this.#isAskedAgain = true
    else this.#plan(soonMs)
  }

  #plan(ms: number): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#run(), ms)
    this.#timer.unref()
  }

  #run(): void {
    this.#running ??= this.round()
      .catch((error) => this.#resources.log.debug({ err: error }, 'cannot look for events that wait'))
      .finally(() => {
        this.#running = undefined
        this.#plan(this.#isAskedAgain ? soonMs : everyMs)
        this.#isAskedAgain = false
      })
  }

  /** One round: begins every delivery that may begin now. */
  async round(): Promise<void> {
    const serving = this.#serving
    for (let id = ''; !this.#isClosed; ) {
      const next = await nextReceiverWaiting(this.#resources.database, id)
      if (!next || this.#isClosed) break // what begins now, nobody would end
      id = next.receiverId
      let one = serving.get(id)
      if (!one) {
        const delivery = this.#deliveryTo(next)
        if (!delivery) continue
        one = { delivery, usedAt: 0, loggedAt: Number.NEGATIVE_INFINITY }
        serving.set(id, one)
      }
      one.usedAt = performance.now()
      await this.#pump(one, id)
    }
    for (const [id, { delivery, usedAt }] of serving) {
      if (performance.now() - usedAt < idleMs) continue
      serving.delete(id)
      await delivery.close()
    }
  }

  /** Undefined for a stream that this server does not have: another one may have it. */
  #deliveryTo(next: { receiverId: string; tenantId: string }): ReceiverDelivery | undefined {
    const resources = this.#resources
    const lease = receiverLease(next.receiverId, this.#serverId, resources)
    if (!isStream(next.receiverId)) {
      const again = () => this.wake()
      return new WebhookDelivery(
        next,
        { lease, lookup: this.#lookup, confirmations: this.#confirmations, again },
        resources,
      )
    }
    const stream = resources.delivery.streams.get(next.receiverId)
    return stream && new StreamDelivery(stream, lease, resources)
  }

  /** One receiver that cannot be served must not hold up those after it. */
  async #pump(one: Serving, receiverId: string): Promise<void> {
    try {
      await one.delivery.pump()
    } catch (error) {
      if (performance.now() - one.loggedAt < loggedEveryMs) return
      one.loggedAt = performance.now()
      const about = { err: error, receiverId }
      this.#resources.log.warn(about, 'cannot deliver to a receiver of events; trying again')
    }
  }

  async #measure(): Promise<void> {
    const { database, clock, metrics } = this.#resources
    const waiting = await waitingDeliveries(database, undefined, mostCounted).catch(() => undefined)
    if (!waiting) return
    const { count, since } = waiting
    metrics.set('eventsWaiting', count)
    metrics.set('eventsWaitingSeconds', since === null ? 0 : Math.max(0, clock.now() - since) / 1000)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await Promise.all([...this.#serving.values()].map(({ delivery }) => delivery.close()))
    await this.#running
    await dropLeases(this.#resources.database, this.#serverId).catch(() => undefined)
  }
}
