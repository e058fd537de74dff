// `ringfence numbers`: which operator serves a number? Files of ported numbers and of allocation ranges are imported and listed.

import { statSync } from 'node:fs'
import { systemClock } from '@ringfence/server/clock.ts'
import { type ImportSummary, importNumbers } from '@ringfence/server/telecom/portability-sources/import-numbers.ts'
import { type NumberDataSet, readManifest } from '@ringfence/server/telecom/portability-sources/manifest.ts'
import type { Command } from 'commander'
import { configurationOf, type PlaceOptions } from './configuration.ts'
import { CommandFailed, exitCodes } from './failure.ts'
import { progressBar } from './progress.ts'
import { minuteText, table } from './table.ts'

interface Options extends PlaceOptions {
  json?: true
}

export function addNumbers(ringfence: Command): void {
  const numbers = ringfence
    .command('numbers')
    .description('Imported number data: which operator serves a number, and was it ported')
    .addHelpText(
      'after',
      `
Examples:
  ringfence numbers import ported-2026-11.csv
  ringfence numbers import --data /var/lib/ringfence ranges.csv
  ringfence numbers list

The formats are described in docs/guides/number-data.md. A running server takes an import up within about a second.`,
    )
  command('import', 'Import a file, all of it or nothing').argument('<file>', 'CSV file').action(importFile)
  command('list', 'List what has been imported').action(list)

  function command(name: string, description: string): Command {
    return numbers
      .command(name)
      .description(description)
      .option('--data <folder>', 'data folder of the server (DATA_FOLDER; default ringfence-data)')
      .option('--config <file>', 'configuration file (CONFIG_FILE; default ringfence.yaml, if there is one)')
      .option('--json', 'one line of JSON')
  }
}

async function importFile(file: string, { json, ...place }: Options): Promise<void> {
  const dataFolder = existingFolder(place)
  const stopped = new AbortController()
  const stop = () =>
    stopped.abort(new CommandFailed('stopped; nothing has been imported', { exitCode: exitCodes.interrupted }))
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
  } finally {
    progress.end()
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** A mistyped folder would otherwise be made, and no server would ever look there. */
function existingFolder(place: PlaceOptions): string {
  const { dataFolder } = configurationOf(place).settings
  if (statSync(dataFolder, { throwIfNoEntry: false })?.isDirectory()) return dataFolder
  throw new CommandFailed(
    `there is no folder ${dataFolder}: name the data folder of the server with --data DIR, or make one with ringfence init`,
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
Held now: ${rowCount(rowsHeld)}, ${count(bytes)} bytes. Complete for: ${complete.join(' ') || 'nothing, so no number is stated as not ported'}`
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
  if (dataSets.length === 0) return 'Nothing has been imported. Import a file with: ringfence numbers import FILE'
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
