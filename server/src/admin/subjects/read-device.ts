// /admin/v1/devices/…: everything about one device, its visits in pages, and how it is forgotten.

import {
  type AdminDeviceRequest,
  type AdminDeviceVisitsRequest,
  type ForgottenDevice,
  type ShownDevice,
  type ShownVisits,
  visitLimits,
} from '@ringfence/contract'
import { openCursor, sealCursor } from '../../core/crypto/cursor.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { searchEvents } from '../../decisions/search/search-events.ts'
import { historySince } from '../../device/history/retention.ts'
import {
  accountKinds,
  longestMs,
  nothingSeen,
  numberKinds,
  unionOf,
  unpacked,
} from '../../device/history/seen-values.ts'
import { accountsOfDevice } from '../../device/store/account-devices.ts'
import { currentDeviceId } from '../../device/store/device-aliases.ts'
import { findHistory, wholeDevice } from '../../device/store/device-history.ts'
import { type InstallationRow, installationsOfDevice, stages } from '../../device/store/installations.ts'
import { labelsOfDevice } from '../../device/store/labels/device-labels.ts'
import type { VisitPlace } from '../../device/store/visits-of-device.ts'
import { accountHashOf, deviceHashOf } from '../../events/subject-hashes.ts'
import type { ActorCall } from '../call.ts'
import { asClient } from '../calls/as-client.ts'
import { isoTime } from '../calls/iso-time.ts'
import { forgetDevice } from '../privacy/device-record.ts'
import type { AdminNeeds } from '../room.ts'
import { changesOf } from './changes-of-visit.ts'
import { type ReadVisit, readVisits } from './read-visits.ts'
import { linksOf, namingEvents, sightingsOfEvents, sightingsOfVisits, unknownOf } from './seen-with.ts'
import { shownCounts } from './shown-counts.ts'
import { descriptionOf, placesOf, recognitionOf, shownVisit, verdictOf } from './shown-visit.ts'
import { judgedDecisions, stateOfThing } from './subject-state.ts'

/** Visits and events that are opened for the head of the page. */
const mostRead = 100
const mostLabels = 50
const mostLinks = 50

/** Refuses with `deviceUnknown`. */
export async function adminReadDevice(
  { deviceId: named }: AdminDeviceRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<ShownDevice> {
  const { database, tenantKeyring, clock, settings } = needs
  const { tenantId } = call.actor
  const keys = await tenantKeyring.keysOf(tenantId)
  const now = clock.now()
  const deviceId = await currentDeviceId(database, tenantId, named)
  const deviceHash = deviceHashOf(deviceId, keys)
  const since = historySince(now, settings)
  const [visits, installations, histories, labels, trusting, { events }, velocities] = await Promise.all([
    readVisits({ tenantId, deviceId }, { limit: mostRead }, needs),
    installationsOfDevice(database, tenantId, uuidBytes(deviceId)),
    findHistory(database, deviceHash, wholeDevice),
    labelsOfDevice(database, { tenantId, deviceHash }, since, mostLabels),
    accountsOfDevice(database, uuidBytes(deviceId)),
    searchEvents({ deviceId, types: [...namingEvents], limit: mostRead }, asClient(call), needs),
    shownCounts(tenantId, { per: 'device', deviceId }, needs),
  ])
  const alive = installations.filter(({ lastSeenAt }) => lastSeenAt >= since)
  if (alive.length + visits.length + events.length === 0) throw new Refusal('deviceUnknown')
  const [history] = histories
  const times = [
    ...visits.map(({ at }) => at),
    ...alive.flatMap(({ firstSeenAt, lastSeenAt }) => [firstSeenAt, lastSeenAt]),
    ...(history ? [history.firstAt, history.lastAt] : []),
    ...(visits.length + alive.length === 0 ? events.map(({ timestamp }) => Date.parse(timestamp)) : []),
  ]
  const seen = [sightingsOfVisits(visits), sightingsOfEvents(events)]
  const accounts = linksOf(
    seen.flatMap(({ users }) => users),
    mostLinks,
  )
  const numbers = linksOf(
    seen.flatMap((each) => each.numbers),
    mostLinks,
  )
  const known = { users: accounts.map(({ value }) => value), numbers: numbers.map(({ value }) => value) }
  const unknown = unknownOf(recentHistory(history, now), trusting, known, keys)
  const newest = visits.find(({ content }) => content)
  const judged = await judgedDecisions(database, tenantId, { events, now })
  return {
    deviceId,
    state: stateOfThing(judged, { labels, now }),
    firstSeenAt: isoTime(Math.min(...times)),
    lastSeenAt: isoTime(Math.max(...times)),
    ...(newest?.content && { description: descriptionOf(newest.content.analysis), latest: latestOf(newest) }),
    installations: alive.map(shownInstallation),
    visitsRead: visits.length,
    places: placesOf(visits, mostLinks),
    accounts: accounts.map(({ value: userId, ...link }) => ({
      userId,
      trusted: isTrusted(userId, trusting, keys),
      ...link,
    })),
    unknownAccounts: unknown.accounts,
    numbers: numbers.map(({ value: phoneNumber, ...link }) => ({ phoneNumber, ...link })),
    unknownNumbers: unknown.numbers,
    labels: labels.map(({ dfrId, label, knownAt }) => ({ dfrId, label, knownAt: isoTime(knownAt) })),
    velocities,
  }
}

/** Refuses with `deviceUnknown`, and with `fieldInvalid` a cursor of another device. */
export async function adminListDeviceVisits(
  { deviceId: named, limit = visitLimits.default, cursor }: AdminDeviceVisitsRequest,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<ShownVisits> {
  const { database, tenantKeyring, clock, settings } = needs
  const keys = await tenantKeyring.keysOf(tenantId)
  const before = cursor === undefined ? undefined : placeOf(openCursor(cursor, { deviceId: named }, keys))
  const deviceId = await currentDeviceId(database, tenantId, named)
  const device = { tenantId, deviceHash: deviceHashOf(deviceId, keys) }
  const [visits, labels] = await Promise.all([
    readVisits({ tenantId, deviceId }, { limit: limit + 1, before }, needs),
    labelsOfDevice(database, device, historySince(clock.now(), settings), mostLabels),
  ])
  if (visits.length === 0 && !before) await known(deviceId, tenantId, needs)
  const labelOf = new Map(labels.map(({ dfrId, label }) => [dfrId, label]))
  const page = visits.slice(0, limit)
  const last = page.at(-1)
  return {
    visits: page.map((visit, index) => {
      const earlier = visits[index + 1]
      const changes = earlier && changesOf(visit, earlier)
      const label = labelOf.get(visit.dfrId)
      return { ...shownVisit(visit), ...(label !== undefined && { label }), ...(changes && { changes }) }
    }),
    ...(visits.length > limit && last && { nextCursor: sealCursor(bytesOf(last), { deviceId: named }, keys) }),
  }
}

/** Refuses with `deviceUnknown`. */
export async function adminForgetDevice(
  { deviceId }: AdminDeviceRequest,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<ForgottenDevice> {
  await known(deviceId, tenantId, needs)
  const { installations, visits, labels, accounts } = await forgetDevice({ tenantId, deviceId }, needs)
  return { installations, visits, labels, accounts }
}

async function known(named: string, tenantId: string, needs: AdminNeeds): Promise<void> {
  const { database, tenantKeyring } = needs
  const deviceId = await currentDeviceId(database, tenantId, named)
  const deviceHash = deviceHashOf(deviceId, await tenantKeyring.keysOf(tenantId))
  const [visits, installations, histories] = await Promise.all([
    readVisits({ tenantId, deviceId }, { limit: 1 }, needs),
    installationsOfDevice(database, tenantId, uuidBytes(deviceId)),
    findHistory(database, deviceHash, wholeDevice),
  ])
  if (visits.length + installations.length + histories.length === 0) throw new Refusal('deviceUnknown')
}

/** What the history shows of the last 28 days. */
function recentHistory(history: { readonly seen: Uint8Array } | undefined, now: number) {
  if (!history) return nothingSeen
  const seen = unpacked(history.seen)
  const recent = (values: ReadonlyMap<string, number>) => new Map([...values].filter(([, at]) => at > now - longestMs))
  return { ...seen, account: recent(unionOf(seen, accountKinds)), number: recent(unionOf(seen, numberKinds)) }
}

const isTrusted = (userId: string, trusting: ReadonlySet<string>, keys: TenantKeys) =>
  trusting.has(Buffer.from(accountHashOf(userId, keys)).toString('hex'))

function latestOf({ at, dfrId, signals, content }: ReadVisit): NonNullable<ShownDevice['latest']> {
  const recognition = recognitionOf(content!.analysis)
  return {
    dfrId,
    at: isoTime(at),
    signals: [...signals],
    ...verdictOf(content!.report),
    ...(recognition && { recognition }),
  }
}

const stageNames = Object.fromEntries(Object.entries(stages).map(([name, stage]) => [stage, name])) as Record<
  number,
  keyof typeof stages
>

const shownInstallation = (row: InstallationRow): ShownDevice['installations'][number] => ({
  installationId: uuidText(row.id),
  hasKey: row.keyHash !== null,
  bySimilarity: row.bySimilarity === 1,
  ...(row.confidence !== null && { confidence: row.confidence / 1000 }),
  stage: stageNames[row.stage]!,
  firstSeenAt: isoTime(row.firstSeenAt),
  lastSeenAt: isoTime(row.lastSeenAt),
})

const timeBytes = 8

function bytesOf({ at, dfrId }: ReadVisit): Uint8Array {
  const bytes = Buffer.alloc(timeBytes + dfrId.length / 2)
  bytes.writeBigUInt64BE(BigInt(at))
  bytes.write(dfrId, timeBytes, 'hex')
  return bytes
}

const placeOf = (bytes: Uint8Array): VisitPlace => ({
  analysedAt: Number(Buffer.from(bytes).readBigUInt64BE()),
  dfrId: bytes.subarray(timeBytes),
})
