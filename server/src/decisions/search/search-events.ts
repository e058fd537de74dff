// POST /v1/events/search: the events of a tenant, by user, phone number, email address, device, IP address, request, type, outcome and time.

import { type FoundEvent, type FoundEvents, type SearchEventsRequest, searchLimits } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { parseAddress } from '../../core/address/address.ts'
import type { Nat64Prefix } from '../../core/address/embedded-address.ts'
import { nat64Prefixes } from '../../core/address/nat64-prefixes.ts'
import { openCursor, sealCursor } from '../../core/crypto/cursor.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import { dateTimeMs } from '../../core/json/date-time.ts'
import { lowestIdAt } from '../../core/storage/ids/event-id.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { currentDeviceId } from '../../device/store/device-aliases.ts'
import { readEmailAddress } from '../../email/email-address.ts'
import { type EventFilter, searchEvents as searchStore } from '../../events/store/search.ts'
import {
  accountHashOf,
  addressHashOf,
  deviceHashOf,
  emailHashOf,
  numberHashOf,
  requestHashOf,
} from '../../events/subject-hashes.ts'
import { comparedDigits } from '../../phone/read-number.ts'
import { typesOf } from './event-types.ts'
import { foundEvents } from './found-events.ts'
import type { SearchNeeds } from './room.ts'

const dayMs = 86_400_000
/** Above every id: a UUIDv7 begins with its time. */
const highestId = Buffer.alloc(16, 255)

/** Refuses with `fieldInvalid`. Events that are older than EVENT_DAYS are not found, also before they are deleted. */
export async function searchEvents(
  request: SearchEventsRequest,
  { caller: { tenantId } }: Call,
  { database, tenantKeyring, clock, settings }: SearchNeeds,
): Promise<FoundEvents> {
  const { cursor, limit = searchLimits.default, ...filters } = request
  const keys = await tenantKeyring.keysOf(tenantId)
  const since = clock.now() - settings.eventDays * dayMs
  const before = cursor === undefined ? undefined : openCursor(cursor, filters, keys)
  const { deviceId: named } = filters
  const deviceId = named && (await currentDeviceId(database, tenantId, named))
  const filter = {
    ...filterOf({ ...filters, ...(deviceId && { deviceId }) }, since, keys, nat64Prefixes(settings)),
    tenantId,
  }
  const { rows, next } = await searchStore(database, { ...filter, before: before ?? filter.before }, limit)
  return {
    events: await foundEvents(rows, tenantId, tenantKeyring),
    ...(next && { nextCursor: sealCursor(next, filters, keys) }),
  }
}

function filterOf(
  { userId, phoneNumber, email, deviceId, ipAddress, requestId, types, outcome, from, to }: SearchEventsRequest,
  since: number,
  keys: TenantKeys,
  nat64: readonly Nat64Prefix[],
): Omit<EventFilter, 'tenantId'> {
  const address = ipAddress === undefined ? undefined : parseAddress(ipAddress, nat64)
  if (ipAddress !== undefined && !address) throw mistaken('ipAddress must be an IP address, such as 203.0.113.7')
  if (from !== undefined && to !== undefined && dateTimeMs(from) >= dateTimeMs(to)) {
    throw mistaken('from must be before to')
  }
  return {
    from: lowestIdAt(Math.max(since, from === undefined ? 0 : dateTimeMs(from))),
    before: to === undefined ? highestId : lowestIdAt(dateTimeMs(to)),
    subjects: {
      userHash: userId === undefined ? null : accountHashOf(userId, keys),
      numberHash: phoneNumber === undefined ? null : numberHashOf(searchedDigits(phoneNumber), keys),
      deviceHash: deviceId === undefined ? null : deviceHashOf(deviceId, keys),
      ipHash: address ? addressHashOf(address, keys) : null,
      emailHash: email === undefined ? null : emailHashOf(addressOf(email), keys),
      requestHash: requestId === undefined ? null : requestHashOf(requestId, keys),
    },
    types: types && typesOf(types),
    outcome,
  }
}

/** One event of a tenant. Refuses with `fieldInvalid` when there is none, or it has expired. */
export async function readEvent(
  id: string,
  tenantId: string,
  { database, tenantKeyring, clock, settings }: SearchNeeds,
): Promise<FoundEvent> {
  const from = uuidBytes(id)
  const before = Buffer.concat([from, Buffer.alloc(1)])
  const subjects = {
    userHash: null,
    numberHash: null,
    deviceHash: null,
    ipHash: null,
    emailHash: null,
    requestHash: null,
  }
  const filter = { tenantId, from, before, subjects, types: undefined, outcome: undefined }
  const isStored = Buffer.compare(from, lowestIdAt(clock.now() - settings.eventDays * dayMs)) >= 0
  const { rows } = isStored ? await searchStore(database, filter, 1) : { rows: [] }
  const [event] = await foundEvents(rows, tenantId, tenantKeyring)
  if (!event) throw mistaken('there is no event with this id, or it has expired')
  return event
}

function addressOf(email: string): string {
  const { address, mistake } = readEmailAddress(email)
  if (mistake !== undefined) throw mistaken(`email ${mistake}`)
  return address
}

const mistaken = (mistake: string) => new Refusal('fieldInvalid', { mistake })

/** Digits that are in no plan are searched as they are: earlier versions stored them so. */
function searchedDigits(phoneNumber: string): string {
  const digits = comparedDigits(phoneNumber)
  if (digits === undefined)
    throw mistaken('phoneNumber must be a phone number with its country code, such as 917020141726')
  return digits
}
