// Which values are in a list, and who put them there? Creates and deletes lists, adds and removes entries.

import { randomBytes } from 'node:crypto'
import { type EventData, type ListKind, type ListPurpose, listCaps } from '@ringfence/contract'
import type { Clock } from '../../core/clock.ts'
import { nearestWord } from '../../core/config/nearest-word.ts'
import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import type { Events, NewEvent, Recorder } from '../../core/event-recorder.ts'
import { type Pause, withoutPause } from '../../core/heavy-work/slices.ts'
import { type Database, type Queryable, UniqueViolation } from '../../core/storage/database.ts'
import { writeEvents } from '../../events/events.ts'
import type { KnownLists } from '../language/list-mistake.ts'
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
} from '../store/lists.ts'
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

export interface ListsResources {
  readonly database: Database
  readonly tenantKeyring: TenantKeyring
  readonly clock: Clock
  readonly events: Pick<Events, 'recorder'>
}

type ListChange = EventData<'list.changed'>['change']

type EntryChange = Omit<EntryRow, 'version'>
type EntryToAdd = { valueHash: Uint8Array; content: EntryContent; expiresAt: number | null }

interface ListContent {
  readonly description?: string
  readonly by: string
}

export class Lists {
  readonly #resources: ListsResources

  constructor(resources: ListsResources) {
    this.#resources = resources
  }

  async create(
    tenantId: string,
    { name, kind, purpose, description }: Pick<ListDescription, 'name' | 'kind' | 'purpose' | 'description'>,
    by: string,
  ): Promise<ListDescription> {
    const { database, tenantKeyring, clock, events } = this.#resources
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
    return descriptionOf({ name, kind, purpose, entryCount: 0, createdAt, changedAt: createdAt }, content)
  }

  /** By name. */
  async describe(tenantId: string): Promise<ListDescription[]> {
    return this.#described(tenantId, await listsOf(this.#resources.database, tenantId))
  }

  /** @throws ListRefused when there is no such list */
  async describeOne(tenantId: string, name: string): Promise<ListDescription> {
    const [found] = await this.#described(tenantId, [await this.#existing(tenantId, name)])
    return found!
  }

  async #described(tenantId: string, rows: readonly ListRow[]): Promise<ListDescription[]> {
    const keys = await this.#resources.tenantKeyring.keysOf(tenantId)
    return rows.map((row) => descriptionOf(row, JSON.parse(keys.open(row.sealed, contextOfList(tenantId, row.id)))))
  }

  /** The kinds of all lists by name, for checking rules. */
  async known(tenantId: string): Promise<KnownLists> {
    return new Map((await listsOf(this.#resources.database, tenantId)).map(({ name, kind }) => [name, kind]))
  }

  /** Returns whether there was such a list. Rules that name it compare with something that is not known. */
  async delete(tenantId: string, name: string, by?: string): Promise<boolean> {
    const { database, clock, events } = this.#resources
    const record = await events.recorder(tenantId)
    return database.transaction(async (tx) => {
      const list = await findList(tx, tenantId, name)
      if (!list || !(await markListDeleted(tx, tenantId, list, clock.now()))) return false
      await writeEvents(tx, record([changeOf(name, 'deleted', list.entryCount, by)]))
      return true
    })
  }

  /**
   * Adds or changes at most `listCaps.entriesOfCall` entries: all or none. Repeating a call changes nothing.
   * @throws ListRefused for an unknown list, a wrong value, or too many entries
   */
  async add(
    tenantId: string,
    name: string,
    entries: readonly NewEntry[],
    by: string,
    change: 'added' | 'imported' = 'added',
    pause: Pause = withoutPause,
  ): Promise<AddedEntries> {
    const { list, keys, hash, now, record } = await this.#opened(tenantId, name)
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
    const sealed = await sealedEach(wanted.values(), { tenantId, id: list.id }, keys, pause)
    return this.#resources.database.transaction(async (tx) => {
      const before = await entriesByHash(tx, list, sealed)
      let [added, changed, countable] = [0, 0, 0]
      const changes: EntryChange[] = []
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
      if (changes.length > 0) await this.#write(tx, tenantId, list, changes, { countable, happened, record })
      return { added, changed, unchanged: entries.length - added - changed }
    })
  }

  /** @throws ListRefused */
  async remove(
    tenantId: string,
    name: string,
    values: readonly string[],
    by?: string,
    pause: Pause = withoutPause,
  ): Promise<RemovedEntries> {
    const { list, keys, hash, now, record } = await this.#opened(tenantId, name)
    const formsOfValues = values.map((value, index) => formsToRemove(list.kind, value, index))
    const forms = [...new Set(formsOfValues.flat())]
    // An IP range is removed by its value, so that stays until every server has read it.
    const named = forms.map((value) => ({ content: { value }, valueHash: hash.of(value).bytes() }))
    const gone = await sealedEach(named, { tenantId, id: list.id }, keys, pause)
    return this.#resources.database.transaction(async (tx) => {
      const before = await entriesByHash(tx, list, gone)
      const removed = new Set<string>()
      const changes: EntryChange[] = []
      for (const [i, { valueHash, sealed }] of gone.entries()) {
        const row = before.get(hexOf(valueHash))
        if (!row || row.removed === 1) continue
        if (isInForce(row, now)) removed.add(forms[i]!)
        changes.push({ valueHash, addedAt: row.addedAt, expiresAt: now, removed: 1, sealed })
      }
      const happened = removed.size > 0 ? [changeOf(name, 'removed', removed.size, by)] : []
      const countable = -changes.length
      if (changes.length > 0) await this.#write(tx, tenantId, list, changes, { countable, happened, record })
      const missing = formsOfValues.filter((each) => !each.some((form) => removed.has(form))).length
      return { removed: removed.size, missing }
    })
  }

  /** The entries that match a value now, the smallest range first. @throws ListRefused */
  async lookUp(tenantId: string, name: string, value: string): Promise<Entry[]> {
    const { database, tenantKeyring, clock } = this.#resources
    const list = await this.#existing(tenantId, name)
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
  }

  /** A page of entries in force, last changed last. @throws ListRefused */
  async read(
    tenantId: string,
    name: string,
    { after = feedStart, limit }: { after?: FeedPosition | undefined; limit: number },
  ): Promise<{ entries: Entry[]; next: FeedPosition | undefined }> {
    const { database, tenantKeyring, clock } = this.#resources
    const list = await this.#existing(tenantId, name)
    const keys = await tenantKeyring.keysOf(tenantId)
    const rows = (await changesAfter(database, list.id, after, { limit, content: true })) as EntryRow[]
    const now = clock.now()
    const last = rows.at(-1)
    return {
      entries: rows.filter((row) => isInForce(row, now)).map((row) => describedEntry(row, list, tenantId, keys)),
      next: last && rows.length === limit ? { version: last.version, valueHash: last.valueHash } : undefined,
    }
  }

  async #existing(tenantId: string, name: string): Promise<ListRow> {
    const { database } = this.#resources
    const list = await findList(database, tenantId, name)
    if (list) return list
    const names = (await listsOf(database, tenantId)).map((each) => each.name)
    const nearest = nearestWord(name, names)
    const hint = nearest === undefined ? '; create it first' : `; did you mean ${nearest}?`
    throw new ListRefused('unknown', `there is no list ${name}${hint}`)
  }

  /** What a change of its entries needs. */
  async #opened(tenantId: string, name: string) {
    const { tenantKeyring, clock, events } = this.#resources
    const list = await this.#existing(tenantId, name)
    const record = await events.recorder(tenantId)
    const keys = await tenantKeyring.keysOf(tenantId)
    return { list, record, keys, hash: hashOfList(keys, list.id), now: clock.now() }
  }

  async #write(
    tx: Queryable,
    tenantId: string,
    { id, name }: ListRow,
    changes: readonly EntryChange[],
    { countable, happened, record }: { countable: number; happened: readonly NewEvent[]; record: Recorder },
  ): Promise<void> {
    const next = await nextVersion(tx, id, { added: countable, now: this.#resources.clock.now() })
    if (!next) throw new ListRefused('unknown', `the list ${name} was just deleted`)
    if (countable > 0 && next.entryCount > listCaps.entries) {
      throw new ListRefused('full', `${name} would have more than ${listCaps.entries} entries: use a second list`)
    }
    const rows = changes.map((change) => ({ ...change, version: next.version }))
    await putEntries(tx, { tenantId, id }, rows)
    await writeEvents(tx, record(happened))
  }
}

type DescribedRow = Pick<ListRow, 'name' | 'kind' | 'purpose' | 'entryCount' | 'createdAt' | 'changedAt'>

function descriptionOf(row: DescribedRow, { description, by }: ListContent): ListDescription {
  const { name, kind, purpose, entryCount: entries, createdAt, changedAt } = row
  return { name, kind, purpose, ...(description && { description }), entries, createdAt, createdBy: by, changedAt }
}

async function entriesByHash(tx: Queryable, { id }: ListRow, wanted: readonly Pick<EntryRow, 'valueHash'>[]) {
  const hashes = wanted.map(({ valueHash }) => valueHash)
  const rows = await findEntries(tx, id, hashes)
  return new Map(rows.map((row) => [hexOf(row.valueHash), row]))
}

/** Changes of a list are in order. */
const changeOf = (list: string, change: ListChange, entries: number, by: string | undefined): NewEvent => ({
  type: 'list.changed',
  data: { list, change, entries, by },
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
