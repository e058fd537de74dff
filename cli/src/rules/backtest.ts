// `ringfence rules backtest`: what would these rules have done? Runs them over stored reports, or a file of reports, with labels.

import { createReadStream, createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { systemClock } from '@ringfence/server/clock.ts'
import { openCompression } from '@ringfence/server/device/store/compression.ts'
import { storedReports } from '@ringfence/server/device/store/stored-reports.ts'
import { type BacktestOptions, backtest, type Hit } from '@ringfence/server/rules/backtest.ts'
import type { Rule } from '@ringfence/server/rules/rule.ts'
import { readReportLine, type StoredReport } from '@ringfence/server/rules/stored-report.ts'
import { findReportLabels } from '@ringfence/server/storage/report-labels.ts'
import type { Command } from 'commander'
import { CommandFailed, exitCodes, unreadable } from '../failure.ts'
import { addTenantOptions, type TenantOptions } from '../tenant-options.ts'
import { resultText } from './backtest-report.ts'
import { checkedRuleFile } from './rules-file.ts'
import { type VersionName, versionName, versionOf, withRules } from './rules-store.ts'

interface Options extends TenantOptions {
  rules?: string
  try?: VersionName
  against?: VersionName
  hits?: string
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
    .option('--hits <file>', 'write every matching report, one JSON object per line')
    .addHelpText(
      'after',
      `
A report is { "requestId", "dfrId", "at", "input", "outcome" }, all but requestId and input optional, or a report as
returned by /client/v1/device-fingerprint. Labels are those of the tenant's data, unless a line has an outcome.

Examples:
  ringfence rules backtest                        the draft, on the stored reports
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
  const stopped = new AbortController()
  const stop = () => stopped.abort(new CommandFailed('stopped before the end', { exitCode: exitCodes.interrupted }))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    const { signal } = stopped
    const result = await withContestants(options, file === undefined, ({ kept, ...contestants }) =>
      withHits(options.hits, (onHit) => {
        const reports = file === undefined ? kept! : reportsOf(file, signal)
        return backtest({ signal, ...(onHit && { onHit }), ...progress(), reports, ...contestants })
      }),
    )
    console.log(options.json ? JSON.stringify(result) : resultText(result))
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

interface Contestants extends Pick<BacktestOptions, 'rules' | 'against' | 'labelsOf'> {
  /** The stored reports, when a data folder is open. */
  readonly kept?: AsyncIterable<StoredReport>
}

/** The rules to test, the rules to compare with, reports and labels, as the options say. */
async function withContestants<T>(
  options: Options,
  needsData: boolean,
  work: (contestants: Contestants) => Promise<T>,
): Promise<T> {
  const fromFile = options.rules === undefined ? undefined : checkedRuleFile(options.rules, options.json).rules
  const namesData = needsData || options.tenant !== undefined || options.against !== undefined
  if (fromFile && !namesData) return work({ rules: fromFile })
  return withRules(options, async (sets, { id }, store) => {
    const { database } = store
    const ofVersion = async (name: VersionName): Promise<readonly Rule[]> =>
      (await sets.read(id, await versionOf(sets, id, name))).rules
    const newest = async (): Promise<VersionName> => {
      const versions = await sets.versions(id)
      const isThere = (stage: 'draft' | 'shadow') => versions.some(({ stages }) => stages.includes(stage))
      return isThere('draft') ? 'draft' : isThere('shadow') ? 'shadow' : 'live'
    }
    return work({
      rules: fromFile ?? (await ofVersion(options.try ?? (await newest()))),
      against: await ofVersion(options.against ?? 'live'),
      kept: storedReports(id, { ...store, clock: systemClock, compression: openCompression() }),
      labelsOf: (reports) => findReportLabels(database, id, reports),
    })
  })
}

/** A longer line is not a report; a file without line breaks would fill the memory. */
const longestLine = 1_048_576

async function* reportsOf(file: string, signal: AbortSignal): AsyncGenerator<StoredReport> {
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
    for await (const chunk of source as AsyncIterable<string>) {
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
    const { requestId, dfrId, at } = report
    const hit = {
      requestId,
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

/** A counter on a terminal, on stderr, so that stdout holds only the result. */
function progress(stream: NodeJS.WriteStream = process.stderr): Pick<BacktestOptions, 'onProgress'> {
  if (!stream.isTTY) return {}
  return {
    onProgress(reports) {
      if (reports % 10_000 === 0) stream.write(`\r${reports.toLocaleString('en')} reports\r`)
    },
  }
}
