// What becomes of one event for a webhook? An attempt, what is stored of it, and what it says about the receiver.

import type { LookupFunction } from 'node:net'
import type { DeliveryResult } from '@ringfence/contract'
import { nat64Prefixes } from '../../core/address/nat64-prefixes.ts'
import type { Core } from '../../core/core.ts'
import { type TenantKeys, UnknownKeyVersion } from '../../core/crypto/keyring.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import { ringfenceVersion } from '../../core/version.ts'
import { answerContext, openEvent } from '../sealed-event.ts'
import { type AttemptRow, attemptsInsert } from '../store/attempts.ts'
import {
  type DeliveryRow,
  deliveryDelete,
  deliveryFailure,
  makeDue,
  type WaitingDelivery,
} from '../store/deliveries.ts'
import type { StoredEvent } from '../store/events.ts'
import { disableReceiver, findReceiver, recordFailing, recordWorking } from '../store/receivers.ts'
import { type DeliveryAnswer, type Sender, sender } from '../webhooks/send.ts'
import { signatureHeaders } from '../webhooks/signature.ts'
import { readTarget, TargetRefused } from '../webhooks/target.ts'
import { openWebhook, type WebhookContent } from '../webhooks/webhook.ts'
import type { Confirmations } from './confirmations.ts'
import { receiverHealth } from './receiver-health.ts'
import { givesUpAfterMs, isGivenUp, pauseAfter } from './retries.ts'

export const mostAtOnce = 8
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

/** How an event gets to a receiver. `signal` ends the attempts in flight. */
export interface DeliveryWay {
  readonly lookup: LookupFunction
  readonly signal: AbortSignal
  readonly confirmations: Confirmations
}

/** Between an answer and what is stored of it, others may be sent. */
export type Answered = () => Promise<boolean>

export class WebhookReceiver {
  readonly #ids: { tenantId: string; id: string }
  readonly #confirmations: Confirmations
  readonly #sender: Sender
  readonly #resources: DeliveryResources
  readonly #health = receiverHealth(mostAtOnce)
  // The version is read from a file.
  readonly #userAgent = `Ringfence/${ringfenceVersion()} (webhook)`
  #loaded: Loaded | undefined
  #loadedAt = Number.NEGATIVE_INFINITY
  #isFailing = false
  /** It failed when this server took over, so what waits may be due much later. */
  #mayHaveBeenDown = false

  constructor(
    { tenantId, receiverId }: Pick<DeliveryRow, 'tenantId' | 'receiverId'>,
    { confirmations, ...way }: DeliveryWay,
    resources: DeliveryResources,
  ) {
    this.#ids = { tenantId, id: receiverId }
    this.#confirmations = confirmations
    this.#sender = sender({ connections: mostAtOnce, ...way })
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

  /** Attempts it. The function that it returns stores that it was accepted, and says whether the next one of its key may follow. */
  async deliver(row: WaitingDelivery, { content, failingSince }: Loaded): Promise<Answered> {
    const { database, tenantKeyring, clock, metrics } = this.#resources
    const { event } = row
    if (!event) {
      return async () => {
        metrics.count('eventDeliveries', 'expired')
        await database.batch([deliveryDelete(row)])
        return true
      }
    }
    const keys = await tenantKeyring.keysOf(this.#ids.tenantId)
    const attemptedAt = clock.now()
    const body = this.#bodyOf(event, keys)
    const isSent = typeof body === 'string'
    const answer = isSent
      ? await this.#confirmations.during(() => this.#attempt(uuidText(event.id), body, content, attemptedAt))
      : body
    const attempt = this.#attemptOf(event, answer, { attemptedAt, keys })
    const { result } = answer
    if (result === 'accepted' || result === 'unreadable') {
      return async () => {
        await this.#confirmations.confirm({ delivery: row, attempt })
        metrics.count('eventDeliveries', result)
        if (result === 'accepted') await this.#succeeded(clock.now())
        return true
      }
    }
    // At once: a receiver that is down must get no more.
    const givesUp = await this.#notAccepted(row, attempt)
    if (isSent) await this.#failed(answer, attemptedAt, failingSince)
    return async () => givesUp
  }

  #attemptOf(
    { id: eventId, type }: StoredEvent,
    { result, status, durationMs, text }: Attempt,
    { attemptedAt, keys }: { attemptedAt: number; keys: TenantKeys },
  ): AttemptRow {
    const { tenantId, id: receiverId } = this.#ids
    const sealedAnswer = text ? keys.seal(text, answerContext(receiverId, eventId)) : null
    return {
      receiverId,
      tenantId,
      eventId,
      type,
      attemptedAt,
      result,
      status: status ?? null,
      durationMs,
      sealedAnswer,
    }
  }

  /** Whether it gives up. */
  async #notAccepted(row: DeliveryRow, attempt: AttemptRow): Promise<boolean> {
    const { database, clock, metrics } = this.#resources
    const { attemptedAt: failedAt } = attempt
    const attempts = row.attempts + 1
    const now = clock.now()
    const givesUp = isGivenUp(attempts, row.failingSince ?? failedAt, now)
    const change = givesUp ? deliveryDelete(row) : deliveryFailure(row, { failedAt, dueAt: now + pauseAfter(attempts) })
    const result: DeliveryResult = givesUp ? 'given up' : attempt.result
    await database.batch([change, attemptsInsert([{ ...attempt, result }])])
    metrics.count('eventDeliveries', result.replace(' ', '_'))
    return givesUp
  }

  /** The attempt when it cannot be read: that is no failure of the receiver. */
  #bodyOf({ id: bytes, type, occurredAt, sealed }: StoredEvent, keys: TenantKeys): string | Attempt {
    const id = uuidText(bytes)
    const head = JSON.stringify({ id, type, timestamp: new Date(occurredAt).toISOString() }).slice(0, -1)
    try {
      return `${head},"data":${openEvent({ id: bytes, sealed }, keys)[0]}}`
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
      return await this.#sender.send({ url, headers, body })
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

  close(): Promise<void> {
    return this.#sender.close()
  }
}
