// What would these rules have decided? Replays stored decisions inside a running server, and leaves the event loop half of the time.

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { findDecisionLabels } from '../../device/store/labels/report-labels.ts'
import { type BacktestOptions, type BacktestResult, backtest } from '../../rules/backtests/backtest.ts'
import { pathsReadBy } from '../../rules/backtests/projection.ts'
import type { StoredReport } from '../../rules/backtests/stored-report.ts'
import { storedDecisions } from '../stored/stored-decisions.ts'
import { listsForReplay } from './lists-for-replay.ts'
import type { RuleChangesNeeds } from './room.ts'

export interface ReplayOptions extends Pick<BacktestOptions, 'rules' | 'against' | 'onProgress' | 'signal'> {
  /** Only this many decisions, the newest ones. */
  readonly newest?: number
  /** Only decisions from this moment, epoch milliseconds. */
  readonly from?: number
  /** Without it, examples of each rule and change are few. */
  readonly examples?: number
}

export type ReplayResources = Pick<
  RuleChangesNeeds,
  'compression' | 'database' | 'tenantKeyring' | 'clock' | 'settings' | 'log' | 'rules'
>

/** Decisions of a page: what this thread does without a turn of the event loop. */
const pageRows = 100
/** Other threads open the records; one of them is enough beside a server's own work. */
const threads = 1
const longestPauseMs = 100
/** So few are opened here, a page at a turn, before another thread would have started. Somebody waits for the answer. */
const fewDecisions = 2_000
/** Of `pendingChecks`, beside what rules read. */
const alsoRead = ['account.sessions', 'telecom.homeOperator']

/** @throws the reason of `signal` */
export async function replayDecisions(
  resources: ReplayResources,
  tenantId: string,
  { rules, against, newest, from, examples, onProgress, signal }: ReplayOptions,
): Promise<BacktestResult> {
  const {
    database,
    rules: { lookUps: listLookUps },
    log,
  } = resources
  const sets = against ? [rules, against] : [rules]
  const isShort = newest !== undefined && newest <= fewDecisions
  const reports = storedDecisions(tenantId, resources, {
    paths: [...pathsReadBy(sets), ...alsoRead],
    onThreadError: (error) => log.warn({ err: error }, 'a thread that opens decisions has ended'),
    ...{ threads: isShort ? 0 : threads, pageRows },
    ...(newest !== undefined && { newest }),
    ...(from !== undefined && { from }),
  })
  return backtest({
    rules,
    reports: isShort ? inTurns(reports) : paced(reports),
    countCalls: true,
    labelsOf: (page) => findDecisionLabels(database, tenantId, page),
    ...(await listsForReplay(sets, tenantId, listLookUps)),
    ...(against && { against }),
    ...(examples !== undefined && { examples }),
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  })
}

/** Lets other requests in after each page. */
async function* inTurns(pages: AsyncIterable<readonly StoredReport[]>): AsyncGenerator<readonly StoredReport[]> {
  for await (const page of pages) {
    yield page
    await nextTurn()
  }
}

/** Rests after each page as long as the page took. */
async function* paced(pages: AsyncIterable<readonly StoredReport[]>): AsyncGenerator<readonly StoredReport[]> {
  let began = performance.now()
  for await (const page of pages) {
    yield page
    await pause(Math.min(performance.now() - began, longestPauseMs))
    began = performance.now()
  }
}
