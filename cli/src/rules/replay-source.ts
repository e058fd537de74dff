// What does a backtest run on? Stored reports, stored decisions or a file of them, with rules, labels and lists, until it is interrupted.

import { createReadStream } from 'node:fs'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { decidedSince } from '@ringfence/server/decisions/record/retention.ts'
import { storedDecisions } from '@ringfence/server/decisions/stored/stored-decisions.ts'
import { openCompression } from '@ringfence/server/device/store/compression/compression.ts'
import { findDecisionLabels, findReportLabels } from '@ringfence/server/device/store/labels/report-labels.ts'
import { storedReports } from '@ringfence/server/device-report/stored-reports.ts'
import type { BacktestOptions } from '@ringfence/server/rules/backtests/backtest.ts'
import { pathsReadBy } from '@ringfence/server/rules/backtests/projection.ts'
import { readReportLine, type StoredReport } from '@ringfence/server/rules/backtests/stored-report.ts'
import type { RuleSet } from '@ringfence/server/rules/language/rule.ts'
import { NotReplayable } from '@ringfence/server/rules/velocities/replay.ts'
import { CommandFailed, exitCodes, unreadable } from '../failure.ts'
import { stoppable } from '../stopping.ts'
import type { TenantOptions } from '../tenant-options.ts'
import { withLists } from './backtest-lists.ts'
import { type BacktestProgress, progressOf } from './backtest-progress.ts'
import { checkedRuleFile } from './rules-file.ts'
import { type VersionName, versionOf, withRules } from './rules-store.ts'

export interface ReplayOptions extends TenantOptions {
  rules?: string
  try?: VersionName
  against?: VersionName
  decisions?: true
  /** Whether more is read of an input than these rules read. */
  wholeInputs?: true
}

export type Replay = Pick<
  BacktestOptions,
  'rules' | 'against' | 'labelsOf' | 'inListFor' | 'reports' | 'onProgress' | 'signal'
>

/** Runs `work` on the file, or on what is stored. Ctrl-C ends it. */
export async function withReplay<T>(
  file: string | undefined,
  options: ReplayOptions,
  work: (replay: Replay) => Promise<T>,
): Promise<T> {
  if (options.rules !== undefined && options.try !== undefined) {
    throw new CommandFailed('choose --rules or --try, not both', { exitCode: exitCodes.usage })
  }
  if (options.decisions && file !== undefined) {
    throw new CommandFailed('choose a file or --decisions, not both', { exitCode: exitCodes.usage })
  }
  const replayed = (signal: AbortSignal) =>
    withContestants(options, file === undefined, ({ kept, since, ...contestants }) => {
      const progress = progressOf({ file, from: since, now: systemClock.now() })
      const reports = file === undefined ? kept! : reportsOf(file, signal, progress)
      return work({ signal, onProgress: progress.onProgress, reports, ...contestants }).finally(progress.end)
    })
  try {
    return await stoppable(replayed, () => 'stopped before the end')
  } catch (error) {
    throw error instanceof NotReplayable ? new CommandFailed(error.message) : error
  }
}

interface Contestants extends Pick<BacktestOptions, 'rules' | 'against' | 'labelsOf' | 'inListFor'> {
  /** The stored reports, when a data folder is open. */
  readonly kept?: BacktestOptions['reports']
  /** Of stored decisions: the time from which they are stored. */
  readonly since?: number
}

/** The rules to test, the rules to compare with, reports and labels, as the options say. */
async function withContestants<T>(
  options: ReplayOptions,
  needsData: boolean,
  work: (contestants: Contestants) => Promise<T>,
): Promise<T> {
  const fromFile = options.rules === undefined ? undefined : checkedRuleFile(options.rules, options.json)
  const namesData = needsData || options.tenant !== undefined || options.against !== undefined
  if (fromFile && !namesData) return work({ rules: fromFile })
  return withRules(options, async (sets, { id }, store) => {
    const { database } = store
    const ofVersion = async (name: VersionName): Promise<RuleSet> => sets.read(id, await versionOf(sets, id, name))
    const newest = async (): Promise<VersionName> => {
      const versions = await sets.versions(id)
      const isThere = (stage: 'draft' | 'shadow') => versions.some(({ stages }) => stages.includes(stage))
      return isThere('draft') ? 'draft' : isThere('shadow') ? 'shadow' : 'live'
    }
    const rules = fromFile ?? (await ofVersion(options.try ?? (await newest())))
    const against = await ofVersion(options.against ?? 'live')
    const read = { onThreadError, ...(!options.wholeInputs && { paths: pathsReadBy([rules, against]) }) }
    const stored = { ...store, clock: systemClock, compression: openCompression() }
    return withLists([rules, against], id, store, (lists) =>
      work({
        ...{ rules, against, ...lists },
        ...(options.decisions
          ? { kept: storedDecisions(id, stored, read), since: decidedSince(systemClock.now(), store.settings) }
          : { kept: storedReports(id, stored) }),
        labelsOf: (reports) => (options.decisions ? findDecisionLabels : findReportLabels)(database, id, reports),
      }),
    )
  })
}

function onThreadError({ message }: Error): void {
  console.error(`A thread that opens decisions has ended, so this takes longer; the result is the same: ${message}`)
}

/** A longer line is not a report; a file without line breaks would fill the memory. */
const longestLine = 1_048_576

async function* reportsOf(
  file: string,
  signal: AbortSignal,
  { onBytes }: BacktestProgress,
): AsyncGenerator<StoredReport> {
  const source = file === '-' ? process.stdin : createReadStream(file)
  const refuse = (line: number, reason: string): never => {
    throw new CommandFailed(`${file}, line ${line}: ${reason}`)
  }
  let number = 0
  const read = (text: string): StoredReport | undefined => {
    number++
    if (text.trim() === '') return undefined
    try {
      return readReportLine(text)
    } catch (error) {
      return refuse(number, (error as Error).message)
    }
  }
  let rest = ''
  source.setEncoding('utf8')
  try {
    let bytes = 0
    for await (const chunk of source as AsyncIterable<string>) {
      bytes += Buffer.byteLength(chunk)
      onBytes(bytes)
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      if (rest.length > longestLine) refuse(number + lines.length + 1, `more than ${longestLine} characters`)
      for (const line of lines) {
        const report = read(line)
        if (report) yield report
      }
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof CommandFailed) throw error
    throw unreadable(file, error)
  }
  const last = read(rest)
  if (last) yield last
}
