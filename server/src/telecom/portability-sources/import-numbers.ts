// How is a number file imported? All of it or nothing: `ringfence numbers import FILE`.

import path from 'node:path'
import type { Clock } from '../../clock.ts'
import { CsvScanner } from './csv-scanner.ts'
import { importAllocationRanges } from './import-allocation-ranges.ts'
import { importPortedNumbers } from './import-ported-numbers.ts'
import type { ImportProgress, ImportResult, ImportTask } from './import-task.ts'
import type { NumberDataSet, NumberManifest } from './manifest.ts'
import { lockImports, numbersFolder, publishManifest, readManifest, removeUnlisted } from './manifest.ts'
import {
  type NumberFileContents,
  type NumberFileHead,
  type NumberFileKind,
  readNumberFileHead,
} from './number-file-head.ts'

/** An as-of may be ahead by the difference between time zones, no further. */
const MAX_AHEAD_MS = 86_400_000
const COMPACT_ABOVE_ROWS = 1_000_000

export interface ImportNumbersOptions {
  /** A file in the format of docs/guides/number-data.md. */
  readonly file: string
  readonly dataFolder: string
  readonly clock: Clock
  readonly onProgress?: (progress: ImportProgress) => void
  /** Stops the import, which then rejects with the signal's reason and has changed nothing. */
  readonly signal?: AbortSignal
  /** Increments with more rows than this are merged into the base file; 1,000,000 by default. */
  readonly compactAboveRows?: number
}

export interface ImportSummary {
  readonly source: string
  readonly kind: NumberFileKind
  readonly contents: NumberFileContents
  readonly callingCode: string
  /** The date of the data, in epoch milliseconds. */
  readonly asOf: number
  /** Rows of this file. */
  readonly rows: number
  /** Stored rows of the source. A number may be both in the base and in an increment. */
  readonly rowsHeld: number
  /** Prefixes and ranges in which the data are complete. */
  readonly complete: readonly string[]
  /** Size of the source on disk, in bytes. */
  readonly bytes: number
  readonly durationMs: number
}

/**
 * Imports a file of ported numbers or of allocation ranges into `<dataFolder>/numbers`. A running server uses it within about a
 * second. Run it in a separate process: it blocks the event loop for tens of milliseconds at a time.
 *
 * @throws NumberFileError when the file breaks its format or does not continue the imported data; nothing has changed then
 */
export async function importNumbers(options: ImportNumbersOptions): Promise<ImportSummary> {
  const { dataFolder, clock, signal } = options
  const startedAt = performance.now()
  signal?.throwIfAborted()
  const scanner = new CsvScanner(options.file)
  try {
    const unlock = lockImports(dataFolder)
    try {
      const manifest = readManifest(dataFolder)
      const head = readNumberFileHead(scanner)
      const previous = manifest.dataSets.find(({ source }) => source === head.source)
      refuseMisfit(head, previous, clock.now())
      const task = taskOf(options, manifest, scanner, head, previous)
      try {
        const result = await (head.kind === 'ported-numbers' ? importPortedNumbers(task) : importAllocationRanges(task))
        publish(dataFolder, manifest, head, result, clock.now())
        return summaryOf(head, result, performance.now() - startedAt)
      } catch (error) {
        removeUnlisted(dataFolder, manifest)
        throw error
      }
    } finally {
      unlock()
    }
  } finally {
    scanner.close()
  }
}

/** Refuses a file that does not fit the imported data of its source. */
function refuseMisfit(head: NumberFileHead, previous: NumberDataSet | undefined, now: number): void {
  const { source } = head
  if (head.asOf > now + MAX_AHEAD_MS) head.refuse('as-of', `a time that has come; it is ${timeText(now)} now`)
  if (!previous) {
    if (head.contents === 'increment') head.refuse('contents', `full, as nothing of ${source} has been imported yet`)
    return
  }
  if (previous.kind !== head.kind) head.refuse('ringfence', `${previous.kind} 1, as ${source} was imported before`)
  if (previous.callingCode !== head.callingCode) {
    head.refuse('calling-code', `${previous.callingCode}, as ${source} was imported before`)
  }
  const held = timeText(previous.asOf)
  if (head.contents === 'full' && head.asOf < previous.asOf) {
    head.refuse('as-of', `${held} or later, as the data of ${source} that are there speak for that time`)
  }
  if (head.contents === 'increment' && head.asOf <= previous.asOf) {
    head.refuse('as-of', `a time after ${held}: the data of ${source} contain this increment already`)
  }
  if (head.contents === 'increment' && head.follows !== previous.asOf) {
    head.refuse('follows', `${held}, the as-of of the data of ${source} that are there; import what lies between first`)
  }
}

function taskOf(
  { dataFolder, onProgress, signal, compactAboveRows = COMPACT_ABOVE_ROWS }: ImportNumbersOptions,
  manifest: NumberManifest,
  scanner: CsvScanner,
  head: NumberFileHead,
  previous: NumberDataSet | undefined,
): ImportTask {
  const folder = numbersFolder(dataFolder)
  return {
    scanner,
    head,
    previous,
    compactAboveRows,
    newFile(extension) {
      const name = `${manifest.generation + 1}.${head.source}.${extension}`
      return { name, path: path.join(folder, name) }
    },
    existingFile: (name) => path.join(folder, name),
    async pause(progress) {
      onProgress?.(progress)
      await new Promise((resume) => setImmediate(resume))
      signal?.throwIfAborted()
    },
  }
}

function publish(
  dataFolder: string,
  { generation, dataSets }: NumberManifest,
  { source, kind, callingCode, asOf }: NumberFileHead,
  { complete, base, increments }: ImportResult,
  importedAt: number,
): void {
  const others = dataSets.filter((dataSet) => dataSet.source !== source)
  const files = increments ? { base, increments } : { base }
  publishManifest(dataFolder, {
    format: 1,
    generation: generation + 1,
    dataSets: [...others, { source, kind, callingCode, asOf, importedAt, complete, ...files }],
  })
}

function summaryOf(head: NumberFileHead, result: ImportResult, durationMs: number): ImportSummary {
  const { source, kind, contents, callingCode, asOf } = head
  const { rows, complete, base, increments, bytes } = result
  return {
    source,
    kind,
    contents,
    callingCode,
    asOf,
    rows,
    rowsHeld: base.rows + (increments?.rows ?? 0),
    complete,
    bytes,
    durationMs,
  }
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}
