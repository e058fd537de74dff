// `ringfence rules backtest`: what would these rules have done? Runs them over stored reports, or a file of reports, with labels.

import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { type BacktestOptions, backtest, type Hit } from '@ringfence/server/rules/backtests/backtest.ts'
import type { Command } from 'commander'
import { CommandFailed } from '../failure.ts'
import { addTenantOptions } from '../tenant-options.ts'
import { resultText } from './backtest-report.ts'
import { type ReplayOptions, withReplay } from './replay-source.ts'
import { versionName } from './rules-store.ts'

interface Options extends ReplayOptions {
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
    .option('--decisions', 'replay the stored decisions in the order of their time, with velocities')
    .option('--hits <file>', 'write every matching report, one JSON object per line')
    .addHelpText(
      'after',
      `
A line is { "requestId", "dfrId", "at", "input", "outcome" }, all but requestId and input optional, or a report as
returned by /client/v1/device-fingerprint. A decision has "decisionId" and "at" instead of "requestId"; lines of decisions
are in the order of "at". Labels are those of the tenant's data, unless a line has an outcome.
Velocities count decisions from the first one of the replay. An entry of a list counts from when it was added.

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
  const result = await withReplay(file, options, (replay) =>
    withHits(options.hits, (onHit) => backtest({ ...replay, ...(onHit && { onHit }) })),
  )
  console.log(options.json ? JSON.stringify(result) : resultText(result))
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
