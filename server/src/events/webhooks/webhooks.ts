// How does a tenant manage its webhooks? Add, list, pause, rotate, replay, test; for the command line and the console.

import { type DeliveryResult, type EventType, eventTypes } from '@ringfence/contract'
import { nat64Prefixes } from '../../core/address/nat64-prefixes.ts'
import type { Clock } from '../../core/clock.ts'
import type { Settings } from '../../core/config/settings.ts'
import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import type { Database } from '../../core/storage/database.ts'
import { eventIds, lowestIdAt } from '../../core/storage/ids/event-id.ts'
import { isUuid, uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { subscribes, subscriptions } from '../receivers.ts'
import { answerContext, contextOf } from '../sealed-event.ts'
import { listAttempts } from '../store/attempts.ts'
import { deliveriesInsert, dropDeliveriesOf, waitingDeliveries } from '../store/deliveries.ts'
import { eventInsert, findEvent, listEvents, type StoredEvent } from '../store/events.ts'
import {
  dropReceiver,
  findReceiver,
  insertReceiver,
  listReceivers,
  type ReceiverRow,
  type ReceiverState,
  replaceReceiverContent,
  setReceiverState,
} from '../store/receivers.ts'
import { readTarget, TargetRefused } from './target.ts'
import { newSecret, newWebhookId, openWebhook, sealWebhook, type WebhookContent } from './webhook.ts'

/** What was asked for cannot be done; the message says what to do. */
export class WebhookRefused extends Error {
  override name = 'WebhookRefused'
  /** unknown: there is no such webhook. invalid: what was sent is wrong. conflict: not in this state. */
  readonly reason: 'unknown' | 'invalid' | 'conflict'

  constructor(message: string, reason: WebhookRefused['reason'] = 'conflict') {
    super(message)
    this.reason = reason
  }
}

/** Each event becomes one row for each of them. */
const mostPerTenant = 20
const mostDescription = 200
/** After a rotation both secrets sign, so that the receiver can be changed at any time. */
const bothSecretsMs = 24 * 3_600_000
const mostCounted = 100_000
const slice = 500

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly types: readonly string[]
  readonly state: ReceiverState
  readonly createdAt: number
  /** Since when no delivery has succeeded. */
  readonly failingSince: number | undefined
  readonly failure: string | undefined
  /** Events that wait, counted up to 100,000, and since when the oldest does. */
  readonly waiting: number
  readonly waitingSince: number | undefined
}

export interface WebhookAttempt {
  readonly eventId: string
  readonly type: string
  readonly attemptedAt: number
  readonly result: DeliveryResult
  readonly status: number | undefined
  readonly durationMs: number
  /** The first bytes of a refusal, or why there was no answer. */
  readonly answer: string
}

export interface WebhooksResources {
  readonly database: Database
  readonly tenantKeyring: TenantKeyring
  readonly clock: Clock
  readonly settings: Pick<Settings, 'webhookTargets' | 'nat64Prefixes'>
}

export class Webhooks {
  readonly #resources: WebhooksResources
  readonly #nextId = eventIds()

  constructor(resources: WebhooksResources) {
    this.#resources = resources
  }

  /** @throws WebhookRefused */
  async add(
    tenantId: string,
    { url, types, description = '' }: { url: string; types: readonly string[]; description?: string },
  ): Promise<{ id: string; secret: string }> {
    const { database, tenantKeyring, clock, settings } = this.#resources
    const known = new Set(subscriptions)
    const unknown = types.find((type) => !known.has(type))
    if (unknown !== undefined) {
      throw new WebhookRefused(`${unknown} is no type of event: use one of ${subscriptions.join(', ')}`, 'invalid')
    }
    if (types.length === 0) throw new WebhookRefused('name at least one type of event', 'invalid')
    if (description.length > mostDescription) {
      throw new WebhookRefused(`the description must have at most ${mostDescription} characters`, 'invalid')
    }
    const target = asRefusal(() => readTarget(url, settings.webhookTargets, undefined, nat64Prefixes(settings)))
    if ((await listReceivers(database, tenantId)).length >= mostPerTenant) {
      throw new WebhookRefused(`a tenant has at most ${mostPerTenant} webhooks: remove one first`)
    }
    const id = newWebhookId()
    const secret = newSecret()
    const content: WebhookContent = { url: target.href, ...(description && { description }), secrets: [{ secret }] }
    const keys = await tenantKeyring.keysOf(tenantId)
    const sealed = sealWebhook({ tenantId, id }, content, keys)
    const row = { tenantId, id, types: [...new Set(types)].join(' '), state: 'active' as const, sealed }
    await insertReceiver(database, { ...row, createdAt: clock.now() })
    return { id, secret }
  }

  async list(tenantId: string): Promise<Webhook[]> {
    const rows = await listReceivers(this.#resources.database, tenantId)
    return Promise.all(rows.map((row) => this.#shown(row)))
  }

  async show(tenantId: string, id: string): Promise<Webhook> {
    return this.#shown(await this.#existing(tenantId, id))
  }

  async #shown(row: ReceiverRow): Promise<Webhook> {
    const { database, tenantKeyring } = this.#resources
    const { url, description = '' } = openWebhook(row, await tenantKeyring.keysOf(row.tenantId))
    const { count, since } = await waitingDeliveries(database, row.id, mostCounted)
    const { id, state, createdAt, failingSince, failure } = row
    return {
      ...{ id, url, description, types: row.types.split(' '), state, createdAt, waiting: count },
      failingSince: failingSince ?? undefined,
      failure: failure ?? undefined,
      waitingSince: since ?? undefined,
    }
  }

  async #existing(tenantId: string, id: string): Promise<ReceiverRow> {
    const row = await findReceiver(this.#resources.database, tenantId, id)
    if (!row) throw new WebhookRefused(`there is no webhook ${id}; ringfence webhooks list shows all`, 'unknown')
    return row
  }

  /** With the events that wait for it. */
  async remove(tenantId: string, id: string): Promise<void> {
    const { database } = this.#resources
    if (!(await dropReceiver(database, { tenantId, id }))) await this.#existing(tenantId, id)
    while ((await dropDeliveriesOf(database, id, slice)) >= slice);
  }

  async setState(tenantId: string, id: string, state: 'active' | 'paused'): Promise<void> {
    await this.#existing(tenantId, id)
    await setReceiverState(this.#resources.database, { tenantId, id }, state)
  }

  /** A new secret; the previous one is valid for a day. */
  async rotate(tenantId: string, id: string): Promise<{ secret: string }> {
    const { database, tenantKeyring, clock } = this.#resources
    const row = await this.#existing(tenantId, id)
    const keys = await tenantKeyring.keysOf(tenantId)
    const content = openWebhook(row, keys)
    const [newest] = content.secrets
    const secret = newSecret()
    const secrets = [{ secret }, { secret: newest!.secret, validUntil: clock.now() + bothSecretsMs }]
    if (!(await replaceReceiverContent(database, row, sealWebhook(row, { ...content, secrets }, keys)))) {
      throw new WebhookRefused('somebody else changed it at the same time: do it again')
    }
    return { secret }
  }

  /** Newest first. */
  async attempts(tenantId: string, id: string, limit: number): Promise<WebhookAttempt[]> {
    const { database, tenantKeyring, clock } = this.#resources
    await this.#existing(tenantId, id)
    const keys = await tenantKeyring.keysOf(tenantId)
    const rows = await listAttempts(database, { tenantId, receiverId: id, before: clock.now() + 1, limit })
    return rows.map(({ eventId, type, attemptedAt, result, status, durationMs, sealedAnswer }) => ({
      ...{ eventId: uuidText(eventId), type, attemptedAt, result, status: status ?? undefined, durationMs },
      answer: sealedAnswer ? keys.open(sealedAnswer, answerContext(id, eventId)) : '',
    }))
  }

  /** Sends events again, in their order, after what waits. @returns how many */
  async replay(
    tenantId: string,
    id: string,
    what: { eventId: string } | { since: number; until: number },
    report: (count: number) => void = () => undefined,
  ): Promise<number> {
    const row = await this.#replayable(tenantId, id)
    if ('eventId' in what) {
      const { eventId } = what
      const { database } = this.#resources
      const event = isUuid(eventId) ? await findEvent(database, tenantId, uuidBytes(eventId)) : undefined
      if (!event) throw new WebhookRefused(`there is no event ${eventId}; events are stored for EVENT_DAYS`)
      await this.#sendAgain(tenantId, id, [event])
      return 1
    }
    let sent = 0
    for (let after: Uint8Array | undefined = lowestIdAt(what.since); after; ) {
      const part = await this.#sendSlice(row, { after, before: lowestIdAt(what.until) })
      sent += part.sent
      after = part.next
      report(sent)
    }
    return sent
  }

  /**
   * As `replay` of a time range, for callers that cannot wait: reads at most `most` events.
   * @returns how many are sent again, and the id to go on `after`, if there are more
   */
  async replayPart(
    tenantId: string,
    id: string,
    { since, until, after }: { since: number; until: number; after?: string },
    most: number,
  ): Promise<{ sent: number; next?: string }> {
    const row = await this.#replayable(tenantId, id)
    let from = after === undefined ? lowestIdAt(since) : uuidBytes(after)
    let sent = 0
    for (let read = 0; read < most; read += slice) {
      const part = await this.#sendSlice(row, { after: from, before: lowestIdAt(until) })
      sent += part.sent
      if (!part.next) return { sent }
      from = part.next
    }
    return { sent, next: uuidText(from) }
  }

  async #replayable(tenantId: string, id: string): Promise<ReceiverRow> {
    const row = await this.#existing(tenantId, id)
    if (row.state === 'disabled') throw new WebhookRefused(`webhook ${id} is disabled: resume it first`)
    return row
  }

  /** Sends the next events of a range again. `next`: the last one, when there may be more. */
  async #sendSlice(
    { tenantId, id, types }: ReceiverRow,
    range: { after: Uint8Array; before: Uint8Array },
  ): Promise<{ sent: number; next?: Uint8Array }> {
    const names = types.split(' ')
    const events = await listEvents(this.#resources.database, tenantId, { ...range, limit: slice })
    const wanted = events.filter(({ type }) => subscribes(names, type as EventType))
    await this.#sendAgain(tenantId, id, wanted)
    return { sent: wanted.length, ...(events.length === slice && { next: events.at(-1)!.id }) }
  }

  async #sendAgain(tenantId: string, receiverId: string, events: readonly StoredEvent[]): Promise<void> {
    const { database, clock } = this.#resources
    const dueAt = clock.now()
    const deliveries = events.map(({ id: eventId, orderKey }) => ({ tenantId, eventId, orderKey, dueAt }))
    for (let from = 0; from < deliveries.length; from += 10) {
      await database.batch([deliveriesInsert(receiverId, deliveries.slice(from, from + 10))])
    }
  }

  /** Sends an event of type `webhook.test`. @returns its id */
  async test(tenantId: string, receiverId: string): Promise<string> {
    const { database, tenantKeyring, clock } = this.#resources
    const { state } = await this.#existing(tenantId, receiverId)
    if (state !== 'active') throw new WebhookRefused(`webhook ${receiverId} is ${state}: resume it first`)
    const keys = await tenantKeyring.keysOf(tenantId)
    const occurredAt = clock.now()
    const id = this.#nextId(occurredAt)
    const data = JSON.stringify(eventTypes['webhook.test'].example)
    const orderKey = Buffer.from(id.subarray(8))
    const event = { tenantId, id, type: 'webhook.test', occurredAt, outcome: null, orderKey }
    const nobody = {
      ...{ userHash: null, numberHash: null, deviceHash: null },
      ...{ ipHash: null, emailHash: null, requestHash: null },
    }
    await database.batch([
      eventInsert({ ...event, ...nobody, sealed: keys.seal(data, contextOf(id)) }),
      deliveriesInsert(receiverId, [{ tenantId, eventId: id, orderKey, dueAt: occurredAt }]),
    ])
    return uuidText(id)
  }
}

function asRefusal<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof TargetRefused ? new WebhookRefused(error.message, 'invalid') : error
  }
}
