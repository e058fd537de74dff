// POST /v1/lists/…: a backend creates lists, changes their entries, and looks values up.

import type {
  AddedListEntries,
  AddListEntriesRequest,
  CreateListRequest,
  DeletedList,
  DeleteListRequest,
  DescribedLists,
  DescribeListsRequest,
  List,
  ListEntry,
  ListLookUp,
  ListPage,
  LookUpListRequest,
  ReadListRequest,
  RemovedListEntries,
  RemoveListEntriesRequest,
} from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { Refusal } from '../../core/errors.ts'
import type { Pause } from '../../core/heavy-work/slices.ts'
import { dateTimeMs } from '../../core/json/date-time.ts'
import type { RulesNeeds } from '../room.ts'
import type { FeedPosition } from '../store/lists.ts'
import type { Entry } from './entries.ts'
import { type ListDescription, ListRefused } from './lists.ts'

export async function createList(
  { by, ...list }: CreateListRequest,
  { caller }: Call,
  { rules: { lists } }: RulesNeeds,
): Promise<List> {
  return shownList(await refusing(lists.create(caller.tenantId, list, by ?? caller.clientId)))
}

export async function describeLists(
  { name }: DescribeListsRequest,
  { caller: { tenantId } }: Call,
  { rules: { lists } }: RulesNeeds,
): Promise<DescribedLists> {
  const found =
    name === undefined ? await lists.describe(tenantId) : [await refusing(lists.describeOne(tenantId, name))]
  return { lists: found.map(shownList) }
}

export async function deleteList(
  { name }: DeleteListRequest,
  { caller: { tenantId, clientId } }: Call,
  { rules: { lists } }: RulesNeeds,
): Promise<DeletedList> {
  return { deleted: await lists.delete(tenantId, name, clientId) }
}

/** So many take less than a slice. */
const fewEntries = 100

export async function addListEntries(
  { name, entries, by }: AddListEntriesRequest,
  { caller }: Call,
  { rules: { lists }, heavyWork: { slices } }: RulesNeeds,
): Promise<AddedListEntries> {
  const added = entries.map(({ value, note, expiresAt }) => ({
    value,
    ...(note !== undefined && { note }),
    ...(expiresAt !== undefined && { expiresAt: dateTimeMs(expiresAt) }),
  }))
  const { tenantId, clientId } = caller
  const work = (pause?: Pause) => lists.add(tenantId, name, added, by ?? clientId, 'added', pause)
  return refusing(entries.length > fewEntries ? slices.during(tenantId, work) : work(), 'entries')
}

export async function removeListEntries(
  { name, values }: RemoveListEntriesRequest,
  { caller: { tenantId, clientId } }: Call,
  { rules: { lists }, heavyWork: { slices } }: RulesNeeds,
): Promise<RemovedListEntries> {
  const work = (pause?: Pause) => lists.remove(tenantId, name, values, clientId, pause)
  const removing = values.length > fewEntries ? slices.during(tenantId, work) : work()
  const { removed } = await refusing(removing, 'values')
  return { removed }
}

export async function lookUpList(
  { name, value }: LookUpListRequest,
  { caller: { tenantId } }: Call,
  { rules: { lists } }: RulesNeeds,
): Promise<ListLookUp> {
  const entries = await refusing(lists.lookUp(tenantId, name, value))
  return { inList: entries.length > 0, entries: entries.map(shownEntry) }
}

/** Entries of a page by default. */
const pageEntries = 100

export async function readList(
  { name, cursor, limit = pageEntries }: ReadListRequest,
  { caller: { tenantId } }: Call,
  { rules: { lists } }: RulesNeeds,
): Promise<ListPage> {
  const after = cursor === undefined ? undefined : positionOf(cursor)
  const { entries, next } = await refusing(lists.read(tenantId, name, { after, limit }))
  return { entries: entries.map(shownEntry), ...(next && { next: cursorOf(next) }) }
}

const cursorOf = ({ version, valueHash }: FeedPosition): string => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(version))
  return Buffer.concat([bytes, valueHash]).toString('base64url')
}

function positionOf(cursor: string): FeedPosition {
  const bytes = Buffer.from(cursor, 'base64url')
  const version = bytes.length === 16 ? Number(bytes.readBigUInt64BE()) : Number.NaN
  if (!Number.isSafeInteger(version)) throw new Refusal('fieldInvalid', { mistake: 'cursor must be `next` of a page' })
  return { version, valueHash: bytes.subarray(8) }
}

/** Turns a refusal of a list into one of the call. `field` has the entry that is wrong. */
async function refusing<T>(work: Promise<T>, field = ''): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ListRefused)) throw error
    if (error.reason === 'unknown') throw new Refusal('listUnknown')
    if (error.reason === 'exists') throw new Refusal('listExists')
    const place = error.index === undefined ? '' : `${field}.${error.index}: `
    throw new Refusal('fieldInvalid', { mistake: `${place}${error.message}` })
  }
}

function shownList({ createdAt, changedAt, ...list }: ListDescription): List {
  return { ...list, createdAt: isoTime(createdAt), changedAt: isoTime(changedAt) }
}

function shownEntry({ value, note, by = '', addedAt, expiresAt, neverMatches }: Entry): ListEntry {
  return {
    value,
    ...(note !== undefined && { note }),
    ...{ addedAt: isoTime(addedAt), by },
    ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }),
    ...(neverMatches && { neverMatches }),
  }
}

const isoTime = (epochMs: number) => new Date(epochMs).toISOString()
