// Which values are in a list, and who put them there? Creates and deletes lists, adds and removes entries.

import { randomBytes } from 'node:crypto'
import { type EventData, type ListKind, type ListPurpose, listCaps } from '@ringfence/contract'
import type { Clock } from '../../clock.ts'
import { nearestWord } from '../../config/nearest-word.ts'
import type { TenantKeyring } from '../../crypto/tenant-keyring.ts'
import { type Events, type NewEvent, type Recorder, writeEvents } from '../../events/events.ts'
import { type Pause, withoutPause } from '../../heavy-work/slices.ts'
import { type Database, UniqueViolation } from '../../storage/database.ts'
import {
  changesAfter,
  type EntryRow,
  type FeedPosition,
  feedStart,
  findEntries,
  findList,
  insertList,
  type ListRow,
  listsOf,
  markListDeleted,
  nextVersion,
  putEntries,
} from '../../storage/rules/lists.ts'
import {
  type AddedEntries,
  contextOfList,
  describedEntry,
  type Entry,
  type EntryContent,
  formsThatMatch,
  hashOfList,
  inSeconds,
  isInForce,
  openEntry,
  type RemovedEntries,
  sealedEach,
} from './entries.ts'
import { comparedText, kindsOfLists, mistakeOf } from './kinds.ts'
import type { KnownLists } from './list-mistake.ts'

export interface ListDescription {
  readonly name: string
  readonly kind: ListKind
  readonly purpose: ListPurpose
  readonly description?: string
  readonly entries: number
  readonly createdAt: number
  readonly createdBy: string
  readonly changedAt: number
}

export interface NewEntry {
  readonly value: string
  readonly note?: string
  /** Epoch milliseconds; whole seconds count. */
  readonly expiresAt?: number
}

/** A change that cannot be made; the message says what to do. */
export class ListRefused extends Error {
  override name = 'ListRefused'
  readonly reason: 'unknown' | 'exists' | 'full' | 'value'
  /** Place of the wrong entry. */
  readonly index: number | undefined
  constructor(reason: ListRefused['reason'], message: string, index?: number) {
    super(message)
    this.reason = reason
    this.index = index
  }
}

export interface Lists {
  create(
    tenantId: string,
    list: Pick<ListDescription, 'name' | 'kind' | 'purpose' | 'description'>,
    by: string,
  ): Promise<ListDescription>
  /** By name. */
  describe(tenantId: string): Promise<ListDescription[]>
  /** @throws ListRefused when there is no such list */
  describeOne(tenantId: string, name: string): Promise<ListDescription>
  /** The kinds of all lists by name, for checking rules. */
  known(tenantId: string): Promise<KnownLists>
  /** Returns whether there was such a list. Rules that name it compare with something that is not known. */
  delete(tenantId: string, name: string, by?: string): Promise<boolean>
  /**
   * Adds or changes at most `listCaps.entriesOfCall` entries: all or none. Repeating a call changes nothing.
   * @throws ListRefused for an unknown list, a wrong value, or too many entries
   */
  add(
    tenantId: string,
    name: string,
    entries: readonly NewEntry[],
    by: string,
    change?: 'added' | 'imported',
    pause?: Pause,
  ): Promise<AddedEntries>
  /** @throws ListRefused */
  remove(tenantId: string, name: string, values: readonly string[], by?: string, pause?: Pause): Promise<RemovedEntries>
  /** The entries that match a value now, the smallest range first. @throws ListRefused */
  lookUp(tenantId: string, name: string, value: string): Promise<Entry[]>
  /** A page of entries in force, last changed last. @throws ListRefused */
  read(
    tenantId: string,
    name: string,
    page: { after?: FeedPosition | undefined; limit: number },
  ): Promise<{ entries: Entry[]; next: FeedPosition | undefined }>
}

export interface ListsResources {
  readonly database: Database
  readonly tenantKeyring: TenantKeyring
  readonly clock: Clock
  readonly events: Pick<Events, 'recorder'>
}

type ListChange = EventData<'list.changed'>['change']

type EntryToAdd = { valueHash: Uint8Array; content: EntryContent; expiresAt: number | null }

interface ListContent {
  readonly description?: string
  readonly by: string
}

export function lists({ database, tenantKeyring, clock, events }: ListsResources): Lists {
  async function existing(tenantId: string, name: string): Promise<ListRow> {
    const list = await findList(database, tenantId, name)
    if (list) return list
    const names = (await listsOf(database, tenantId)).map((each) => each.name)
    const nearest = nearestWord(name, names)
    const hint = nearest === undefined ? '; create it first' : `; did you mean ${nearest}?`
    throw new ListRefused('unknown', `there is no list ${name}${hint}`)
  }

  async function described(tenantId: string, rows: readonly ListRow[]): Promise<ListDescription[]> {
    const keys = await tenantKeyring.keysOf(tenantId)
    return rows.map(({ id, name, kind, purpose, entryCount, createdAt, changedAt, sealed }) => {
      const { description, by } = JSON.parse(keys.open(sealed, contextOfList(tenantId, id))) as ListContent
      const times = { createdAt, createdBy: by, changedAt }
      return { name, kind, purpose, ...(description && { description }), entries: entryCount, ...times }
    })
  }

  return {
    async create(tenantId, { name, kind, purpose, description }, by) {
      const id = randomBytes(16)
      const keys = await tenantKeyring.keysOf(tenantId)
      const createdAt = clock.now()
      const content: ListContent = { ...(description && { description }), by }
      const sealed = keys.seal(JSON.stringify(content), contextOfList(tenantId, id))
      const record = await events.recorder(tenantId)
      try {
        await database.transaction(async (tx) => {
          if ((await listsOf(tx, tenantId)).length >= listCaps.lists) {
            throw new ListRefused('full', `there are ${listCaps.lists} lists: delete one that no rule reads`)
          }
          await insertList(tx, tenantId, { id, name, kind, purpose, createdAt, sealed })
          await writeEvents(tx, record([changeOf(name, 'created', 0, by)]))
        })
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error
        throw new ListRefused('exists', `there is a list ${name} already: choose another name`)
      }
      const times = { createdAt, createdBy: by, changedAt: createdAt }
      return { name, kind, purpose, ...(description && { description }), entries: 0, ...times }
    },

    describe: async (tenantId) => described(tenantId, await listsOf(database, tenantId)),

    async describeOne(tenantId, name) {
      const [found] = await described(tenantId, [await existing(tenantId, name)])
      return found!
    },

    known: async (tenantId) => new Map((await listsOf(database, tenantId)).map(({ name, kind }) => [name, kind])),

    async delete(tenantId, name, by) {
      const record = await events.recorder(tenantId)
      return database.transaction(async (tx) => {
        const list = await findList(tx, tenantId, name)
        if (!list || !(await markListDeleted(tx, tenantId, list, clock.now()))) return false
        await writeEvents(tx, record([changeOf(name, 'deleted', list.entryCount, by)]))
        return true
      })
    },

    async add(tenantId, name, entries, by, change = 'added', pause = withoutPause) {
      const list = await existing(tenantId, name)
      const record = await events.recorder(tenantId)
      const keys = await tenantKeyring.keysOf(tenantId)
      const hash = hashOfList(keys, list.id)
      const now = clock.now()
      const place = { tenantId, id: list.id }
      // A value that is repeated counts once, as its last entry says.
      const wanted = new Map<string, EntryToAdd>()
      for (const [index, { value, note, expiresAt }] of entries.entries()) {
        const form = formOf(list.kind, value, index)
        if (expiresAt !== undefined && inSeconds(expiresAt) <= inSeconds(now)) {
          throw new ListRefused('value', 'expiresAt must be in the future', index)
        }
        wanted.set(form, {
          valueHash: hash.of(form).bytes(),
          content: { value: form, ...(note && { note }), by },
          expiresAt: expiresAt === undefined ? null : inSeconds(expiresAt) * 1000,
        })
        await pause()
      }
      const sealed = await sealedEach(wanted.values(), place, keys, pause)
      return database.transaction(async (tx) => {
        const stored = await findEntries(
          tx,
          list.id,
          sealed.map(({ valueHash }) => valueHash),
        )
        const before = new Map(stored.map((row) => [hexOf(row.valueHash), row]))
        let [added, changed, countable] = [0, 0, 0]
        const changes: Omit<EntryRow, 'version'>[] = []
        for (const { valueHash, content, expiresAt, sealed: text } of sealed) {
          const row = before.get(hexOf(valueHash))
          const isThere = row !== undefined && isInForce(row, now)
          if (isThere && row.expiresAt === expiresAt && openEntry(row, list, tenantId, keys).note === content.note)
            continue
          if (isThere) changed++
          else added++
          // An expired entry that is not deleted yet is counted already.
          if (row === undefined || row.removed === 1) countable++
          changes.push({ valueHash, addedAt: isThere ? row.addedAt : now, expiresAt, removed: 0, sealed: text })
        }
        const happened = [
          ...(added > 0 ? [changeOf(name, change, added, by)] : []),
          ...(changed > 0 ? [changeOf(name, 'changed', changed, by)] : []),
        ]
        if (changes.length > 0) await write(tx, place, list, changes, { countable, happened, record })
        return { added, changed, unchanged: entries.length - added - changed }
      })
    },

    async remove(tenantId, name, values, by, pause = withoutPause) {
      const list = await existing(tenantId, name)
      const record = await events.recorder(tenantId)
      const keys = await tenantKeyring.keysOf(tenantId)
      const hash = hashOfList(keys, list.id)
      const formsOfValues = values.map((value, index) => formsToRemove(list.kind, value, index))
      const forms = [...new Set(formsOfValues.flat())]
      const now = clock.now()
      const place = { tenantId, id: list.id }
      // An IP range is removed by its value, so that stays until every server has read it.
      const named = forms.map((value) => ({ content: { value }, valueHash: hash.of(value).bytes() }))
      const gone = await sealedEach(named, place, keys, pause)
      return database.transaction(async (tx) => {
        const stored = await findEntries(
          tx,
          list.id,
          gone.map(({ valueHash }) => valueHash),
        )
        const before = new Map(stored.map((row) => [hexOf(row.valueHash), row]))
        const removed = new Set<string>()
        const changes: Omit<EntryRow, 'version'>[] = []
        for (const [i, { valueHash, sealed }] of gone.entries()) {
          const row = before.get(hexOf(valueHash))
          if (!row || row.removed === 1) continue
          if (isInForce(row, now)) removed.add(forms[i]!)
          changes.push({ valueHash, addedAt: row.addedAt, expiresAt: now, removed: 1, sealed })
        }
        const happened = removed.size > 0 ? [changeOf(name, 'removed', removed.size, by)] : []
        if (changes.length > 0) {
          await write(tx, place, list, changes, { countable: -changes.length, happened, record })
        }
        const missing = formsOfValues.filter((each) => !each.some((form) => removed.has(form))).length
        return { removed: removed.size, missing }
      })
    },

    async lookUp(tenantId, name, value) {
      const list = await existing(tenantId, name)
      const keys = await tenantKeyring.keysOf(tenantId)
      const text = comparedText(list.kind, value)
      if (text === undefined) return []
      const hash = hashOfList(keys, list.id)
      const former = kindsOfLists[list.kind].former?.(value) ?? text
      const forms = new Set([...formsThatMatch(list.kind, text), former])
      const hashes = [...forms].map((form) => hash.of(form).bytes())
      const rows = await findEntries(database, list.id, hashes)
      const order = new Map(hashes.map((each, index) => [hexOf(each), index]))
      const now = clock.now()
      return rows
        .filter((row) => isInForce(row, now))
        .sort((a, b) => order.get(hexOf(a.valueHash))! - order.get(hexOf(b.valueHash))!)
        .map((row) => describedEntry(row, list, tenantId, keys))
    },

    async read(tenantId, name, { after = feedStart, limit }) {
      const list = await existing(tenantId, name)
      const keys = await tenantKeyring.keysOf(tenantId)
      const rows = (await changesAfter(database, list.id, after, { limit, content: true })) as EntryRow[]
      const now = clock.now()
      const last = rows.at(-1)
      return {
        entries: rows.filter((row) => isInForce(row, now)).map((row) => describedEntry(row, list, tenantId, keys)),
        next: last && rows.length === limit ? { version: last.version, valueHash: last.valueHash } : undefined,
      }
    },
  }

  async function write(
    tx: Parameters<typeof putEntries>[0],
    place: { tenantId: string; id: Uint8Array },
    list: ListRow,
    changes: readonly Omit<EntryRow, 'version'>[],
    { countable, happened, record }: { countable: number; happened: readonly NewEvent[]; record: Recorder },
  ): Promise<void> {
    const next = await nextVersion(tx, list.id, { added: countable, now: clock.now() })
    if (!next) throw new ListRefused('unknown', `the list ${list.name} was just deleted`)
    if (countable > 0 && next.entryCount > listCaps.entries) {
      throw new ListRefused('full', `${list.name} would have more than ${listCaps.entries} entries: use a second list`)
    }
    await putEntries(
      tx,
      place,
      changes.map((change) => ({ ...change, version: next.version })),
    )
    await writeEvents(tx, record(happened))
  }
}

/** Changes of a list are in order. */
const changeOf = (list: string, change: ListChange, entries: number, by: string | undefined): NewEvent => ({
  type: 'list.changed',
  data: { list, change, entries, ...(by !== undefined && { by }) },
  orderedBy: `list ${list}`,
  outcome: change,
})

function formOf(kind: ListKind, value: string, index: number): string {
  const form = kindsOfLists[kind].entry(value)
  if (form !== undefined) return form
  throw new ListRefused('value', `the list ${mistakeOf(kind, value)}`, index)
}

/** With the text itself, since an older version may have stored it so: its entries can be removed as they are shown. */
function formsToRemove(kind: ListKind, value: string, index: number): string[] {
  const { entry, former } = kindsOfLists[kind]
  return [entry(value) ?? former?.(value) ?? formOf(kind, value, index), former?.(value) ?? value]
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
