// How do the events that wait for a stream get there? In batches, in their order, and only by the server with the lease.

import { setTimeout as pause } from 'node:timers/promises'
import type { EventType } from '@ringfence/contract'
import { UnknownKeyVersion } from '../../core/crypto/keyring.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import { ringfenceVersion } from '../../core/version.ts'
import { openEvent } from '../sealed-event.ts'
import { type DeliveryRow, deliveryDelete, firstOfStream } from '../store/deliveries.ts'
import { eventsAtOnce, findEvents, type StoredEvent } from '../store/events.ts'
import { recordOf } from '../streams/ecs.ts'
import type { EventStream } from '../streams/index.ts'
import type { StreamRecord } from '../streams/stream.ts'
import type { ReceiverLease } from './receiver-lease.ts'
import type { ReceiverDelivery } from './webhook-delivery.ts'
import type { DeliveryResources } from './webhook-receiver.ts'

const batchEvents = 500
/** A batch that is not full begins at most so often: each costs a sync of the disk, or a connection. */
const betweenBatchesMs = 500
const firstPauseMs = 1000
const longestPauseMs = 60_000
/** At the end of the service, for the batch in flight. */
const lastBatchMs = 2000
/** So long an event waits for its key, which another server may just have made. */
const keyWaitMs = 60_000

type Resources = Pick<DeliveryResources, 'database' | 'tenantKeyring' | 'clock' | 'log' | 'metrics'>

/** Deliveries are deleted after the sink has them, so a kill in between repeats a batch and loses none. */
export class StreamDelivery implements ReceiverDelivery {
  readonly #stream: EventStream
  readonly #lease: ReceiverLease
  readonly #resources: Resources
  // It is read from a file.
  readonly #version = ringfenceVersion()
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  /** On the clock of performance.now(), which nobody sets. */
  #notBefore = 0
  #pauseMs = 0
  #isClosing = false

  constructor(stream: EventStream, lease: ReceiverLease, resources: Resources) {
    this.#stream = stream
    this.#lease = lease
    this.#resources = resources
  }

  async pump(): Promise<boolean> {
    if (this.#running || this.#isClosing || performance.now() < this.#notBefore) return this.#running !== undefined
    this.#running = this.#run().finally(() => {
      this.#running = undefined
    })
    return true
  }

  async #run(): Promise<void> {
    const { log, metrics } = this.#resources
    const { name: stream } = this.#stream
    try {
      while (!this.#isClosing && (await this.#lease.take()) && (await this.#batch()));
      if (this.#pauseMs > 0) log.info({ stream }, 'the stream of events works again')
      this.#pauseMs = 0
      this.#notBefore = performance.now() + betweenBatchesMs
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      if (this.#pauseMs === 0) log.warn({ err: error, stream }, 'cannot write events to the stream; they wait')
      metrics.count('eventDeliveries', 'unreachable')
      this.#pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, 2 * this.#pauseMs))
      this.#notBefore = performance.now() + this.#pauseMs * (0.9 + 0.2 * Math.random())
    }
  }

  /** Whether more may wait. */
  async #batch(): Promise<boolean> {
    const { database, metrics } = this.#resources
    const { receiverId, sink } = this.#stream
    const rows = await firstOfStream(database, receiverId, batchEvents)
    if (rows.length === 0) return false
    const records = await this.#recordsOf(rows)
    if (!this.#lease.isHeld()) return false
    if (records.length > 0) await sink.write(records, this.#stopping.signal)
    await database.batch(rows.map(deliveryDelete))
    for (const _ of records) metrics.count('eventDeliveries', 'accepted')
    for (let i = records.length; i < rows.length; i++) metrics.count('eventDeliveries', 'expired')
    return rows.length === batchEvents
  }

  async #recordsOf(rows: readonly DeliveryRow[]): Promise<StreamRecord[]> {
    const { database, tenantKeyring } = this.#resources
    const about = { isMasked: this.#stream.isMasked, version: this.#version }
    const found = new Map<string, StreamRecord>()
    for (const [tenantId, ofTenant] of Map.groupBy(rows, (row) => row.tenantId)) {
      const keys = await tenantKeyring.keysOf(tenantId)
      const ids = ofTenant.map(({ eventId }) => eventId)
      const events: StoredEvent[] = []
      for (let from = 0; from < ids.length; from += eventsAtOnce) {
        events.push(...(await findEvents(database, tenantId, ids.slice(from, from + eventsAtOnce))))
      }
      for (const { id: bytes, type, occurredAt, sealed } of events) {
        const id = uuidText(bytes)
        const open = () => JSON.parse(openEvent({ id: bytes, sealed }, keys)[0])
        const data = this.#readable(open, id, occurredAt)
        found.set(id, recordOf({ id, tenantId, type: type as EventType, occurredAt, data }, about))
      }
    }
    return rows.flatMap(({ eventId }) => found.get(uuidText(eventId)) ?? [])
  }

  /** One event that cannot be read must not hold up all that follow. */
  #readable<T>(open: () => T, eventId: string, occurredAt: number): T | undefined {
    const { clock, log } = this.#resources
    try {
      return open()
    } catch (error) {
      if (error instanceof UnknownKeyVersion && clock.now() < occurredAt + keyWaitMs) throw error
      const about = { err: error, eventId, stream: this.#stream.name }
      log.error(about, 'cannot read an event; the stream gets it without its content')
      return undefined
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    // A file on a network may never answer.
    await Promise.race([this.#running, pause(lastBatchMs, undefined, { ref: false })])
    this.#stopping.abort(new Error('the service stops'))
  }
}
