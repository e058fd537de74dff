// /v1/telecom/watches: a backend watches phone numbers. A number has one watch, which another call extends.

import {
  type DeletedWatch,
  type DeleteWatchRequest,
  type ListWatchesRequest,
  type ReadWatchRequest,
  type Watch,
  type WatchableCheck,
  type WatchPage,
  type WatchRequest,
  watchLifetimeSeconds,
} from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import { dateTimeMs } from '../../core/json/date-time.ts'
import { newUuidAt, uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { explainInvalidPhoneNumber } from '../../phone/explain-invalid.ts'
import { parsePhoneNumber } from '../../phone/phone-number.ts'
import type { TelecomNeeds } from '../room.ts'
import {
  deleteWatchRow,
  findWatch,
  findWatchOfNumber,
  insertWatch,
  listWatchRows,
  numberOfWatches,
  updateWatch,
  type WatchRow,
} from '../store/number-watches.ts'
import { detachSubscriptions } from '../store/watch-subscriptions.ts'
import { type Intervals, intervalOf } from './pace.ts'
import { checksOf, firstDue, openWatch, sealWatch, type WatchContent } from './watch-record.ts'

/** Refuses with `invalidPhoneNumber`, `fieldInvalid`, `consentRequired`, `consentNotAllowed` or `watchesLimited`. */
export async function watchNumber(request: WatchRequest, { caller }: Call, needs: TelecomNeeds): Promise<Watch> {
  const { tenantId } = caller
  const {
    database,
    clock,
    settings,
    telecom,
    tenantKeyring,
    telecom: { watchPace },
  } = needs
  const digits = digitsOf(request.phoneNumber)
  const now = clock.now()
  const expiresAt = endOf(request, now)
  const keys = await tenantKeyring.keysOf(tenantId)
  const numberHash = keys.hash(digits)
  const { intervals } = await watchPace.of(tenantId)
  const id = uuidBytes(newUuidAt(now))
  const [watched, isRoom] = await Promise.all([
    findWatchOfNumber(database, tenantId, numberHash),
    numberOfWatches(database, tenantId).then((count) => count < settings.watchesPerTenant),
  ])
  if (!watched && !isRoom) throw new Refusal('watchesLimited', { mistake: `${settings.watchesPerTenant} numbers` })

  return database.transaction(async (tx) => {
    const existing = await findWatchOfNumber(tx, tenantId, numberHash)
    const isAlive = existing !== undefined && existing.expiresAt > now
    // One that has ended begins again: what changed in between was not watched.
    if (existing && !isAlive) await deleteWatchRow(tx, tenantId, existing.id)
    const before = isAlive ? openWatch(existing, keys) : undefined
    const states = { ...before?.states }
    // Due at once: the poller makes a few at a time, however many are new.
    for (const check of request.checks) states[check] ??= { dueAt: now, beganAt: now }
    const reference = request.reference ?? before?.reference
    const consent = request.consent ?? before?.consent
    telecom.purposes.admit(tenantId, request.consent)
    const about = { ...(reference !== undefined && { reference }), ...(consent && { consent }) }
    const content: WatchContent = { digits, ...about, states }
    const row = {
      tenantId,
      numberHash,
      id: isAlive ? existing.id : id,
      createdAt: isAlive ? existing.createdAt : now,
      expiresAt: isAlive ? Math.max(existing.expiresAt, expiresAt) : expiresAt,
      checks: checksOf(content).join(','),
      dueAt: firstDue(content),
    }
    const sealed = sealWatch(content, row, keys)
    await (isAlive ? updateWatch : insertWatch)(tx, { ...row, sealed })
    return shown({ ...row, sealed }, content, intervals, now)
  })
}

/** Refuses with `watchUnknown`. */
export async function readWatch(
  { watchId }: ReadWatchRequest,
  { caller: { tenantId } }: Call,
  needs: TelecomNeeds,
): Promise<Watch> {
  const {
    database,
    clock,
    tenantKeyring,
    telecom: { watchPace },
  } = needs
  const row = await findWatch(database, tenantId, uuidBytes(watchId), clock.now())
  if (!row) throw new Refusal('watchUnknown')
  const { intervals } = await watchPace.of(tenantId)
  return shown(row, openWatch(row, await tenantKeyring.keysOf(tenantId)), intervals, clock.now())
}

/** Watches of a page by default. */
const pageWatches = 20

/** Refuses with `invalidPhoneNumber` or `fieldInvalid`. */
export async function listWatches(
  { phoneNumber, limit = pageWatches, cursor }: ListWatchesRequest,
  { caller: { tenantId } }: Call,
  needs: TelecomNeeds,
): Promise<WatchPage> {
  const {
    database,
    clock,
    tenantKeyring,
    telecom: { watchPace },
  } = needs
  const keys = await tenantKeyring.keysOf(tenantId)
  const { intervals } = await watchPace.of(tenantId)
  const now = clock.now()
  if (phoneNumber !== undefined) {
    const row = await findWatchOfNumber(database, tenantId, keys.hash(digitsOf(phoneNumber)))
    return { watches: row && row.expiresAt > now ? [opened(row)] : [] }
  }
  const after = cursor === undefined ? new Uint8Array(0) : positionOf(cursor)
  const rows = await listWatchRows(database, tenantId, { after, limit: limit + 1, now })
  const page = rows.slice(0, limit)
  return {
    watches: page.map(opened),
    ...(rows.length > limit && { nextCursor: Buffer.from(page.at(-1)!.id).toString('base64url') }),
  }

  function opened(row: WatchRow): Watch {
    return shown(row, openWatch(row, keys as TenantKeys), intervals, now)
  }
}

export async function deleteWatch(
  { watchId }: DeleteWatchRequest,
  { caller: { tenantId } }: Call,
  { database }: TelecomNeeds,
): Promise<DeletedWatch> {
  const id = uuidBytes(watchId)
  const deleted = await database.transaction(async (tx) => {
    await detachSubscriptions(tx, tenantId, id)
    return deleteWatchRow(tx, tenantId, id)
  })
  return { deleted }
}

function digitsOf(phoneNumber: string): string {
  const number = parsePhoneNumber(phoneNumber)
  if (number) return number.digits
  throw new Refusal('invalidPhoneNumber', { mistake: explainInvalidPhoneNumber(phoneNumber, 'phoneNumber') })
}

function endOf({ expiresAt, ttlSeconds }: WatchRequest, now: number): number {
  if (expiresAt === undefined) return now + (ttlSeconds ?? watchLifetimeSeconds.default) * 1000
  if (ttlSeconds !== undefined) throw new Refusal('fieldInvalid', { mistake: 'send expiresAt or ttlSeconds, not both' })
  const end = dateTimeMs(expiresAt)
  const { minimum, maximum } = watchLifetimeSeconds
  if (end < now + minimum * 1000 || end > now + maximum * 1000)
    throw new Refusal('fieldInvalid', { mistake: 'expiresAt must be from an hour to 366 days ahead' })
  return end
}

function positionOf(cursor: string): Uint8Array {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length !== 16) throw new Refusal('fieldInvalid', { mistake: 'cursor must be `nextCursor` of a page' })
  return bytes
}

const isoTime = (epochMs: number) => new Date(epochMs).toISOString()

function shown(
  { id, createdAt, expiresAt }: WatchRow,
  content: WatchContent,
  intervals: Intervals,
  now: number,
): Watch {
  return {
    watchId: uuidText(id),
    phoneNumber: content.digits,
    checks: checksOf(content).map((check) => shownCheck(check, content, intervals, now)),
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
    ...(content.reference !== undefined && { reference: content.reference }),
    ...(content.consent && { consent: content.consent }),
  }
}

function shownCheck(
  check: WatchableCheck,
  { states }: WatchContent,
  intervals: Intervals,
  now: number,
): Watch['checks'][number] {
  const { dueAt, polledAt, noticedAt, failures, isUnsupported, ...state } = states[check]!
  const isSubscribed = state.subscribedUntil !== undefined && state.subscribedUntil > now
  return {
    check,
    state: isUnsupported ? 'unsupported' : failures ? 'failing' : polledAt === undefined ? 'pending' : 'watching',
    pollIntervalSeconds: Math.round(intervalOf(state, intervals[check], now) / 1000),
    by: isSubscribed ? 'subscription' : 'poll',
    ...(polledAt !== undefined && { lastCheckedAt: isoTime(polledAt) }),
    nextCheckAt: isoTime(dueAt),
    ...(noticedAt !== undefined && { changedAt: isoTime(noticedAt) }),
  }
}
