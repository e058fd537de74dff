// How do the events that wait for one webhook get there? In order for each key, several keys at once, and only by the server with the lease.

import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Core } from '../../core.ts'
import { type TenantKeys, UnknownKeyVersion } from '../../crypto/keyring.ts'
import { nat64Prefixes } from '../../ip/nat64-prefixes.ts'
import type { BatchStatement } from '../../storage/database.ts'
import { attemptInsert } from '../../storage/events/attempts.ts'
import {
  type DeliveryRow,
  deliveriesOfKey,
  deliveryDelete,
  deliveryFailure,
  dueDeliveries,
  firstOfNextKey,
  makeDue,
  waitForFirst,
} from '../../storage/events/deliveries.ts'
import { findEvent, type StoredEvent } from '../../storage/events/events.ts'
import { disableReceiver, findReceiver, recordFailing, recordWorking } from '../../storage/events/receivers.ts'
import { uuidText } from '../../storage/uuid.ts'
import { ringfenceVersion } from '../../version.ts'
import { answerContext, contextOf } from '../sealed-event.ts'
import { type DeliveryAnswer, type DeliveryResult, send } from '../webhooks/send.ts'
import { signatureHeaders } from '../webhooks/signature.ts'
import { readTarget, TargetRefused } from '../webhooks/target.ts'
import { openWebhook, type WebhookContent } from '../webhooks/webhook.ts'
import { receiverHealth } from './receiver-health.ts'
import type { ReceiverLease } from './receiver-lease.ts'
import { givesUpAfterMs, isGivenUp, pauseAfter } from './retries.ts'

const mostAtOnce = 8
const readAtOnce = 200
/** Of one key, before others have a turn. */
const keyAtOnce = 20
/** While a few keys may have all that is due first, so many others get a turn, found among as many as `lookedAtInTurn`. */
const inTurnAtOnce = 4
const lookedAtInTurn = 16
const beforeAllKeys = new Uint8Array(0)
const rereadMs = 1000
const slice = 500

export type DeliveryResources = Pick<Core, 'database' | 'tenantKeyring' | 'clock' | 'settings' | 'log' | 'metrics'>

interface Attempt extends Omit<DeliveryAnswer, 'result'> {
  /** unreadable: the event is damaged; key unknown: another server has its key. Nothing was sent. */
  readonly result: DeliveryResult | 'unreadable' | 'key unknown'
}
/** It never heals. */
const unreadable: Attempt = { result: 'unreadable', durationMs: 0, text: 'the content of the event is damaged' }
const keyUnknown: Attempt = { result: 'key unknown', durationMs: 0, text: 'this server does not have its key' }

interface Loaded {
  readonly content: WebhookContent
  readonly isActive: boolean
  readonly failingSince: number | null
}

export interface WebhookDelivery {
  /** Begins what may begin now. Returns whether anything is in flight. @throws StorageUnavailable */
  pump(): Promise<boolean>
  /** Ends the attempts in flight; they are made again. */
  close(): Promise<void>
}

export function webhookDelivery(
  { tenantId, receiverId }: Pick<DeliveryRow, 'tenantId' | 'receiverId'>,
  { lease, lookup, again }: { lease: ReceiverLease; lookup: LookupFunction; again: () => void },
  { database, tenantKeyring, clock, settings, log, metrics }: DeliveryResources,
): WebhookDelivery {
  const agents = {
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: mostAtOnce }),
    'http:': new HttpAgent({ keepAlive: true, maxSockets: mostAtOnce }),
  }
  const health = receiverHealth(mostAtOnce)
  // The version is read from a file.
  const userAgent = `Ringfence/${ringfenceVersion()} (webhook)`
  const stopping = new AbortController()
  const inFlight = new Map<string, Promise<void>>()
  const receiver = { tenantId, id: receiverId }
  let loaded: Loaded | undefined
  let loadedAt = Number.NEGATIVE_INFINITY
  /** Due deliveries, one of each key. */
  let backlog = new Map<string, DeliveryRow>()
  /** The last key that had a turn. */
  let turn: Uint8Array = beforeAllKeys
  let isFailing = false
  /** It failed when this server took over, so what waits may be due much later. */
  let mayHaveBeenDown = false

  async function load(): Promise<Loaded | undefined> {
    const now = clock.now()
    if (Math.abs(now - loadedAt) < rereadMs) return loaded
    const row = await findReceiver(database, tenantId, receiverId)
    const keys = await tenantKeyring.keysOf(tenantId)
    loaded = row && {
      content: openWebhook(row, keys),
      isActive: row.state === 'active',
      failingSince: row.failingSince,
    }
    loadedAt = now
    if (loaded?.failingSince != null && !isFailing) [isFailing, mayHaveBeenDown] = [true, true]
    return loaded
  }

  /** Delivers what is due of one key, until one fails. */
  async function deliverKey({ orderKey }: DeliveryRow): Promise<void> {
    const rows = await deliveriesOfKey(database, receiverId, orderKey, keyAtOnce)
    const [first] = rows
    if (!first) return
    if (first.dueAt > clock.now()) return waitForFirst(database, first)
    for (const row of rows) {
      if (stopping.signal.aborted || !lease.isHeld() || health.room(clock.now()) === 0) return
      const current = await load()
      if (!current?.isActive || !(await deliverOne(row, current))) return
    }
  }

  /** Whether the next one of its key may follow. */
  async function deliverOne(row: DeliveryRow, { content, failingSince }: Loaded): Promise<boolean> {
    const event = await findEvent(database, tenantId, row.eventId)
    if (!event) {
      metrics.count('eventDeliveries', 'expired')
      await database.batch([deliveryDelete(row)])
      return true
    }
    const keys = await tenantKeyring.keysOf(tenantId)
    const { type } = event
    const attemptedAt = clock.now()
    const body = bodyOf(event, keys)
    const isSent = typeof body === 'string'
    const answer = isSent ? await attempt(uuidText(event.id), body, content, attemptedAt) : body
    const now = clock.now()
    const { result, status = null, durationMs, text } = answer
    const log = (as: string): BatchStatement =>
      attemptInsert({
        receiverId,
        tenantId,
        eventId: event.id,
        type,
        attemptedAt,
        result: as,
        status,
        durationMs,
        sealedAnswer: text ? keys.seal(text, answerContext(receiverId, event.id)) : null,
      })
    if (result === 'accepted') {
      await database.batch([deliveryDelete(row), log(result)])
      metrics.count('eventDeliveries', result)
      await succeeded(now)
      return true
    }
    if (result === 'unreadable') {
      await database.batch([deliveryDelete(row), log(result)])
      metrics.count('eventDeliveries', result)
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
    if (isSent) await failed(answer, attemptedAt, failingSince)
    return givesUp
  }

  /** The attempt when it cannot be read: that is no failure of the receiver. */
  function bodyOf({ id: bytes, type, occurredAt, sealed }: StoredEvent, keys: TenantKeys): string | Attempt {
    const id = uuidText(bytes)
    const head = JSON.stringify({ id, type, timestamp: new Date(occurredAt).toISOString() }).slice(0, -1)
    try {
      return `${head},"data":${keys.open(sealed, contextOf(bytes))}}`
    } catch (error) {
      const isKeyUnknown = error instanceof UnknownKeyVersion
      const then = isKeyUnknown ? 'its key is not known here; trying again' : 'it is damaged and not delivered'
      log.error({ err: error, eventId: id, receiverId }, `cannot read an event: ${then}`)
      return isKeyUnknown ? keyUnknown : unreadable
    }
  }

  async function attempt(id: string, body: string, content: WebhookContent, now: number): Promise<DeliveryAnswer> {
    try {
      // Again: the setting may have changed since it was added.
      const url = readTarget(content.url, settings.webhookTargets, undefined, nat64Prefixes(settings))
      const headers = { 'user-agent': userAgent, ...signatureHeaders(id, body, content.secrets, now) }
      const agent = agents[url.protocol as 'https:' | 'http:']
      return await send({ url, headers, body }, { agent, lookup, signal: stopping.signal })
    } catch (error) {
      if (!(error instanceof TargetRefused)) throw error
      return { result: 'target', durationMs: 0, text: error.message }
    }
  }

  async function succeeded(now: number): Promise<void> {
    const wasDown = health.succeeded()
    if (isFailing) {
      isFailing = false
      await recordWorking(database, receiver)
      if (loaded) loaded = { ...loaded, failingSince: null }
    }
    if (!wasDown && !mayHaveBeenDown) return
    mayHaveBeenDown = false
    while ((await makeDue(database, receiverId, now, slice)) >= slice);
  }

  async function failed({ result, status, text }: Attempt, at: number, since: number | null): Promise<void> {
    health.failed(clock.now())
    const failure = `${result}${status === undefined ? '' : ` (${status})`}${status === undefined && text ? `: ${text}` : ''}`
    if (!isFailing || since === null) await recordFailing(database, receiver, at, failure)
    isFailing = true
    const isDown = since !== null && at - since >= givesUpAfterMs
    if (result !== 'gone' && !isDown) return
    await disableReceiver(
      database,
      receiver,
      result === 'gone' ? 'it answered 410 Gone' : `it failed for three days: ${failure}`,
    )
    log.warn({ tenantId, receiverId, failure }, 'a webhook is disabled; ringfence webhooks resume enables it')
    loadedAt = Number.NEGATIVE_INFINITY
  }

  /** Due deliveries of the next keys, whatever waits for others: who floods one key must not hold up the rest. */
  async function dueInTurn(now: number): Promise<DeliveryRow[]> {
    const due: DeliveryRow[] = []
    for (let i = 0; i < lookedAtInTurn && due.length < inTurnAtOnce; i++) {
      const first = await firstOfNextKey(database, receiverId, turn)
      turn = first?.orderKey ?? beforeAllKeys
      if (first && first.dueAt <= now && !inFlight.has(hexOf(first.orderKey))) due.push(first)
    }
    return due
  }

  function fill(): void {
    let room = health.room(clock.now()) - inFlight.size
    for (const [key, row] of backlog) {
      if (room <= 0 || stopping.signal.aborted) return
      backlog.delete(key)
      if (inFlight.has(key)) continue
      room--
      inFlight.set(key, delivering(key, row))
    }
  }

  async function delivering(key: string, row: DeliveryRow): Promise<void> {
    let isOver = false
    try {
      await deliverKey(row)
    } catch (error) {
      isOver = true
      if (!stopping.signal.aborted) log.warn({ err: error, receiverId }, 'could not deliver events; trying again')
    } finally {
      inFlight.delete(key)
      // After an error the next round is soon enough.
      if (!isOver) fill()
      if (!isOver && backlog.size === 0) again()
    }
  }

  return {
    async pump() {
      if (stopping.signal.aborted) return false
      const current = await load()
      if (!current?.isActive || !(await lease.take())) return inFlight.size > 0
      if (health.room(clock.now()) > inFlight.size) {
        // With each round of a busy receiver, 200 rows would be read for the few that have ended.
        if (backlog.size === 0) {
          const now = clock.now()
          const due = await dueDeliveries(database, receiverId, now, readAtOnce)
          const inTurn = due.length === readAtOnce ? await dueInTurn(now) : []
          backlog = new Map([...inTurn, ...due].map((row) => [hexOf(row.orderKey), row]))
        }
        fill()
      }
      return inFlight.size > 0
    },
    async close() {
      stopping.abort(new Error('the service stops'))
      await Promise.all(inFlight.values())
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
