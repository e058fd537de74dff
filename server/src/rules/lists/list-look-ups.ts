// Which values of a session are in lists? Answered from memory, or by the store while a list is not in memory. Never guessed.

import { setTimeout as pause } from 'node:timers/promises'
import type { ListKind, ListPurpose } from '@ringfence/contract'
import type { Logger } from 'pino'
import type { TenantKeys } from '../../crypto/keyring.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { findEntries, type ListRow, listsOf } from '../../storage/rules/lists.ts'
import type { RuleInput } from '../vocabulary.ts'
import { formsThatMatch, hashOfList, isInForce, wasInForce } from './entries.ts'
import { comparedText } from './kinds.ts'
import { type InList, inNoList, type ListRead } from './list.ts'
import type { ListsResources } from './lists.ts'
import { LoadedList } from './loaded-list.ts'

export interface ListLookUps {
  /**
   * What lists say about an input, for the rules that read them (`listReadsOf` the current rules): pass the result to `evaluate` with the
   * same input. A change of a list is in force within a second, on every server. With `at` (epoch milliseconds), an entry counts if it was
   * in force then; what was removed since counts as never added. @throws StorageUnavailable
   */
  forInput(tenantId: string, reads: readonly ListRead[], input: RuleInput, at?: number): Promise<InList>
  /**
   * The same for many inputs, as the lists are now, each at its time `at`. Undefined when a list that rules read is not in memory.
   * @throws StorageUnavailable
   */
  forReplay(tenantId: string, reads: readonly ListRead[]): Promise<((at: number) => InList) | undefined>
  /** What the lists of a tenant are for, by their names. @throws StorageUnavailable */
  purposes(tenantId: string): Promise<ReadonlyMap<string, ListPurpose>>
  /** Bytes of all lists in memory. */
  readonly bytes: number
  /** Resolves when no list is being read into memory. */
  settled(): Promise<void>
  /** Stops reading lists into memory. */
  close(): Promise<void>
}

export interface ListLookUpsResources extends Omit<ListsResources, 'events'> {
  readonly log: Pick<Logger, 'warn'>
  readonly metrics: Pick<Metrics, 'count' | 'set' | 'atEachScrape'>
  /** Lists beyond this many bytes stay in the store, which answers for them. */
  readonly mostBytes: number
}

/** The state of the lists of a tenant is read again after this time. */
const rereadMs = 1000
/** Tenants whose lists are known. */
const mostTenants = 1000
/** After an error, or when there was no room. */
const retryMs = 10_000
/** A list that was used within this time is not removed from memory for another one. */
const inUseMs = 60_000
/** Measured: 16 bytes in tables that are 53 to 80 % full. */
const bytesOfEntry = 26

interface Known {
  row: ListRow
  /** Complete up to `loaded.version`. */
  loaded?: LoadedList | undefined
  reading?: Promise<void> | undefined
  retryAt?: number
  usedAt: number
}

interface TenantLists {
  readAt: number
  lists: Map<string, Known>
  rereading: Promise<void> | undefined
}

export function listLookUps(resources: ListLookUpsResources): ListLookUps {
  const { database, tenantKeyring, clock, log, metrics, mostBytes } = resources
  const tenants = new Map<string, TenantLists>()
  const stopped = new AbortController()
  /** Long lists are read one after the other. */
  let lastLoad: Promise<void> = Promise.resolve()
  const readings = new Set<Promise<void>>()

  async function listsNow(tenantId: string): Promise<TenantLists> {
    const now = clock.now()
    let tenant = tenants.get(tenantId)
    if (!tenant) {
      tenant = { readAt: Number.NEGATIVE_INFINITY, lists: new Map(), rereading: undefined }
      tenants.set(tenantId, tenant)
      if (tenants.size > mostTenants) tenants.delete(tenants.keys().next().value!)
    }
    // A clock that was set back must not extend the time.
    if (now - tenant.readAt >= rereadMs || now < tenant.readAt) {
      tenant.rereading ??= reread(tenantId, tenant, now)
      await tenant.rereading
    }
    return tenant
  }

  async function reread(tenantId: string, tenant: TenantLists, now: number): Promise<void> {
    try {
      const rows = await listsOf(database, tenantId)
      const lists = new Map<string, Known>()
      for (const row of rows) {
        const known = tenant.lists.get(row.name)
        const isSame = known && Buffer.compare(known.row.id, row.id) === 0
        if (isSame) known.row = row
        lists.set(row.name, isSame ? known : { row, usedAt: 0 })
      }
      tenant.lists = lists
      tenant.readAt = now
      // The tenant used longest ago comes first.
      if (tenants.delete(tenantId)) tenants.set(tenantId, tenant)
    } finally {
      tenant.rereading = undefined
    }
  }

  /** Reads a list, or what has changed in it, in the background. */
  function read(known: Known, tenantId: string, keys: TenantKeys): void {
    const now = clock.now()
    if (known.reading || stopped.signal.aborted || now < (known.retryAt ?? 0)) return
    const { loaded, row } = known
    // Some removals since then may be deleted from the store.
    const isTooOld = loaded && loaded.version < row.completeSince
    if (isTooOld) known.loaded = undefined
    const work = known.loaded ? catchUp(known, known.loaded) : load(known, tenantId, keys)
    known.reading = work
      .catch((error) => {
        known.loaded = undefined
        known.retryAt = clock.now() + retryMs
        if (!stopped.signal.aborted) log.warn({ err: error, tenantId }, 'a list stays in the store; read again in 10 s')
      })
      .finally(() => {
        known.reading = undefined
        readings.delete(reading)
      })
    const reading = known.reading
    readings.add(reading)
  }

  /** Half of the time is for requests. */
  async function catchUp(known: Known, list: LoadedList): Promise<void> {
    for (let isMore = true; isMore; ) {
      const began = performance.now()
      isMore = await list.readOn(database, known.row.version)
      stopped.signal.throwIfAborted()
      if (isMore) await pause(performance.now() - began, undefined, { signal: stopped.signal })
      if (usedBytes() + (known.loaded ? 0 : list.bytes) > mostBytes)
        throw new Error('the list is larger than LISTS_MEMORY_MB')
    }
  }

  async function load(known: Known, tenantId: string, keys: TenantKeys): Promise<void> {
    const before = lastLoad
    let done = () => {}
    lastLoad = new Promise((resolve) => {
      done = resolve
    })
    try {
      await before
      stopped.signal.throwIfAborted()
      if (!makeRoom(known.row.entryCount * bytesOfEntry)) {
        known.retryAt = clock.now() + retryMs
        return
      }
      const list = new LoadedList(known.row, tenantId, keys)
      await catchUp(known, list)
      known.loaded = list
    } finally {
      done()
    }
  }

  /** Removes lists that were not used lately, the one used longest ago first. */
  function makeRoom(bytes: number): boolean {
    const others = [...tenants.values()].flatMap(({ lists }) => [...lists.values()].filter(({ loaded }) => loaded))
    others.sort((a, b) => a.usedAt - b.usedAt)
    let used = usedBytes()
    for (const other of others) {
      if (used + bytes <= mostBytes || clock.now() - other.usedAt < inUseMs) break
      used -= other.loaded!.bytes
      other.loaded = undefined
    }
    return used + bytes <= mostBytes
  }

  const usedBytes = () => {
    let sum = 0
    for (const { lists } of tenants.values()) for (const { loaded } of lists.values()) sum += loaded?.bytes ?? 0
    return sum
  }

  metrics.atEachScrape(() => metrics.set('listsBytes', usedBytes()))

  async function askStore({ row }: Known, text: string, keys: TenantKeys, at: number | undefined): Promise<boolean> {
    const hash = hashOfList(keys, row.id)
    const hashes = formsThatMatch(row.kind, text).map((form) => hash.of(form).bytes())
    const found = await findEntries(database, row.id, hashes)
    return found.some((each) => (at === undefined ? isInForce(each, clock.now()) : wasInForce(each, at)))
  }

  return {
    async forInput(tenantId, reads, input, at) {
      if (reads.length === 0) return inNoList
      const { lists } = await listsNow(tenantId)
      const now = clock.now()
      const inMemory = new Map<string, { kind: ListKind; loaded: LoadedList; answers: Map<unknown, boolean> }>()
      const fromStore = new Map<string, { kind: ListKind; answers: Map<string, boolean> }>()
      let keys: TenantKeys | undefined
      const questions: Promise<void>[] = []
      for (const { list, read: valueIn } of reads) {
        const known = lists.get(list)
        if (!known) continue
        known.usedAt = now
        const { kind } = known.row
        if (known.loaded && known.loaded.version >= known.row.version) {
          metrics.count('listLookUps', 'memory')
          if (!inMemory.has(list)) inMemory.set(list, { kind, loaded: known.loaded, answers: new Map() })
          continue
        }
        keys ??= await tenantKeyring.keysOf(tenantId)
        read(known, tenantId, keys)
        const text = comparedText(kind, valueIn(input))
        const { answers } = fromStore.get(list) ?? { answers: new Map<string, boolean>() }
        fromStore.set(list, { kind, answers })
        if (text === undefined || answers.has(text)) continue
        answers.set(text, false)
        metrics.count('listLookUps', 'store')
        questions.push(askStore(known, text, keys, at).then((isIn) => void answers.set(text, isIn)))
      }
      await Promise.all(questions)
      return (list, value) => {
        const known = inMemory.get(list)
        if (known) {
          // Rules may look a value up a thousand times: the first answer counts.
          const before = known.answers.get(value)
          if (before !== undefined) return before
          const text = comparedText(known.kind, value)
          const isIn =
            text !== undefined && (at === undefined ? known.loaded.has(text, now) : known.loaded.hadAt(text, at))
          known.answers.set(value, isIn)
          return isIn
        }
        const asked = fromStore.get(list)
        const text = asked && comparedText(asked.kind, value)
        return text !== undefined && asked?.answers.get(text) === true
      }
    },

    async forReplay(tenantId, reads) {
      const { lists } = await listsNow(tenantId)
      const inMemory = new Map<string, { kind: ListKind; loaded: LoadedList }>()
      for (const { list } of reads) {
        const { row, loaded } = lists.get(list) ?? {}
        if (!row) continue
        if (!loaded || loaded.version < row.version) return undefined
        inMemory.set(list, { kind: row.kind, loaded })
      }
      return (at) => (list, value) => {
        const known = inMemory.get(list)
        const text = known && comparedText(known.kind, value)
        return text !== undefined && known!.loaded.hadAt(text, at)
      }
    },

    async purposes(tenantId) {
      const { lists } = await listsNow(tenantId)
      return new Map([...lists].map(([name, { row }]) => [name, row.purpose]))
    },

    get bytes() {
      return usedBytes()
    },

    async settled() {
      while (readings.size > 0) await Promise.all(readings)
    },

    async close() {
      stopped.abort(new Error('closed'))
      await Promise.all(readings)
    },
  }
}
