// What becomes of one event for a webhook? An attempt, what is stored of it, and what it says about the receiver.

import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { DeliveryResult } from '@ringfence/contract'
import { nat64Prefixes } from '../../core/address/nat64-prefixes.ts'
import type { Core } from '../../core/core.ts'
import { type TenantKeys, UnknownKeyVersion } from '../../core/crypto/keyring.ts'
import type { BatchStatement } from '../../core/storage/database.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import { ringfenceVersion } from '../../core/version.ts'
import { answerContext, contextOf } from '../sealed-event.ts'
import { attemptInsert } from '../store/attempts.ts'
import { type DeliveryRow, deliveryDelete, deliveryFailure, makeDue } from '../store/deliveries.ts'
import { findEvent, type StoredEvent } from '../store/events.ts'
import { disableReceiver, findReceiver, recordFailing, recordWorking } from '../store/receivers.ts'
import { type DeliveryAnswer, send } from '../webhooks/send.ts'
import { signatureHeaders } from '../webhooks/signature.ts'
import { readTarget, TargetRefused } from '../webhooks/target.ts'
import { openWebhook, type WebhookContent } from '../webhooks/webhook.ts'
import { receiverHealth } from './receiver-health.ts'
import { givesUpAfterMs, isGivenUp, pauseAfter } from './retries.ts'

const mostAtOnce = 8
const rereadMs = 1000
const slice = 500

export type DeliveryResources = Pick<Core, 'database' | 'tenantKeyring' | 'clock' | 'settings' | 'log' | 'metrics'>

interface Attempt extends Omit<DeliveryAnswer, 'result'> {
  /** unreadable: the event is damaged; key unknown: another server has its key. Nothing was sent. */
  readonly result: Exclude<DeliveryResult, 'given up'>
}
/** It never heals. */
const unreadable: Attempt = { result: 'unreadable', durationMs: 0, text: 'the content of the event is damaged' }
const keyUnknown: Attempt = { result: 'key unknown', durationMs: 0, text: 'this server does not have its key' }

interface Loaded {
  readonly content: WebhookContent
  readonly isActive: boolean
  readonly failingSince: number | null
}

export class WebhookReceiver {
  readonly #ids: { tenantId: string; id: string }
  readonly #way: { lookup: LookupFunction; signal: AbortSignal }
  readonly #resources: DeliveryResources
  readonly #agents = {
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: mostAtOnce }),
    'http:': new HttpAgent({ keepAlive: true, maxSockets: mostAtOnce }),
  }
  readonly #health = receiverHealth(mostAtOnce)
  // The version is read from a file.
  readonly #userAgent = `Ringfence/${ringfenceVersion()} (webhook)`
  #loaded: Loaded | undefined
  #loadedAt = Number.NEGATIVE_INFINITY
  #isFailing = false
  /** It failed when this server took over, so what waits may be due much later. */
  #mayHaveBeenDown = false

  /** `signal` ends the attempts in flight. */
  constructor(
    { tenantId, receiverId }: Pick<DeliveryRow, 'tenantId' | 'receiverId'>,
    way: { lookup: LookupFunction; signal: AbortSignal },
    resources: DeliveryResources,
  ) {
    this.#ids = { tenantId, id: receiverId }
    this.#way = way
    this.#resources = resources
  }

  /** How many attempts may run now. */
  room(): number {
    return this.#health.room(this.#resources.clock.now())
  }

  /** As it was within the last second; undefined when it was removed. */
  async load(): Promise<Loaded | undefined> {
    const { database, tenantKeyring, clock } = this.#resources
    const { tenantId, id } = this.#ids
    const now = clock.now()
    if (Math.abs(now - this.#loadedAt) < rereadMs) return this.#loaded
    const row = await findReceiver(database, tenantId, id)
    const keys = await tenantKeyring.keysOf(tenantId)
    this.#loaded = row && {
      content: openWebhook(row, keys),
      isActive: row.state === 'active',
      failingSince: row.failingSince,
    }
    this.#loadedAt = now
    if (this.#loaded?.failingSince != null && !this.#isFailing) [this.#isFailing, this.#mayHaveBeenDown] = [true, true]
    return this.#loaded
  }

  /** Whether the next one of its key may follow. */
  async deliver(row: DeliveryRow, { content, failingSince }: Loaded): Promise<boolean> {
    const { database, tenantKeyring, clock, metrics } = this.#resources
    const { tenantId, id: receiverId } = this.#ids
    const event = await findEvent(database, tenantId, row.eventId)
    if (!event) {
      metrics.count('eventDeliveries', 'expired')
      await database.batch([deliveryDelete(row)])
      return true
    }
    const keys = await tenantKeyring.keysOf(tenantId)
    const { id: eventId, type } = event
    const attemptedAt = clock.now()
    const body = this.#bodyOf(event, keys)
    const isSent = typeof body === 'string'
    const answer = isSent ? await this.#attempt(uuidText(eventId), body, content, attemptedAt) : body
    const now = clock.now()
    const { result, status = null, durationMs, text } = answer
    const sealedAnswer = text ? keys.seal(text, answerContext(receiverId, eventId)) : null
    const log = (as: DeliveryResult): BatchStatement =>
      attemptInsert({
        ...{ receiverId, tenantId, eventId, type, attemptedAt, status, durationMs, sealedAnswer },
        result: as,
      })
    if (result === 'accepted' || result === 'unreadable') {
      await database.batch([deliveryDelete(row), log(result)])
      metrics.count('eventDeliveries', result)
      if (result === 'accepted') await this.#succeeded(now)
      return true
    }
    const attempts = row.attempts + 1
    const givesUp = isGivenUp(attempts, row.failingSince ?? attemptedAt, now)
    const change = givesUp
      ? deliveryDelete(row)
      : deliveryFailure(row, { failedAt: attemptedAt, dueAt: now + pauseAfter(attempts) })
    const as = givesUp ? 'given up' : result
    await database.batch([change, log(as)])
    metrics.count('eventDeliveries', as.replace(' ', '_'))
    if (isSent) await this.#failed(answer, attemptedAt, failingSince)
    return givesUp
  }

  /** The attempt when it cannot be read: that is no failure of the receiver. */
  #bodyOf({ id: bytes, type, occurredAt, sealed }: StoredEvent, keys: TenantKeys): string | Attempt {
    const id = uuidText(bytes)
    const head = JSON.stringify({ id, type, timestamp: new Date(occurredAt).toISOString() }).slice(0, -1)
    try {
      return `${head},"data":${keys.open(sealed, contextOf(bytes))}}`
    } catch (error) {
      const isKeyUnknown = error instanceof UnknownKeyVersion
      const then = isKeyUnknown ? 'its key is not known here; trying again' : 'it is damaged and not delivered'
      const about = { err: error, eventId: id, receiverId: this.#ids.id }
      this.#resources.log.error(about, `cannot read an event: ${then}`)
      return isKeyUnknown ? keyUnknown : unreadable
    }
  }

  async #attempt(id: string, body: string, content: WebhookContent, now: number): Promise<DeliveryAnswer> {
    const { settings } = this.#resources
    try {
      // Again: the setting may have changed since it was added.
      const url = readTarget(content.url, settings.webhookTargets, undefined, nat64Prefixes(settings))
      const headers = { 'user-agent': this.#userAgent, ...signatureHeaders(id, body, content.secrets, now) }
      const agent = this.#agents[url.protocol as 'https:' | 'http:']
      return await send({ url, headers, body }, { agent, ...this.#way })
    } catch (error) {
      if (!(error instanceof TargetRefused)) throw error
      return { result: 'target', durationMs: 0, text: error.message }
    }
  }

  async #succeeded(now: number): Promise<void> {
    const { database } = this.#resources
    const wasDown = this.#health.succeeded()
    if (this.#isFailing) {
      this.#isFailing = false
      await recordWorking(database, this.#ids)
      if (this.#loaded) this.#loaded = { ...this.#loaded, failingSince: null }
    }
    if (!wasDown && !this.#mayHaveBeenDown) return
    this.#mayHaveBeenDown = false
    while ((await makeDue(database, this.#ids.id, now, slice)) >= slice);
  }

  async #failed({ result, status, text }: Attempt, at: number, since: number | null): Promise<void> {
    const { database, clock, log } = this.#resources
    const { tenantId, id: receiverId } = this.#ids
    this.#health.failed(clock.now())
    const failure = `${result}${status === undefined ? '' : ` (${status})`}${status === undefined && text ? `: ${text}` : ''}`
    if (!this.#isFailing || since === null) await recordFailing(database, this.#ids, at, failure)
    this.#isFailing = true
    const isGone = result === 'gone'
    const isDown = since !== null && at - since >= givesUpAfterMs
    if (!isGone && !isDown) return
    const reason = isGone ? 'it answered 410 Gone' : `it failed for three days: ${failure}`
    await disableReceiver(database, this.#ids, reason)
    log.warn({ tenantId, receiverId, failure }, 'a webhook is disabled; ringfence webhooks resume enables it')
    this.#loadedAt = Number.NEGATIVE_INFINITY
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }
}
