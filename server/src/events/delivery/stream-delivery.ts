// How do the events that wait for a stream get there? In batches, in their order, and only by the server with the lease.

import { setTimeout as pause } from 'node:timers/promises'
import type { EventType } from '@ringfence/contract'
import { UnknownKeyVersion } from '../../crypto/keyring.ts'
import { type DeliveryRow, deliveryDelete, firstOfStream } from '../../storage/events/deliveries.ts'
import { eventsAtOnce, findEvents, type StoredEvent } from '../../storage/events/events.ts'
import { uuidText } from '../../storage/uuid.ts'
import { ringfenceVersion } from '../../version.ts'
import { contextOf } from '../sealed-event.ts'
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
export function streamDelivery(
  { receiverId, name, sink, isMasked }: EventStream,
  lease: ReceiverLease,
  { database, tenantKeyring, clock, log, metrics }: Resources,
): ReceiverDelivery {
  // It is read from a file.
  const version = ringfenceVersion()
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  /** On the clock of performance.now(), which nobody sets. */
  let notBefore = 0
  let pauseMs = 0
  let isClosing = false

  /** Whether more may wait. */
  async function batch(): Promise<boolean> {
    const rows = await firstOfStream(database, receiverId, batchEvents)
    if (rows.length === 0) return false
    const records = await recordsOf(rows)
    if (!lease.isHeld()) return false
    if (records.length > 0) await sink.write(records, stopping.signal)
    await database.batch(rows.map(deliveryDelete))
    for (const _ of records) metrics.count('eventDeliveries', 'accepted')
    for (let i = records.length; i < rows.length; i++) metrics.count('eventDeliveries', 'expired')
    return rows.length === batchEvents
  }

  async function recordsOf(rows: readonly DeliveryRow[]): Promise<StreamRecord[]> {
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
        const open = () => JSON.parse(keys.open(sealed, contextOf(bytes)))
        const event = { id, tenantId, type: type as EventType, occurredAt, data: readable(open, id, occurredAt) }
        found.set(id, recordOf(event, { isMasked, version }))
      }
    }
    return rows.flatMap(({ eventId }) => found.get(uuidText(eventId)) ?? [])
  }

  /** One event that cannot be read must not hold up all that follow. */
  function readable<T>(open: () => T, eventId: string, occurredAt: number): T | undefined {
    try {
      return open()
    } catch (error) {
      if (error instanceof UnknownKeyVersion && clock.now() < occurredAt + keyWaitMs) throw error
      log.error({ err: error, eventId, stream: name }, 'cannot read an event; the stream gets it without its content')
      return undefined
    }
  }

  async function run(): Promise<void> {
    try {
      while (!isClosing && (await lease.take()) && (await batch()));
      if (pauseMs > 0) log.info({ stream: name }, 'the stream of events works again')
      pauseMs = 0
      notBefore = performance.now() + betweenBatchesMs
    } catch (error) {
      if (stopping.signal.aborted) return
      if (pauseMs === 0) log.warn({ err: error, stream: name }, 'cannot write events to the stream; they wait')
      metrics.count('eventDeliveries', 'unreachable')
      pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, 2 * pauseMs))
      notBefore = performance.now() + pauseMs * (0.9 + 0.2 * Math.random())
    }
  }

  return {
    async pump() {
      if (running || isClosing || performance.now() < notBefore) return running !== undefined
      running = run().finally(() => {
        running = undefined
      })
      return true
    },
    async close() {
      isClosing = true
      // A file on a network may never answer.
      await Promise.race([running, pause(lastBatchMs, undefined, { ref: false })])
      stopping.abort(new Error('the service stops'))
    },
  }
}
