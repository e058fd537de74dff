// Which decisions does a tenant have? Reads all stored ones in the order of their time, for a backtest of rules.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { lowestIdAt } from '../../core/storage/ids/event-id.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import type { StoredReport } from '../../rules/backtests/stored-report.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import { openInput } from '../record/record.ts'
import { decidedSince } from '../record/retention.ts'
import type { DecisionsNeeds } from '../room.ts'
import { decisionBeforeNewest, decisionsAfter } from '../store/decisions.ts'
import type { SealedPage } from './opening-thread.ts'
import { freeThreads, OpeningThreads } from './opening-threads.ts'

const rowsOfPage = 500
/** Pages that a thread has before it, so that it need not wait for the main thread. */
const pagesAhead = 2

export interface ReadOptions {
  /** What rules read, when nothing else of an input is needed (`pathsReadBy`). Then other paths may be absent. */
  readonly paths?: readonly string[]
  /** Threads beside the main one. */
  readonly threads?: number
  readonly pageRows?: number
  /** Only this many, the newest ones. */
  readonly newest?: number
  /** Only those from this moment, epoch milliseconds. */
  readonly from?: number
  /** A thread has ended early, the first one: the result is the same, but slower. */
  readonly onThreadError?: (error: Error) => void
  /** A page is open. */
  readonly onOpened?: (by: OpenedBy) => void
}

/** `here again`: by the main thread, because the other one could not. */
export type OpenedBy = 'thread' | 'here' | 'here again'

type Resources = Pick<DecisionsNeeds, 'compression' | 'database' | 'tenantKeyring' | 'clock' | 'settings'>
type Row = Awaited<ReturnType<typeof decisionsAfter>>[number]
type StoredDecisionReport = StoredReport & { decisionId: string; at: number }

/**
 * A decision that is made during the read may be included or not. Other threads open the records while the caller works; a page that they
 * cannot open is opened here, with the same result or error.
 */
export async function* storedDecisions(
  tenantId: string,
  resources: Resources,
  { paths, threads = freeThreads(), pageRows = rowsOfPage, newest, from, onThreadError, onOpened }: ReadOptions = {},
): AsyncGenerator<readonly StoredDecisionReport[]> {
  const { compression, tenantKeyring } = resources
  const others = threads > 0 ? new OpeningThreads(threads, { tenantId, paths }, onThreadError) : undefined

  const openHere = (rows: readonly Row[], keys: TenantKeys): RuleInput[] =>
    rows.map((row) => JSON.parse(openInput(row, keys, compression)))
  async function open(rows: readonly Row[], isHere: boolean): Promise<StoredDecisionReport[]> {
    const keys = await tenantKeyring.keysOf(tenantId)
    const opened = isHere ? undefined : await others?.open(sealedPage(rows, keys))
    onOpened?.(opened !== undefined ? 'thread' : isHere || !others ? 'here' : 'here again')
    const inputs = opened === undefined ? openHere(rows, keys) : (JSON.parse(opened) as RuleInput[])
    return rows.map(({ decisionId, decidedAt }, i) => ({ decisionId, at: decidedAt, input: inputs[i]! }))
  }

  const pages = pagesOf(tenantId, resources, { limit: pageRows, newest, from })
  const queue: { readonly reports: Promise<StoredDecisionReport[]>; isOpen: boolean }[] = []
  let isMore = true
  async function readPage(isHere: boolean): Promise<void> {
    const { value: rows, done } = await pages.next()
    isMore = !done
    if (!rows) return
    // A short history is opened before a thread has started.
    const page = { reports: open(rows, isHere || rows.length < pageRows), isOpen: false }
    // Its error is thrown in its turn.
    const opened = page.reports.catch(() => undefined).then(() => Object.assign(page, { isOpen: true }))
    queue.push(page)
    if (isHere) await opened
  }
  try {
    while (isMore || queue.length > 0) {
      const isRoom = isMore && queue.length <= 2 * threads * pagesAhead
      const unopened = queue.filter(({ isOpen }) => !isOpen).length
      if (isRoom && unopened < threads * pagesAhead) await readPage(false)
      // This thread opens a page rather than wait for the others.
      else if (isRoom && !queue[0]?.isOpen) await readPage(true)
      else yield await queue.shift()!.reports
    }
  } finally {
    await others?.close()
  }
}

/** A page of sealed decisions at a time, in the order of their time. */
export async function* pagesOf(
  tenantId: string,
  { database, clock, settings }: Pick<Resources, 'database' | 'clock' | 'settings'>,
  { limit, newest, from = 0 }: { limit: number; newest?: number | undefined; from?: number | undefined },
): AsyncGenerator<readonly Row[]> {
  const since = Math.max(from - 1, decidedSince(clock.now(), settings))
  // Ids begin with their time: older decisions are not even looked at.
  const first = uuidText(lowestIdAt(since))
  const wanted = newest === undefined ? first : await decisionBeforeNewest(database, tenantId, newest)
  let decisionId = wanted > first ? wanted : first
  while (true) {
    const rows = await decisionsAfter(database, { tenantId, decisionId }, { since, limit })
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    decisionId = rows.at(-1)!.decisionId
  }
}

/** Its bytes are a copy, which moves to the other thread. */
function sealedPage(rows: readonly Row[], { dataKeys }: TenantKeys): SealedPage {
  const bytes = new Uint8Array(rows.reduce((sum, { sealed }) => sum + sealed.length, 0))
  let end = 0
  const ends = rows.map(({ sealed }) => {
    bytes.set(sealed, end)
    end += sealed.length
    return end
  })
  return { dataKeys, decisionIds: rows.map(({ decisionId }) => decisionId), bytes, ends }
}
