// How do the events that wait for one webhook get there? In order for each key, several keys at once, and only by the server with the lease.

import {
  type DeliveryRow,
  deliveriesOfKeys,
  dueDeliveries,
  firstOfNextKey,
  keysAtOnce,
  type WaitingDelivery,
  waitForFirst,
} from '../store/deliveries.ts'
import { findEvent } from '../store/events.ts'
import type { ReceiverLease } from './receiver-lease.ts'
import { Slots } from './slots.ts'
import { type DeliveryResources, type DeliveryWay, mostAtOnce, WebhookReceiver } from './webhook-receiver.ts'

const readAtOnce = 200
/** While all attempts may run: keys of which one is attempted, has its turn next, or waits for the commit of its answer. */
const keysInFlight = 4 * mostAtOnce
/** An event that was read earlier may have been deleted meanwhile. */
const freshMs = 1000
/** While a few keys may have all that is due first, so many others get a turn, found among as many as `lookedAtInTurn`. */
const inTurnAtOnce = 4
const lookedAtInTurn = 16
const beforeAllKeys = new Uint8Array(0)

export interface ReceiverDelivery {
  /** Begins what may begin now. Returns whether anything is in flight. @throws StorageUnavailable */
  pump(): Promise<boolean>
  /** Ends the attempts in flight; they are made again. */
  close(): Promise<void>
}

export class WebhookDelivery implements ReceiverDelivery {
  readonly #ids: Pick<DeliveryRow, 'tenantId' | 'receiverId'>
  readonly #lease: ReceiverLease
  readonly #again: () => void
  readonly #resources: DeliveryResources
  readonly #receiver: WebhookReceiver
  readonly #stopping = new AbortController()
  readonly #inFlight = new Map<string, Promise<void>>()
  readonly #slots = new Slots(() => (this.#stopping.signal.aborted ? 0 : this.#receiver.room()))
  /** Due deliveries, one of each key. */
  #backlog = new Map<string, DeliveryRow>()
  /** The last key that had a turn. */
  #turn: Uint8Array = beforeAllKeys

  constructor(
    ids: Pick<DeliveryRow, 'tenantId' | 'receiverId'>,
    { lease, again, ...way }: Omit<DeliveryWay, 'signal'> & { lease: ReceiverLease; again: () => void },
    resources: DeliveryResources,
  ) {
    this.#ids = ids
    this.#lease = lease
    this.#again = again
    this.#resources = resources
    this.#receiver = new WebhookReceiver(ids, { ...way, signal: this.#stopping.signal }, resources)
  }

  async pump(): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false
    const current = await this.#receiver.load()
    if (!current?.isActive || !(await this.#lease.take())) return this.#inFlight.size > 0
    if (this.#room() > 0) {
      // With each round of a busy receiver, 200 rows would be read for the few that have ended.
      if (this.#backlog.size === 0) {
        const { database, clock } = this.#resources
        const now = clock.now()
        const due = await dueDeliveries(database, this.#ids.receiverId, now, readAtOnce)
        const inTurn = due.length === readAtOnce ? await this.#dueInTurn(now) : []
        this.#backlog = new Map([...inTurn, ...due].map((row) => [hexOf(row.orderKey), row]))
      }
      this.#fill()
    }
    return this.#inFlight.size > 0
  }

  /** Due deliveries of the next keys, whatever waits for others: who floods one key must not hold up the rest. */
  async #dueInTurn(now: number): Promise<DeliveryRow[]> {
    const due: DeliveryRow[] = []
    for (let i = 0; i < lookedAtInTurn && due.length < inTurnAtOnce; i++) {
      const first = await firstOfNextKey(this.#resources.database, this.#ids.receiverId, this.#turn)
      this.#turn = first?.orderKey ?? beforeAllKeys
      if (first && first.dueAt <= now && !this.#inFlight.has(hexOf(first.orderKey))) due.push(first)
    }
    return due
  }

  /** How many more keys may be in flight. */
  #room(): number {
    const room = this.#receiver.room()
    return (room === mostAtOnce ? keysInFlight : room) - this.#inFlight.size
  }

  /** Begins with the next keys. Their events are read together, so that a group of them begins when it is full. */
  #fill(): void {
    if (this.#stopping.signal.aborted) return
    const room = this.#room()
    if (room < Math.min(keysAtOnce, this.#backlog.size, this.#receiver.room())) return
    const keys = new Map<string, DeliveryRow>()
    for (const [key, row] of this.#backlog) {
      if (keys.size === Math.min(room, keysAtOnce)) break
      this.#backlog.delete(key)
      if (!this.#inFlight.has(key)) keys.set(key, row)
    }
    if (keys.size === 0) return
    const reading = this.#read([...keys.values()])
    for (const key of keys.keys()) this.#inFlight.set(key, this.#delivering(key, reading))
    this.#fill()
  }

  async #read(rows: readonly DeliveryRow[]): Promise<Map<string, WaitingDelivery[]>> {
    const orderKeys = rows.map(({ orderKey }) => orderKey)
    const waiting = await deliveriesOfKeys(this.#resources.database, this.#ids, orderKeys)
    return Map.groupBy(waiting, ({ orderKey }) => hexOf(orderKey))
  }

  async #delivering(key: string, reading: Promise<Map<string, WaitingDelivery[]>>): Promise<void> {
    let isOver = false
    try {
      await this.#deliverKey((await reading).get(key) ?? [])
    } catch (error) {
      isOver = true
      const about = { err: error, receiverId: this.#ids.receiverId }
      if (!this.#stopping.signal.aborted) this.#resources.log.warn(about, 'could not deliver events; trying again')
    } finally {
      this.#inFlight.delete(key)
      // After an error the next round is soon enough.
      if (!isOver) this.#fill()
      if (!isOver && this.#backlog.size === 0) this.#again()
    }
  }

  /** Delivers what is due of one key, until one fails. */
  async #deliverKey(rows: readonly WaitingDelivery[]): Promise<void> {
    const { database, clock } = this.#resources
    const readAt = performance.now()
    const [first] = rows
    if (!first) return
    if (first.dueAt > clock.now()) return waitForFirst(database, first)
    for (const row of rows) {
      const answered = await this.#slots.use(async () => {
        if (!this.#lease.isHeld()) return
        const current = await this.#receiver.load()
        if (!current?.isActive) return
        const isFresh = performance.now() - readAt < freshMs
        const event = isFresh ? row.event : await findEvent(database, row.tenantId, row.eventId)
        return this.#receiver.deliver({ ...row, event }, current)
      })
      if (!answered || !(await answered())) return
    }
  }

  async close(): Promise<void> {
    this.#stopping.abort(new Error('the service stops'))
    this.#slots.changed()
    await this.#receiver.close()
    await Promise.all(this.#inFlight.values())
  }
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
