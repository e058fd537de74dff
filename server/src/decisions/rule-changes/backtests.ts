// What would a version have decided? A backtest is a job: a person starts it, looks how far it is, and reads or cancels it later.

import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import type { BacktestResult } from '../../rules/backtests/backtest.ts'
import { decisionsSince } from '../store/decisions.ts'
import { type ReplayResources, replayDecisions } from './replay.ts'
import type { RuleChangesNeeds } from './room.ts'
import { Interrupted } from './running-backtests.ts'
import {
  type BacktestRow,
  cancelBacktest,
  endBacktest,
  findBacktest,
  insertBacktest,
  listBacktests,
  putBacktestProgress,
} from './store/backtests.ts'

export interface BacktestOrder {
  readonly version: number
  readonly against: number
  /** Only the decisions of the last days. */
  readonly days: number
}

/** `interrupted`: its server has ended or is gone. */
export type BacktestJobState = BacktestRow['state'] | 'interrupted'

export interface BacktestJob extends BacktestOrder {
  readonly id: string
  readonly state: BacktestJobState
  readonly startedAt: number
  readonly startedBy: string
  readonly done: number
  /** Decisions to replay, counted when it was started. */
  readonly total: number
  readonly result?: BacktestResult
}

type Resources = ReplayResources & Pick<RuleChangesNeeds, 'rules' | 'ruleChanges'>

type Content = BacktestOrder & { readonly by: string }

export const backtestContext = (tenantId: string, id: string) => `backtest ${tenantId} ${id}`
export const backtestResultContext = (tenantId: string, id: string) => `backtest_result ${tenantId} ${id}`

const writeEveryMs = 1_000
/** A job whose server has not written for this long was interrupted. */
const silentMs = 30_000
const mostListed = 20
const dayMs = 86_400_000

export class Backtests {
  readonly #resources: Resources

  constructor(resources: Resources) {
    this.#resources = resources
  }

  /** Refuses with `backtestsBusy` beyond what a server or tenant runs at a time. @throws RuleChangeRefused for an unknown version */
  async start(tenantId: string, order: BacktestOrder, by: string): Promise<BacktestJob> {
    const { database, tenantKeyring, clock, rules, ruleChanges } = this.#resources
    const id = randomUUID()
    const stored = Promise.withResolvers<void>()
    // In its place before the first wait: otherwise many calls at once would all pass the limit.
    ruleChanges.running.begin(id, tenantId, (stop) =>
      stored.promise.then(
        () => run({ tenantId, id }, order, stop, this.#resources),
        () => undefined,
      ),
    )
    try {
      await Promise.all([rules.read(tenantId, order.version), rules.read(tenantId, order.against)])
      const keys = await tenantKeyring.keysOf(tenantId)
      const content: Content = { ...order, by }
      const sealed = keys.seal(JSON.stringify(content), backtestContext(tenantId, id))
      const total = await decisionsSince(database, tenantId, clock.now() - order.days * dayMs)
      await insertBacktest(database, { tenantId, id, startedAt: clock.now(), total, sealed })
      stored.resolve()
    } catch (error) {
      stored.reject(error)
      throw error
    }
    return this.read(tenantId, id)
  }

  /** Refuses with `backtestUnknown`. */
  async read(tenantId: string, id: string): Promise<BacktestJob> {
    const row = await findBacktest(this.#resources.database, tenantId, id)
    if (!row) throw new Refusal('backtestUnknown')
    return this.#shown(row)
  }

  /** Newest first, without results. */
  async list(tenantId: string): Promise<BacktestJob[]> {
    const rows = await listBacktests(this.#resources.database, tenantId, mostListed)
    return Promise.all(rows.map((row) => this.#shown(row)))
  }

  async #shown(row: BacktestRow): Promise<BacktestJob> {
    const { tenantKeyring, clock, ruleChanges } = this.#resources
    const { tenantId, id, startedAt, done, total, sealedResult } = row
    const keys = await tenantKeyring.keysOf(tenantId)
    const { by, ...order }: Content = JSON.parse(keys.open(row.sealed, backtestContext(tenantId, id)))
    const isSilent = !ruleChanges.running.has(id) && clock.now() - row.writtenAt > silentMs
    const state = row.state === 'running' && isSilent ? 'interrupted' : row.state
    return {
      ...order,
      ...{ id, state, startedAt, startedBy: by, done, total },
      ...(sealedResult && { result: JSON.parse(keys.open(sealedResult, backtestResultContext(tenantId, id))) }),
    }
  }

  /** It ends within a second or two, on whichever server it runs. False when it has ended. */
  async cancel(tenantId: string, id: string): Promise<boolean> {
    const { database, ruleChanges } = this.#resources
    if (!(await findBacktest(database, tenantId, id))) throw new Refusal('backtestUnknown')
    const isCancelled = await cancelBacktest(database, tenantId, id)
    if (isCancelled) ruleChanges.running.stop(id, new Cancelled())
    return isCancelled
  }
}

/** Replays the decisions, and stores how far it is and what comes of it. */
async function run(
  row: { tenantId: string; id: string },
  order: BacktestOrder,
  stop: AbortController,
  resources: Resources,
): Promise<void> {
  const { database, tenantKeyring, clock, log, rules } = resources
  const { tenantId, id } = row
  let done = 0
  let wroteAt = performance.now()
  let writing: Promise<void> | undefined
  const end = async (state: BacktestRow['state'], result?: BacktestResult) => {
    const keys = await tenantKeyring.keysOf(tenantId)
    const sealedResult = result ? keys.seal(JSON.stringify(result), backtestResultContext(tenantId, id)) : null
    await endBacktest(database, { ...row, state, done, writtenAt: clock.now(), sealedResult })
  }
  const write = async () => {
    const isCancelled = await putBacktestProgress(database, { ...row, done, writtenAt: clock.now() })
    if (isCancelled) stop.abort(new Cancelled())
  }
  try {
    const result = await replayDecisions(resources, tenantId, {
      rules: await rules.read(tenantId, order.version),
      against: await rules.read(tenantId, order.against),
      from: clock.now() - order.days * dayMs,
      signal: stop.signal,
      onProgress(reports) {
        done = reports
        if (performance.now() - wroteAt < writeEveryMs || writing) return
        wroteAt = performance.now()
        writing = write()
          .catch((error) => log.warn({ err: error }, 'the progress of a backtest was not stored'))
          .finally(() => {
            writing = undefined
          })
      },
    })
    await writing
    await end('done', result)
  } catch (error) {
    if (error instanceof Interrupted) return
    if (!(error instanceof Cancelled)) log.warn({ err: error }, 'a backtest failed')
    await end(error instanceof Cancelled ? 'cancelled' : 'failed').catch(() => undefined)
  }
}

class Cancelled extends Error {
  override name = 'Cancelled'
}
