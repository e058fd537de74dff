// Which values of a session are in lists? Answered from memory, or by the store while a list is not in memory. Never guessed.

import type { ListKind, ListPurpose } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import { formerIdsOf } from '../../device/store/device-aliases.ts'
import { type InList, inNoList, type ListRead } from '../language/list.ts'
import type { RuleInput } from '../language/vocabulary.ts'
import { findEntries } from '../store/lists.ts'
import { formsThatMatch, hashOfList, isInForce, wasInForce } from './entries.ts'
import { comparedText } from './kinds.ts'
import { type KnownList, ListMemory, type ListMemoryResources } from './list-memory.ts'
import type { LoadedList } from './loaded-list.ts'

interface Resources extends ListMemoryResources {
  readonly tenantKeyring: TenantKeyring
}

export class ListLookUps {
  readonly #resources: Resources
  readonly memory: ListMemory

  constructor(resources: Resources) {
    this.#resources = resources
    this.memory = new ListMemory(resources)
  }

  /**
   * What lists say about an input, for the rules that read them (`listReadsOf` the current rules): pass the result to `evaluate` with the
   * same input. A change of a list is in force within a second, on every server. With `at` (epoch milliseconds), an entry counts if it was
   * in force then; what was removed since counts as never added. @throws StorageUnavailable
   */
  async forInput(tenantId: string, reads: readonly ListRead[], input: RuleInput, at?: number): Promise<InList> {
    if (reads.length === 0) return inNoList
    const { tenantKeyring, clock, metrics } = this.#resources
    const lists = await this.memory.listsOf(tenantId)
    const now = clock.now()
    const inMemory = new Map<string, { kind: ListKind; loaded: LoadedList; answers: Map<unknown, boolean> }>()
    const fromStore = new Map<string, { kind: ListKind; answers: Map<string, boolean> }>()
    let keys: TenantKeys | undefined
    const questions: Promise<void>[] = []
    const former = new Map<string, readonly string[]>()
    for (const { list, read: valueIn } of reads) {
      const known = lists.get(list)
      if (!known) continue
      known.usedAt = now
      const { kind } = known.row
      if (kind === 'deviceId') await this.#addFormer(former, tenantId, comparedText(kind, valueIn(input)))
      if (known.loaded && known.loaded.version >= known.row.version) {
        metrics.count('listLookUps', 'memory')
        if (!inMemory.has(list)) inMemory.set(list, { kind, loaded: known.loaded, answers: new Map() })
        continue
      }
      keys ??= await tenantKeyring.keysOf(tenantId)
      this.memory.read(known, tenantId, keys)
      const text = comparedText(kind, valueIn(input))
      const { answers } = fromStore.get(list) ?? { answers: new Map<string, boolean>() }
      fromStore.set(list, { kind, answers })
      if (text === undefined || answers.has(text)) continue
      answers.set(text, false)
      metrics.count('listLookUps', 'store')
      const texts = [text, ...(former.get(text) ?? [])]
      questions.push(this.#askStore(known, texts, keys, at).then((isIn) => void answers.set(text, isIn)))
    }
    await Promise.all(questions)
    return (list, value) => {
      const known = inMemory.get(list)
      if (known) {
        // Rules may look a value up a thousand times: the first answer counts.
        const before = known.answers.get(value)
        if (before !== undefined) return before
        const text = comparedText(known.kind, value)
        const texts = text === undefined ? [] : [text, ...(former.get(text) ?? [])]
        const isIn = texts.some((one) => (at === undefined ? known.loaded.has(one, now) : known.loaded.hadAt(one, at)))
        known.answers.set(value, isIn)
        return isIn
      }
      const asked = fromStore.get(list)
      const text = asked && comparedText(asked.kind, value)
      return text !== undefined && asked?.answers.get(text) === true
    }
  }

  /** A list may name a device by an id that it had before it turned out to be another one. */
  async #addFormer(former: Map<string, readonly string[]>, tenantId: string, deviceId: string | undefined) {
    if (deviceId === undefined || former.has(deviceId)) return
    former.set(deviceId, await formerIdsOf(this.#resources.database, tenantId, deviceId))
  }

  async #askStore(
    { row }: KnownList,
    texts: readonly string[],
    keys: TenantKeys,
    at: number | undefined,
  ): Promise<boolean> {
    const { database, clock } = this.#resources
    const hash = hashOfList(keys, row.id)
    const hashes = texts.flatMap((text) => formsThatMatch(row.kind, text)).map((form) => hash.of(form).bytes())
    const found = await findEntries(database, row.id, hashes)
    return found.some((each) => (at === undefined ? isInForce(each, clock.now()) : wasInForce(each, at)))
  }

  /**
   * The same for many inputs, as the lists are now, each at its time `at`. Undefined when a list that rules read is not in memory.
   * @throws StorageUnavailable
   */
  async forReplay(tenantId: string, reads: readonly ListRead[]): Promise<((at: number) => InList) | undefined> {
    const lists = await this.memory.listsOf(tenantId)
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
  }

  /** Whether a list of this kind and purpose has one of these values, whatever rules read. @throws StorageUnavailable */
  async hasAny(tenantId: string, purpose: ListPurpose, kind: ListKind, values: readonly string[]): Promise<boolean> {
    const lists = await this.memory.listsOf(tenantId)
    const names = [...lists].flatMap(([name, { row }]) => (row.kind === kind && row.purpose === purpose ? [name] : []))
    for (const value of names.length === 0 ? [] : values) {
      const inList = await this.forInput(
        tenantId,
        names.map((list) => ({ list, path: '', read: () => value })),
        {},
      )
      if (names.some((list) => inList(list, value))) return true
    }
    return false
  }

  /** What the lists of a tenant are for, by their names. @throws StorageUnavailable */
  async purposes(tenantId: string): Promise<ReadonlyMap<string, ListPurpose>> {
    const lists = await this.memory.listsOf(tenantId)
    return new Map([...lists].map(([name, { row }]) => [name, row.purpose]))
  }
}
