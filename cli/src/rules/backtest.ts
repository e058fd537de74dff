// `ringfence rules backtest`: what would these rules have done? Runs them over stored reports, or a file of reports, with labels.

import { createReadStream, createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { systemClock } from '@ringfence/server/clock.ts'
import { decidedSince } from '@ringfence/server/decisions/retention.ts'
import { storedDecisions } from '@ringfence/server/decisions/stored-decisions.ts'
import { openCompression } from '@ringfence/server/device/store/compression.ts'
import { storedReports } from '@ringfence/server/device/store/stored-reports.ts'
import { type BacktestOptions, backtest, type Hit } from '@ringfence/server/rules/backtest.ts'
import type { RuleSet } from '@ringfence/server/rules/rule.ts'
import { readReportLine, type StoredReport } from '@ringfence/server/rules/stored-report.ts'
import { NotReplayable } from '@ringfence/server/rules/velocities/replay.ts'
import { findReportLabels } from '@ringfence/server/storage/report-labels.ts'
import type { Command } from 'commander'
import { CommandFailed, exitCodes, unreadable } from '../failure.ts'
import { addTenantOptions, type TenantOptions } from '../tenant-options.ts'
import { withLists } from './backtest-lists.ts'
import { type BacktestProgress, progressOf } from './backtest-progress.ts'
import { resultText } from './backtest-report.ts'
import { checkedRuleFile } from './rules-file.ts'
import { type VersionName, versionName, versionOf, withRules } from './rules-store.ts'

interface Options extends TenantOptions {
  rules?: string
  try?: VersionName
  against?: VersionName
  hits?: string
  decisions?: true
}

export function addBacktest(rules: Command): void {
  addTenantOptions(
    rules.command('backtest').description('Run rules over past reports, and compare the results with labels'),
    'rules',
  )
    .argument('[reports]', 'file of reports, one JSON object per line; - for stdin; default: the stored reports')
    .option('--rules <file>', 'rules from a file; without --tenant it needs no data folder')
    .option(
      '--try <version>',
      'rules of a version (default: the draft, else the version in shadow, else the live one)',
      versionName,
    )
    .option('--against <version>', 'compare with this version (default: the live one)', versionName)
    .option('--decisions', 'replay the stored decisions in the order of their time, with velocities')
    .option('--hits <file>', 'write every matching report, one JSON object per line')
    .addHelpText(
      'after',
      `
A line is { "requestId", "dfrId", "at", "input", "outcome" }, all but requestId and input optional, or a report as
returned by /client/v1/device-fingerprint. A decision has "decisionId" and "at" instead of "requestId"; lines of decisions
are in the order of "at". Labels are those of the tenant's data, unless a line has an outcome.
Velocities count decisions from the first one of the replay. Lists are as they are now.

Examples:
  ringfence rules backtest                        the draft, on the stored reports
  ringfence rules backtest --decisions            the draft, on the stored decisions
  ringfence rules backtest --try live             how good are the live rules?
  ringfence rules backtest --hits hits.jsonl      also write every matching session
  ringfence rules backtest reports.jsonl --rules rules.yaml`,
    )
    .action(run)
}

async function run(file: string | undefined, options: Options): Promise<void> {
  if (options.rules !== undefined && options.try !== undefined) {
    throw new CommandFailed('choose --rules or --try, not both', { exitCode: exitCodes.usage })
  }
  if (options.decisions && file !== undefined) {
    throw new CommandFailed('choose a file or --decisions, not both', { exitCode: exitCodes.usage })
  }
  const stopped = new AbortController()
  const stop = () => stopped.abort(new CommandFailed('stopped before the end', { exitCode: exitCodes.interrupted }))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    const { signal } = stopped
    const result = await withContestants(options, file === undefined, ({ kept, since, ...contestants }) =>
      withHits(options.hits, (onHit) => {
        const now = systemClock.now()
        const progress = progressOf({ file, from: since, now })
        const reports = file === undefined ? kept! : reportsOf(file, signal, progress)
        return backtest({ signal, ...(onHit && { onHit }), ...progress, reports, ...contestants }).finally(progress.end)
      }),
    )
    console.log(options.json ? JSON.stringify(result) : resultText(result))
  } catch (error) {
    throw error instanceof NotReplayable ? new CommandFailed(error.message) : error
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

interface Contestants extends Pick<BacktestOptions, 'rules' | 'against' | 'labelsOf' | 'inListFor'> {
  /** The stored reports, when a data folder is open. */
  readonly kept?: AsyncIterable<StoredReport>
  /** Of stored decisions: the time from which they are stored. */
  readonly since?: number
}

/** The rules to test, the rules to compare with, reports and labels, as the options say. */
async function withContestants<T>(
  options: Options,
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
    const stored = { ...store, clock: systemClock, compression: openCompression() }
    return withLists([rules, against], id, store, (lists) =>
      work({
        ...{ rules, against, ...lists },
        ...(options.decisions
          ? { kept: storedDecisions(id, stored), since: decidedSince(systemClock.now(), store.settings) }
          : { kept: storedReports(id, stored) }),
        labelsOf: (reports) => findReportLabels(database, id, reports),
      }),
    )
  })
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

/** Runs `work` with a file for the hits, which is complete when `work` has ended. */
async function withHits<T>(
  file: string | undefined,
  work: (onHit: BacktestOptions['onHit']) => Promise<T>,
): Promise<T> {
  if (file === undefined) return work(undefined)
  const stream = createWriteStream(file, { mode: 0o600 })
  const ended = finished(stream)
  ended.catch(() => undefined)
  const write = async ({ report, evaluation, label }: Hit): Promise<void> => {
    const { requestId, dfrId, decisionId, at } = report
    const hit = {
      ...(decisionId === undefined ? { requestId } : { decisionId }),
      ...(dfrId !== undefined && { dfrId }),
      ...(at !== undefined && { at: new Date(at).toISOString() }),
      action: evaluation.ruleAction.action,
      rules: evaluation.fired.map(({ id }) => id),
      ...(label !== undefined && { outcome: label }),
    }
    if (stream.write(`${JSON.stringify(hit)}\n`)) return
    await Promise.race([new Promise((resolve) => stream.once('drain', resolve)), ended])
  }
  try {
    const result = await work(write)
    stream.end()
    await ended
    return result
  } catch (error) {
    stream.destroy()
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined ? error : new CommandFailed(`${file} cannot be written: ${(error as Error).message}`)
  }
}
