// `ringfence numbers`: which operator serves a number? Imports and lists files of ported numbers and allocation ranges.

import { statSync } from 'node:fs'
import { systemClock } from '@ringfence/server/core/clock.ts'
import {
  type ImportSummary,
  importNumbers,
  type MappedFile,
} from '@ringfence/server/telecom/portability-sources/import-numbers.ts'
import { type NumberDataSet, readManifest } from '@ringfence/server/telecom/portability-sources/manifest.ts'
import { type NumberMapping, readMapping } from '@ringfence/server/telecom/portability-sources/mapping/mapping.ts'
import { AlreadyImported, printable } from '@ringfence/server/telecom/portability-sources/number-file-error.ts'
import { utcTimeOf } from '@ringfence/server/telecom/portability-sources/number-file-head.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { type Answer, answering } from './answer.ts'
import { configurationOf, type PlaceOptions } from './configuration.ts'
import { CommandFailed, unreadable } from './failure.ts'
import { explainNumber, lookUpNumber, noNumbers, numberStatus } from './numbers-look-up.ts'
import { progressBar } from './progress.ts'
import { stoppable } from './stopping.ts'
import { isoTime, minuteText, tableOf } from './table.ts'

interface ImportOptions extends PlaceOptions {
  json?: true
  mapping?: string | undefined
  asOf?: number | undefined
  follows?: number | undefined
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
  ringfence numbers import gb.csv.gz --mapping gb.yaml --as-of 2026-11-01
  ringfence numbers increment ported-2026-11-02.csv ported-2026-11-03.csv
  ringfence numbers list
  ringfence numbers status
  ringfence numbers lookup 31612345678
  ringfence numbers explain 31612345678

Running servers use an import within about a second. docs/guides/number-data.md describes the file formats.`,
    )
  reading(command('import', 'Import a CSV file; a file with an error changes nothing'), '<file>').action(
    (file: string, options: ImportOptions) => importFiles([file], options, false),
  )
  reading(command('increment', 'Import the changes since the imported data, one file or several in order'), '<file...>')
    .option(
      '--follows <time>',
      'with --mapping: as-of of the data that it continues (default: the imported data)',
      timeOf,
    )
    .action((files: string[], options: ImportOptions) => importFiles(files, options, true))
    .addHelpText(
      'after',
      `
Each file takes effect as a whole. After an error or a kill, run the same command again: files that were imported already are
skipped.`,
    )
  command('list', 'List the imported data').action(answering(list))
  command('status', 'How old the imported data are, and whether they can be read').action(
    answering((place: PlaceOptions) => numberStatus(existingFolder(place))),
  )
  command('lookup', 'Say what the imported data know of a number')
    .argument('<number>', 'phone number with country code')
    .action(answering((number: string, place: PlaceOptions) => lookUpNumber(number, existingFolder(place))))
  command('explain', 'Say in which order the sources of a number are read, and what the imported data state')
    .argument('<number>', 'phone number with country code')
    .action(answering((number: string, place: PlaceOptions) => explainNumber(number, existingFolder(place), place)))

  function command(name: string, description: string): Command {
    return numbers
      .command(name)
      .description(description)
      .option('--data <folder>', 'data folder of the server (DATA_FOLDER; default ringfence-data)')
      .option('--config <file>', 'configuration file (CONFIG_FILE; default ringfence.yaml, if it exists)')
      .option('--json', 'print one line of JSON')
  }
}

/** What both kinds of import have. */
function reading(command: Command, files: string): Command {
  return command
    .argument(files, 'CSV file, also compressed with gzip')
    .option('--mapping <file>', 'YAML file that says how to read a file of another format')
    .option(
      '--as-of <time>',
      'with --mapping: the time at which the data was true, such as 2026-10-31T02:00:00Z',
      timeOf,
    )
}

function timeOf(text: string): number {
  const time = utcTimeOf(text)
  if (time !== undefined) return time
  throw new InvalidArgumentError('It must be a date or a time in UTC, such as 2026-10-31T02:00:00Z.')
}

function mappedFile(
  { mapping, asOf, follows }: ImportOptions,
  isIncrement: boolean,
  fileCount: number,
): MappedFile | undefined {
  if (mapping === undefined && asOf === undefined && follows === undefined) return undefined
  if (mapping === undefined || asOf === undefined) {
    throw new CommandFailed(
      '--mapping needs --as-of, and the other way round: files in our own format have their as-of in them',
    )
  }
  if (fileCount > 1) {
    throw new CommandFailed('--as-of is the time of one file: import files with a mapping one after the other')
  }
  return { mapping: mappingOf(mapping), asOf, isIncrement, ...(follows !== undefined && { follows }) }
}

function mappingOf(file: string): NumberMapping {
  try {
    return readMapping(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw unreadable(file, error)
  }
}

async function importFiles(
  files: readonly string[],
  { json, mapping, asOf, follows, ...place }: ImportOptions,
  isIncrement: boolean,
): Promise<void> {
  const mapped = mappedFile({ mapping, asOf, follows }, isIncrement, files.length)
  const dataFolder = existingFolder(place)
  let imported = 0
  const soFar = () => (imported === 0 ? 'nothing was imported' : `${imported} of ${files.length} files were imported`)
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isDirectory()) throw new CommandFailed(`${printable(file)} is a folder: name a CSV file`)
    // A pipe is read once and from its beginning; an import looks at its file several times.
    if (found && !found.isFile())
      throw new CommandFailed(`${printable(file)} is a pipe or a device: write it to a file first`)
  }
  const importAll = async (signal: AbortSignal) => {
    for (const file of files) {
      await importFile({ file, dataFolder, mapped, isIncrement, signal, json })
      imported++
    }
  }
  await stoppable(importAll, () => `stopped: ${soFar()}`)
}

interface OneImport {
  file: string
  dataFolder: string
  mapped: MappedFile | undefined
  isIncrement: boolean
  signal: AbortSignal
  json: true | undefined
}

async function importFile({ file, dataFolder, mapped, isIncrement, signal, json }: OneImport): Promise<void> {
  const progress = progressBar()
  try {
    const summary = await importNumbers({
      file,
      dataFolder,
      clock: systemClock,
      onProgress: progress.show,
      signal,
      incrementOnly: isIncrement,
      ...(mapped && { mapped }),
    })
    progress.end()
    console.log(json ? JSON.stringify({ ...summary, asOf: isoTime(summary.asOf) }) : summaryText(summary))
    for (const doubt of doubtsAbout(summary)) console.error(`Warning: ${doubt}`)
  } catch (error) {
    if (error instanceof AlreadyImported && isIncrement) {
      progress.end()
      console.log(
        json ? JSON.stringify({ file, alreadyImported: true }) : `${printable(file)} was imported before: skipped.`,
      )
      return
    }
    if ((error as NodeJS.ErrnoException).path === file) throw unreadable(file, error)
    throw error
  } finally {
    progress.end()
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

/** What a wrong column, calling code or `complete` looks like. */
function doubtsAbout({ rows, numbers, callingCode, complete }: ImportSummary): string[] {
  if (!numbers || rows === 0) return []
  const { impossible, sampled, invalid, outsideComplete } = numbers
  const of = sampled === rows ? `${count(rows)}` : `a sample of ${count(sampled)}`
  return [
    ...(impossible > 0
      ? [`${rowCount(impossible)} of ${count(rows)} have a number whose length +${callingCode} does not have.`]
      : []),
    ...(invalid > impossible && invalid > sampled * mostInvalid
      ? [
          `${count(invalid)} of ${of} numbers are not valid in +${callingCode}. Is the column of the numbers right? Checks refuse such numbers.`,
        ]
      : []),
    ...(complete.length > 0 && outsideComplete === sampled
      ? [
          `None of ${of} numbers is within complete (${complete.join(' ')}), where every other number is now not ported.`,
        ]
      : []),
  ]
}

/** Numbering plans change, so a few are normal. */
const mostInvalid = 0.1

function list(place: PlaceOptions): Answer {
  const { dataSets } = readManifest(existingFolder(place))
  return [dataSets.map(asJson), asTable(dataSets)]
}

function asJson({ source, kind, callingCode, asOf, importedAt, complete, ...files }: NumberDataSet) {
  const times = { asOf: isoTime(asOf), importedAt: isoTime(importedAt) }
  return { source, kind, callingCode, ...times, complete, rows: rowsOf(files) }
}

function asTable(dataSets: readonly NumberDataSet[]): string {
  const head = ['SOURCE', 'KIND', 'CALLING CODE', 'AS OF', 'ROWS', 'COMPLETE FOR', 'IMPORTED']
  return tableOf(dataSets, noNumbers, head, ({ source, kind, callingCode, asOf, importedAt, complete, ...files }) => [
    source,
    kind,
    callingCode,
    minuteText(asOf),
    count(rowsOf(files)),
    complete.length > 3 ? `${complete.slice(0, 3).join(' ')} and ${complete.length - 3} more` : complete.join(' '),
    minuteText(importedAt),
  ])
}

const rowsOf = ({ base, increments }: Pick<NumberDataSet, 'base' | 'increments'>) => base.rows + (increments?.rows ?? 0)
const count = (number: number) => number.toLocaleString('en')
const rowCount = (rows: number) => `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`
