// `ringfence numbers`: which operator serves a number? Imports and lists files of ported numbers and allocation ranges.

import { statSync } from 'node:fs'
import { systemClock } from '@ringfence/server/clock.ts'
import { type ImportSummary, importNumbers } from '@ringfence/server/telecom/portability-sources/import-numbers.ts'
import { type NumberDataSet, readManifest } from '@ringfence/server/telecom/portability-sources/manifest.ts'
import type { Command } from 'commander'
import { configurationOf, type PlaceOptions } from './configuration.ts'
import { CommandFailed, exitCodes, unreadable } from './failure.ts'
import { progressBar } from './progress.ts'
import { minuteText, table } from './table.ts'

interface Options extends PlaceOptions {
  json?: true
}

export function addNumbers(ringfence: Command): void {
  const numbers = ringfence
    .command('numbers')
    .description('Manage number data: which operator serves a number, and whether it was ported')
    .addHelpText(
      'after',
      `
Examples:
  ringfence numbers import ported-2026-11.csv
  ringfence numbers import --data /var/lib/ringfence ranges.csv
  ringfence numbers list

Running servers use an import within about a second. docs/guides/number-data.md describes the file formats.`,
    )
  command('import', 'Import a CSV file; a file with an error changes nothing')
    .argument('<file>', 'CSV file')
    .action(importFile)
  command('list', 'List the imported data').action(list)

  function command(name: string, description: string): Command {
    return numbers
      .command(name)
      .description(description)
      .option('--data <folder>', 'data folder of the server (DATA_FOLDER; default ringfence-data)')
      .option('--config <file>', 'configuration file (CONFIG_FILE; default ringfence.yaml, if it exists)')
      .option('--json', 'print one line of JSON')
  }
}

async function importFile(file: string, { json, ...place }: Options): Promise<void> {
  const dataFolder = existingFolder(place)
  const stopped = new AbortController()
  const stop = () =>
    stopped.abort(new CommandFailed('stopped: nothing was imported', { exitCode: exitCodes.interrupted }))
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CommandFailed(`${file} is a folder: name a CSV file`)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const progress = progressBar()
  try {
    const { signal } = stopped
    const summary = await importNumbers({ file, dataFolder, clock: systemClock, onProgress: progress.show, signal })
    progress.end()
    console.log(json ? JSON.stringify({ ...summary, asOf: isoTime(summary.asOf) }) : summaryText(summary))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).path === file) throw unreadable(file, error)
    throw error
  } finally {
    progress.end()
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** A mistyped folder would otherwise be created, and no server would use it. */
function existingFolder(place: PlaceOptions): string {
  const { dataFolder } = configurationOf(place).settings
  if (statSync(dataFolder, { throwIfNoEntry: false })?.isDirectory()) return dataFolder
  throw new CommandFailed(
    `folder ${dataFolder} does not exist: name the server's data folder with --data DIR, or create one with ringfence init`,
  )
}

function summaryText({
  source,
  kind,
  contents,
  asOf,
  rows,
  rowsHeld,
  complete,
  bytes,
  durationMs,
}: ImportSummary): string {
  const what = kind === 'ported-numbers' ? `ported numbers, ${contents}` : 'allocation ranges'
  const seconds = (durationMs / 1000).toFixed(1)
  return `Imported ${rowCount(rows)} of ${source} (${what}) as of ${minuteText(asOf)} in ${seconds} s.
Stored now: ${rowCount(rowsHeld)}, ${count(bytes)} bytes. Complete for: ${complete.join(' ') || 'no prefix, so a number that is not listed may still be ported'}`
}

async function list({ json, ...place }: Options): Promise<void> {
  const { dataSets } = readManifest(existingFolder(place))
  console.log(json ? JSON.stringify(dataSets.map(asJson)) : asTable(dataSets))
}

function asJson({ source, kind, callingCode, asOf, importedAt, complete, ...files }: NumberDataSet) {
  const times = { asOf: isoTime(asOf), importedAt: isoTime(importedAt) }
  return { source, kind, callingCode, ...times, complete, rows: rowsOf(files) }
}

function asTable(dataSets: readonly NumberDataSet[]): string {
  if (dataSets.length === 0) return 'There is no number data. Import a file: ringfence numbers import FILE'
  return table(
    ['SOURCE', 'KIND', 'CALLING CODE', 'AS OF', 'ROWS', 'COMPLETE FOR', 'IMPORTED'],
    dataSets.map(({ source, kind, callingCode, asOf, importedAt, complete, ...files }) => [
      source,
      kind,
      callingCode,
      minuteText(asOf),
      count(rowsOf(files)),
      complete.length > 3 ? `${complete.slice(0, 3).join(' ')} and ${complete.length - 3} more` : complete.join(' '),
      minuteText(importedAt),
    ]),
  )
}

const rowsOf = ({ base, increments }: Pick<NumberDataSet, 'base' | 'increments'>) => base.rows + (increments?.rows ?? 0)
const isoTime = (epochMs: number) => new Date(epochMs).toISOString()
const count = (number: number) => number.toLocaleString('en')
const rowCount = (rows: number) => `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`
