// How do the events that wait for one webhook get there? In order for each key, several keys at once, and only by the server with the lease.

import type { LookupFunction } from 'node:net'
import { type DeliveryRow, deliveriesOfKey, dueDeliveries, firstOfNextKey, waitForFirst } from '../store/deliveries.ts'
import type { ReceiverLease } from './receiver-lease.ts'
import { type DeliveryResources, WebhookReceiver } from './webhook-receiver.ts'

const readAtOnce = 200
/** Of one key, before others have a turn. */
const keyAtOnce = 20
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
  readonly #receiverId: string
  readonly #lease: ReceiverLease
  readonly #again: () => void
  readonly #resources: DeliveryResources
  readonly #receiver: WebhookReceiver
  readonly #stopping = new AbortController()
  readonly #inFlight = new Map<string, Promise<void>>()
  /** Due deliveries, one of each key. */
  #backlog = new Map<string, DeliveryRow>()
  /** The last key that had a turn. */
  #turn: Uint8Array = beforeAllKeys

  constructor(
    ids: Pick<DeliveryRow, 'tenantId' | 'receiverId'>,
    { lease, lookup, again }: { lease: ReceiverLease; lookup: LookupFunction; again: () => void },
    resources: DeliveryResources,
  ) {
    this.#receiverId = ids.receiverId
    this.#lease = lease
    this.#again = again
    this.#resources = resources
    this.#receiver = new WebhookReceiver(ids, { lookup, signal: this.#stopping.signal }, resources)
  }

  async pump(): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false
    const current = await this.#receiver.load()
    if (!current?.isActive || !(await this.#lease.take())) return this.#inFlight.size > 0
    if (this.#receiver.room() > this.#inFlight.size) {
      // With each round of a busy receiver, 200 rows would be read for the few that have ended.
      if (this.#backlog.size === 0) {
        const { database, clock } = this.#resources
        const now = clock.now()
        const due = await dueDeliveries(database, this.#receiverId, now, readAtOnce)
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
      const first = await firstOfNextKey(this.#resources.database, this.#receiverId, this.#turn)
      this.#turn = first?.orderKey ?? beforeAllKeys
      if (first && first.dueAt <= now && !this.#inFlight.has(hexOf(first.orderKey))) due.push(first)
    }
    return due
  }

  #fill(): void {
    let room = this.#receiver.room() - this.#inFlight.size
    for (const [key, row] of this.#backlog) {
      if (room <= 0 || this.#stopping.signal.aborted) return
      this.#backlog.delete(key)
      if (this.#inFlight.has(key)) continue
      room--
      this.#inFlight.set(key, this.#delivering(key, row))
    }
  }

  async #delivering(key: string, row: DeliveryRow): Promise<void> {
    let isOver = false
    try {
      await this.#deliverKey(row)
    } catch (error) {
      isOver = true
      const about = { err: error, receiverId: this.#receiverId }
      if (!this.#stopping.signal.aborted) this.#resources.log.warn(about, 'could not deliver events; trying again')
    } finally {
      this.#inFlight.delete(key)
      // After an error the next round is soon enough.
      if (!isOver) this.#fill()
      if (!isOver && this.#backlog.size === 0) this.#again()
    }
  }

  /** Delivers what is due of one key, until one fails. */
  async #deliverKey({ orderKey }: DeliveryRow): Promise<void> {
    const { database, clock } = this.#resources
    const rows = await deliveriesOfKey(database, this.#receiverId, orderKey, keyAtOnce)
    const [first] = rows
    if (!first) return
    if (first.dueAt > clock.now()) return waitForFirst(database, first)
    for (const row of rows) {
      if (this.#stopping.signal.aborted || !this.#lease.isHeld() || this.#receiver.room() === 0) return
      const current = await this.#receiver.load()
      if (!current?.isActive || !(await this.#receiver.deliver(row, current))) return
    }
  }

  async close(): Promise<void> {
    this.#stopping.abort(new Error('the service stops'))
    await Promise.all(this.#inFlight.values())
    this.#receiver.close()
  }
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
