// POST /v1/events/search: the events of a tenant, by user, phone number, device, IP address, type, outcome and time.

import { type FoundEvent, type FoundEvents, type SearchEventsRequest, searchLimits } from '@ringfence/contract'
import type { Call } from '../call.ts'
import { type TenantKeys, UnknownKeyVersion } from '../crypto/keyring.ts'
import type { TenantKeyring } from '../crypto/tenant-keyring.ts'
import { accountHashOf, addressHashOf, deviceHashOf, numberHashOf } from '../device/history/subject-hashes.ts'
import { Refusal } from '../errors.ts'
import { lowestIdAt } from '../events/event-id.ts'
import { contextOf } from '../events/sealed-event.ts'
import { parseAddress } from '../ip/address.ts'
import { dateTimeMs } from '../json/date-time.ts'
import type { Platform } from '../platform.ts'
import { type EventFilter, type FoundEventRow, searchEvents as searchStore } from '../storage/events/search.ts'
import { uuidText } from '../storage/uuid.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { typesOf } from './event-types.ts'

const dayMs = 86_400_000
/** Above every id: a UUIDv7 begins with its time. */
const highestId = Buffer.alloc(16, 255)

/** Refuses with `fieldInvalid`. Events that are older than EVENT_DAYS are not found, also before they are deleted. */
export async function searchEvents(
  request: SearchEventsRequest,
  { caller: { tenantId } }: Call,
  { database, tenantKeyring, clock, settings }: Platform,
): Promise<FoundEvents> {
  const { cursor, limit = searchLimits.default, ...filters } = request
  const keys = await tenantKeyring.keysOf(tenantId)
  const since = clock.now() - settings.eventDays * dayMs
  const before = cursor === undefined ? undefined : openCursor(cursor, filters, keys)
  const filter = { ...filterOf(filters, since, keys), tenantId }
  const { rows, next } = await searchStore(database, { ...filter, before: before ?? filter.before }, limit)
  return {
    events: await foundEvents(rows, tenantId, tenantKeyring),
    ...(next && { nextCursor: sealCursor(next, filters, keys) }),
  }
}

function filterOf(
  { userId, phoneNumber, deviceId, ipAddress, types, outcome, from, to }: SearchEventsRequest,
  since: number,
  keys: TenantKeys,
): Omit<EventFilter, 'tenantId'> {
  const address = ipAddress === undefined ? undefined : parseAddress(ipAddress)
  if (ipAddress !== undefined && !address) throw mistaken('ipAddress must be an IP address, such as 203.0.113.7')
  if (from !== undefined && to !== undefined && dateTimeMs(from) >= dateTimeMs(to)) {
    throw mistaken('from must be before to')
  }
  return {
    from: lowestIdAt(Math.max(since, from === undefined ? 0 : dateTimeMs(from))),
    before: to === undefined ? highestId : lowestIdAt(dateTimeMs(to)),
    subjects: {
      userHash: userId === undefined ? null : accountHashOf(userId, keys),
      numberHash: phoneNumber === undefined ? null : numberHashOf(phoneNumber, keys),
      deviceHash: deviceId === undefined ? null : deviceHashOf(deviceId, keys),
      ipHash: address ? addressHashOf(address, keys) : null,
    },
    types: types && typesOf(types),
    outcome,
  }
}

/** Events as a backend reads them. One that is damaged hides none of those around it. @throws StorageUnavailable */
export async function foundEvents(
  rows: readonly FoundEventRow[],
  tenantId: string,
  tenantKeyring: TenantKeyring,
): Promise<FoundEvent[]> {
  const first = await tenantKeyring.keysOf(tenantId)
  const opened = rows.map((row) => foundEvent(row, first))
  if (!opened.some(({ isKeyUnknown }) => isKeyUnknown)) return opened.map(({ event }) => event)
  // Another server has just made the key, or the byte that names it is damaged.
  const again = await tenantKeyring.keysOf(tenantId)
  return opened.map(({ event, isKeyUnknown }, i) => (isKeyUnknown ? foundEvent(rows[i]!, again).event : event))
}

interface OpenedEvent {
  readonly event: FoundEvent
  readonly isKeyUnknown: boolean
}

function foundEvent({ id, type, occurredAt, outcome, sealed }: FoundEventRow, keys: TenantKeys): OpenedEvent {
  let isKeyUnknown = false
  let data: FoundEvent['data']
  try {
    data = JSON.parse(keys.open(sealed, contextOf(id)))
  } catch (error) {
    isKeyUnknown = error instanceof UnknownKeyVersion
    data = { unreadable: true }
  }
  const timestamp = new Date(occurredAt).toISOString()
  return { event: { id: uuidText(id), type, timestamp, ...(outcome !== null && { outcome }), data }, isKeyUnknown }
}

const mistaken = (mistake: string) => new Refusal('fieldInvalid', { mistake })
