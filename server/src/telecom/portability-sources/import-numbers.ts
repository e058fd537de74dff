// How is a number file imported? All of it or nothing: `ringfence numbers import FILE`.

import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Clock } from '../../core/clock.ts'
import { dayAheadMs, isInFuture } from '../../core/files/renewal.ts'
import { CsvScanner } from './csv-scanner.ts'
import { importAllocationRanges } from './import-allocation-ranges.ts'
import { importPortedNumbers } from './import-ported-numbers.ts'
import type { ImportProgress, ImportResult, ImportTask } from './import-task.ts'
import type { NumberDataSet, NumberManifest } from './manifest.ts'
import { lockImports, numbersFolder, publishManifest, readManifest, removeUnlisted } from './manifest.ts'
import { convertNumbers } from './mapping/convert.ts'
import type { NumberMapping } from './mapping/mapping.ts'
import { isGzip, unpackInto } from './number-file-bytes.ts'
import { AlreadyImported, NumberFileError, printable } from './number-file-error.ts'
import {
  type NumberFileContents,
  type NumberFileHead,
  type NumberFileKind,
  readNumberFileHead,
} from './number-file-head.ts'
import type { NumberCounts } from './plausible-numbers.ts'

const COMPACT_ABOVE_ROWS = 1_000_000
/** A week of hourly increments. Every look for a newer import reads them. */
const MAX_APPLIED = 200

export interface ImportNumbersOptions {
  /** A file in the format of docs/guides/number-data.md. */
  readonly file: string
  readonly dataFolder: string
  readonly clock: Clock
  readonly onProgress?: (progress: ImportProgress) => void
  /** Stops the import, which then rejects with the signal's reason and has changed nothing. */
  readonly signal?: AbortSignal
  /** The file is not in our format: how it is read. */
  readonly mapped?: MappedFile
  /** Refuses a full file. */
  readonly incrementOnly?: boolean
  /** Increments with more rows than this are merged into the base file; 1,000,000 by default. */
  readonly compactAboveRows?: number
}

export interface MappedFile {
  readonly mapping: NumberMapping
  /** The time at which the data was true, in epoch milliseconds. */
  readonly asOf: number
  readonly isIncrement: boolean
  /** The `asOf` of the data that an increment continues; absent: the imported data. */
  readonly follows?: number
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
  /** What is odd about the numbers of this file; of ported numbers only. */
  readonly numbers?: NumberCounts
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
  // Opened first, so that a file that is not there creates no folder.
  fs.closeSync(fs.openSync(options.file, 'r'))
  const unlock = lockImports(dataFolder)
  try {
    const manifest = readManifest(dataFolder)
    try {
      const scanner = await scannerOf(options, manifest)
      try {
        const head = readNumberFileHead(scanner)
        const previous = manifest.dataSets.find(({ source }) => source === head.source)
        if (options.incrementOnly && head.contents !== 'increment') head.refuse('contents', 'increment')
        const digest = head.contents === 'increment' ? digestOf(options.file) : undefined
        refuseMisfit(head, previous, clock.now(), digest)
        const task = taskOf(options, manifest, scanner, head, previous)
        const result = await (head.kind === 'ported-numbers' ? importPortedNumbers(task) : importAllocationRanges(task))
        const applied = digest && [...(previous?.applied ?? []), { asOf: head.asOf, digest }].slice(-MAX_APPLIED)
        publish(dataFolder, manifest, head, { ...result, ...(applied && { applied }) }, clock.now())
        return summaryOf(head, result, performance.now() - startedAt)
      } finally {
        scanner.close()
      }
    } catch (error) {
      removeUnlisted(dataFolder, manifest)
      throw ofMappedFile(options, error)
    }
  } finally {
    unlock()
  }
}

/** A compressed or mapped file is written in our format first. The next import removes what a killed one leaves of it. */
async function scannerOf(options: ImportNumbersOptions, manifest: NumberManifest): Promise<CsvScanner> {
  const { file, mapped, dataFolder, signal, onProgress } = options
  if (mapped) return new CsvScanner(await converted(options, mapped, manifest))
  if (!(await isGzip(file, { utf8Only: true }))) return new CsvScanner(file)
  const to = path.join(numbersFolder(dataFolder), `${manifest.generation + 1}.unpacked.mapped.scratch`)
  await unpackInto(to, file, (done, total) => {
    signal?.throwIfAborted()
    onProgress?.({ phase: 'reading', done, total })
  })
  return new CsvScanner(to, file)
}

async function converted(
  { file, dataFolder, signal, onProgress }: ImportNumbersOptions,
  mapped: MappedFile,
  { dataSets, generation }: NumberManifest,
): Promise<string> {
  const { mapping, asOf, isIncrement, follows } = mapped
  const previous = dataSets.find(({ source }) => source === mapping.source)
  if (isIncrement && !previous) {
    throw new Error(
      `${printable(file)} is an increment, but nothing of ${mapping.source} has been imported yet: import a full file`,
    )
  }
  const to = path.join(numbersFolder(dataFolder), `${generation + 1}.${mapping.source}.mapped.scratch`)
  await convertNumbers({
    file,
    mapping,
    asOf,
    ...(isIncrement && { follows: follows ?? Math.min(previous!.asOf, asOf - 1000) }),
    to,
    signal,
    onProgress: (done, total) => onProgress?.({ phase: 'reading', done, total }),
  })
  return to
}

/** Rows are checked at their own lines; what is wrong after that is said of the file as a whole. */
function ofMappedFile({ file, mapped }: ImportNumbersOptions, error: unknown): unknown {
  if (!mapped || !(error instanceof NumberFileError) || error.file === file) return error
  if (error instanceof AlreadyImported) return new AlreadyImported(file, 1, 1, error.found, error.expected)
  return new Error(`${printable(file)}, with this as-of and mapping: found ${error.found}, expected ${error.expected}`)
}

/** Refuses a file that does not fit the imported data of its source. */
function refuseMisfit(
  head: NumberFileHead,
  previous: NumberDataSet | undefined,
  now: number,
  digest: string | undefined,
): void {
  const { source } = head
  if (isInFuture({ datedMs: head.asOf, aheadMs: dayAheadMs }, now))
    head.refuse('as-of', `a time that has come; it is ${timeText(now)} now`)
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
    const isApplied = previous.applied?.some((each) => each.asOf === head.asOf && each.digest === digest)
    if (isApplied) {
      head.refuse(
        'as-of',
        `a time after ${held}: the data of ${source} contain this increment already`,
        AlreadyImported,
      )
    }
    head.refuse('as-of', `a time after ${held}, the as-of of the data of ${source} that are there`)
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
  { complete, base, increments, applied }: Pick<NumberDataSet, 'complete' | 'base' | 'increments' | 'applied'>,
  importedAt: number,
): void {
  const others = dataSets.filter((dataSet) => dataSet.source !== source)
  const files = { base, ...(increments && { increments }), ...(applied && { applied }) }
  publishManifest(dataFolder, {
    format: 1,
    generation: generation + 1,
    dataSets: [...others, { source, kind, callingCode, asOf, importedAt, complete, ...files }],
  })
}

function summaryOf(head: NumberFileHead, result: ImportResult, durationMs: number): ImportSummary {
  const { source, kind, contents, callingCode, asOf } = head
  const { rows, numbers, complete, base, increments, bytes } = result
  return {
    source,
    kind,
    contents,
    callingCode,
    asOf,
    rows,
    ...(numbers && { numbers }),
    rowsHeld: base.rows + (increments?.rows ?? 0),
    complete,
    bytes,
    durationMs,
  }
}

/** Of the bytes of the file, compressed or not. */
function digestOf(file: string): string {
  const hash = createHash('sha256')
  const fd = fs.openSync(file, 'r')
  try {
    const bytes = new Uint8Array(1 << 20)
    for (let count = 1; count > 0; ) {
      count = fs.readSync(fd, bytes)
      hash.update(bytes.subarray(0, count))
    }
  } finally {
    fs.closeSync(fd)
  }
  return hash.digest('base64url')
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}
