// How is an event written? In the transaction of what happened, together with one row for each receiver that waits for it.

import { type EventType, isOnRequest } from '@ringfence/contract'
import { parseAddress } from '../core/address/address.ts'
import type { Clock } from '../core/clock.ts'
import type { Settings } from '../core/config/settings.ts'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import type { TenantKeyring } from '../core/crypto/tenant-keyring.ts'
import type { Events, NewEvent, Recorder } from '../core/event-recorder.ts'
import type { BatchStatement, Queryable } from '../core/storage/database.ts'
import { eventIds } from '../core/storage/ids/event-id.ts'
import type { Receiver, Receivers } from './receivers.ts'
import { contextOf, eventText } from './sealed-event.ts'
import { deliveriesInsert, dueInOrder, type NewDelivery } from './store/deliveries.ts'
import { eventInsert } from './store/events.ts'
import {
  accountHashOf,
  addressHashOf,
  deviceHashOf,
  emailHashOf,
  numberHashOf,
  requestHashOf,
  shortHash,
} from './subject-hashes.ts'

export interface EventsResources {
  readonly tenantKeyring: TenantKeyring
  readonly clock: Clock
  readonly receivers: Receivers
  /** `all`: types on request are recorded also while no receiver wants them. */
  readonly recorded?: Settings['recordedEvents']
}

export function events({ tenantKeyring, clock, receivers, recorded = 'usual' }: EventsResources): Events {
  const nextId = eventIds()
  const isRecorded = (type: EventType, waiting: readonly Receiver[]) =>
    recorded === 'all' || !isOnRequest(type) || waiting.some(({ wants }) => wants(type))
  let notify = () => {}
  async function recorder(tenantId: string): Promise<Recorder> {
    const waiting = await receivers.of(tenantId)
    const keys = await tenantKeyring.keysOf(tenantId)
    return (happened) => {
      const now = clock.now()
      const rows = happened
        .filter(({ type, isAlwaysRecorded }) => isAlwaysRecorded || isRecorded(type, waiting))
        .map((event) => ({ ...rowOf(event, keys), id: nextId(now) }))
      const statements = rows.map(({ text, ...row }) =>
        eventInsert({ ...row, tenantId, occurredAt: now, sealed: keys.seal(text, contextOf(row.id)) }),
      )
      for (const { id: receiverId, isStream, wants } of waiting) {
        const dueAt = isStream ? dueInOrder : now
        const deliveries = rows
          .filter(({ type }) => wants(type))
          .map(({ id: eventId, orderKey }): NewDelivery => ({ tenantId, eventId, orderKey, dueAt }))
        if (deliveries.length === 0) continue
        statements.push(deliveriesInsert(receiverId, deliveries))
        notify()
      }
      return statements
    }
  }
  return {
    recorder,
    statements: async (tenantId, happened) => (await recorder(tenantId))(happened),
    async wants(tenantId, type) {
      return isRecorded(type, await receivers.of(tenantId))
    },
    onWaiting(listener) {
      notify = listener
    },
  }
}

/** For a transaction: runs the statements one after the other. */
export async function writeEvents(tx: Queryable, statements: readonly BatchStatement[]): Promise<void> {
  for (const { sql, params } of statements) await tx.query(sql, params)
}

function rowOf(event: NewEvent, keys: TenantKeys) {
  const { type, orderedBy, subjects = {}, hashes = {}, outcome } = event
  const { userId, phoneNumber, deviceId, ipAddress, email, requestId } = subjects
  const address = ipAddress === undefined ? undefined : parseAddress(ipAddress)
  const { userHash, numberHash, deviceHash, ipHash, emailHash, requestHash } = hashes
  return {
    type,
    text: eventText(event),
    outcome: outcome ?? null,
    orderKey: shortHash(`order ${orderedBy}`, keys),
    userHash: userHash ?? (userId === undefined ? null : accountHashOf(userId, keys)),
    numberHash: numberHash ?? (phoneNumber === undefined ? null : numberHashOf(phoneNumber, keys)),
    deviceHash: deviceHash ?? (deviceId === undefined ? null : deviceHashOf(deviceId, keys)),
    ipHash: ipHash ?? (address ? addressHashOf(address, keys) : null),
    emailHash: emailHash ?? (email === undefined ? null : emailHashOf(email, keys)),
    requestHash: requestHash ?? (requestId === undefined ? null : requestHashOf(requestId, keys)),
  }
}
