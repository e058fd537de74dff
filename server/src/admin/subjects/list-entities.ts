// /admin/v1/…/list: which devices, users and numbers are there? Rows that are made from the event log.

import {
  type EntityFilter,
  entityLimits,
  type ListDevicesRequest,
  type ListedDevices,
  type ListedNumbers,
  type ListedUsers,
  type ListNumbersRequest,
  type ListUsersRequest,
  mostSearchedEntities,
} from '@ringfence/contract'
import { trusted } from '../../accounts/knowledge.ts'
import { readKnowledge } from '../../accounts/learn.ts'
import { effectiveUserIdOf } from '../../accounts/person.ts'
import { openCursor, sealCursor } from '../../core/crypto/cursor.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { backgroundPause } from '../../core/heavy-work/slices.ts'
import { historySince } from '../../device/history/retention.ts'
import { accountHashOf, deviceHashOf, numberHashOf } from '../../events/subject-hashes.ts'
import { digitsOfWritten, firstDigits } from '../../phone/read-number.ts'
import type { ActorCall } from '../call.ts'
import { isoTime } from '../calls/iso-time.ts'
import { type EntityContent, openContent, recentDays, topReason } from '../fold/entity-content.ts'
import { refuseUnlessInClear } from '../masking/in-clear.ts'
import type { AdminNeeds } from '../room.ts'
import {
  type EntityKey,
  type EntityKind,
  type EntityOrder,
  type EntityPlace,
  type EntityRow,
  findEntities,
  listEntities,
  sealedEntities,
} from '../store/entities.ts'
import { habitsOf } from './read-user.ts'
import { stateOfAccount, stateOfCounts } from './subject-state.ts'

type Listed = Omit<ListedDevices['rows'][number], 'deviceId'> & { readonly value: string }
type Request = Omit<ListDevicesRequest, 'deviceId'>

const dayMs = 86_400_000
const searchPage = 2_000

/** Refuses with `fieldInvalid` a cursor of another filter, and with `permissionMissing` a search that would reveal. */
export async function adminListDevices(
  { deviceId, ...request }: ListDevicesRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<ListedDevices> {
  const exact =
    deviceId === undefined ? undefined : (keys: TenantKeys) => deviceHashOf(deviceId.trim().toLowerCase(), keys)
  const { rows, ...next } = await list('device', request, exact, call, needs)
  return { rows: rows.map(({ value, ...row }) => ({ deviceId: value, ...row })), ...next }
}

/** Refuses as `adminListDevices`. */
export async function adminListUsers(
  { userId, ...request }: ListUsersRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<ListedUsers> {
  const effective = userId === undefined ? undefined : await effectiveUserIdOf(call.actor.tenantId, userId, needs)
  const exact = effective === undefined ? undefined : (keys: TenantKeys) => accountHashOf(effective, keys)
  const { rows, ...next } = await list('user', request, exact, call, needs)
  return { rows: rows.map(({ value, ...row }) => ({ userId: value, ...row })), ...next }
}

/** Refuses as `adminListDevices`. */
export async function adminListNumbers(
  { phoneNumber, ...request }: ListNumbersRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<ListedNumbers> {
  const digits = phoneNumber === undefined ? undefined : (digitsOfWritten(phoneNumber) ?? phoneNumber)
  const exact = digits === undefined ? undefined : (keys: TenantKeys) => numberHashOf(digits, keys)
  const { rows, ...next } = await list('number', request, exact, call, needs)
  return { rows: rows.map(({ value, ...row }) => ({ phoneNumber: value, ...row })), ...next }
}

interface Page {
  readonly rows: readonly EntityRow[]
  readonly next?: EntityPlace
}

async function list(
  kind: EntityKind,
  { filter = 'riskiest', beginsWith, limit = entityLimits.default, cursor }: Request,
  exact: ((keys: TenantKeys) => Uint8Array) | undefined,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<{ readonly rows: Listed[]; readonly nextCursor?: string }> {
  const { database, tenantKeyring, clock } = needs
  const { tenantId } = actor
  if (beginsWith !== undefined) refuseUnlessInClear(actor, 'a search by the first characters reads')
  const keys = await tenantKeyring.keysOf(tenantId)
  const filters = { kind, filter }
  const after = cursor === undefined ? undefined : placeOf(openCursor(cursor, filters, keys))
  const { order, least } = orderOf(filter, clock.now())
  const page = async (): Promise<Page> => {
    if (exact) return { rows: await findEntities(database, tenantId, [{ kind, hash: exact(keys) }]) }
    if (beginsWith !== undefined) return { rows: await beginning(kind, beginsWith, limit, keys, tenantId, needs) }
    const rows = await listEntities(database, tenantId, { kind, order, least, after, limit: limit + 1 })
    const last = rows[limit - 1]
    return {
      rows: rows.slice(0, limit),
      ...(rows.length > limit && last && { next: { value: last[order], hash: last.hash } }),
    }
  }
  const { rows, next } = await page()
  const listed = await Promise.all(rows.map((row) => listedRow(row, keys, tenantId, needs)))
  return { rows: listed, ...(next && { nextCursor: sealCursor(bytesOf(next), filters, keys) }) }
}

function orderOf(filter: EntityFilter, now: number): { readonly order: EntityOrder; readonly least: number } {
  if (filter === 'riskiest') return { order: 'risk', least: 1 }
  if (filter === 'newToday') return { order: 'firstSeenAt', least: now - dayMs }
  return filter === 'shared' ? { order: 'shared', least: 2 } : { order: 'lastSeenAt', least: 0 }
}

/** Values are sealed: the rows that were seen last are opened one after the other. */
async function beginning(
  kind: EntityKind,
  beginsWith: string,
  limit: number,
  keys: TenantKeys,
  tenantId: string,
  { database }: Pick<AdminNeeds, 'database'>,
): Promise<EntityRow[]> {
  const wanted = kind === 'number' ? firstDigits(beginsWith) : beginsWith
  const found: EntityKey[] = []
  const pause = backgroundPause()
  let after: EntityPlace | undefined
  for (let read = 0; read < mostSearchedEntities && found.length < limit; read += searchPage) {
    const rows = await sealedEntities(database, tenantId, { kind, after, limit: searchPage })
    for (const { hash, sealed } of rows) {
      if (openContent({ kind, hash, sealed }, keys)?.value.startsWith(wanted)) found.push({ kind, hash })
      if (found.length === limit) break
      const paused = pause()
      if (paused) await paused
    }
    const last = rows.at(-1)
    if (!last || rows.length < searchPage) break
    after = { value: last.lastSeenAt, hash: last.hash }
  }
  const rows = await findEntities(database, tenantId, found)
  return rows.toSorted((one, other) => other.lastSeenAt - one.lastSeenAt || Buffer.compare(other.hash, one.hash))
}

const nothing: EntityContent = { value: '', reasons: {}, days: [] }

async function listedRow(row: EntityRow, keys: TenantKeys, tenantId: string, needs: AdminNeeds): Promise<Listed> {
  const content = openContent(row, keys) ?? nothing
  const { firstSeenAt, lastSeenAt, shared, decisions, refused, badLabels, goodLabels } = row
  const reason = topReason(content)
  return {
    value: content.value,
    ...{ firstSeenAt: isoTime(firstSeenAt), lastSeenAt: isoTime(lastSeenAt) },
    ...{ shared, decisions, refused, badLabels: Math.max(0, badLabels), goodLabels: Math.max(0, goodLabels) },
    ...(reason !== undefined && { topReason: reason }),
    state: await stateOf(row, content, keys, tenantId, needs),
  }
}

async function stateOf(
  { kind, hash }: EntityRow,
  { days }: EntityContent,
  keys: TenantKeys,
  tenantId: string,
  { database, clock, settings }: AdminNeeds,
) {
  const now = clock.now()
  const recent = recentDays(days, now)
  const sum = (name: 'passed' | 'refused' | 'bad' | 'takenOver') =>
    Math.max(
      0,
      recent.reduce((total, day) => total + day[name], 0),
    )
  const counts = { passed: sum('passed'), refused: sum('refused'), badLabels: sum('bad') }
  if (kind !== 'user') return stateOfCounts(counts)
  const { knowledge } = await readKnowledge(database, { tenantId, accountHash: hash }, keys)
  const sessions = habitsOf(trusted(knowledge, historySince(now, settings)))?.sessions ?? 0
  return stateOfAccount({ ...counts, sessions, takenOver: sum('takenOver') })
}

function bytesOf({ value, hash }: EntityPlace): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return Buffer.concat([bytes, hash])
}

const placeOf = (bytes: Uint8Array): EntityPlace => ({
  value: Number(Buffer.from(bytes).readBigUInt64BE()),
  hash: bytes.subarray(8),
})
