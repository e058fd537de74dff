// How are ported numbers imported? Sorts a full file into a new base, and merges an increment into the previous ones.

import fs from 'node:fs'
import { BlockFileBuilder } from './blocks/block-file-builder.ts'
import { mergeRows, openRowCursor, type RowCursor } from './blocks/row-cursor.ts'
import type { CsvScanner } from './csv-scanner.ts'
import type { ImportResult, ImportTask } from './import-task.ts'
import { NumberFileError, quoted } from './number-file-error.ts'
import type { NumberFileHead } from './number-file-head.ts'
import { NumberSorter } from './number-sorter.ts'
import { OperatorTable } from './operator-table.ts'
import { type NumberCounts, PlausibleNumbers } from './plausible-numbers.ts'
import { readPortedRows, sampleNumbers } from './ported-rows.ts'

/** For an estimate of the number of rows. */
const TYPICAL_ROW_BYTES = 32
const ROWS_PER_PAUSE = 500_000

export async function importPortedNumbers(task: ImportTask): Promise<ImportResult> {
  const { head, previous } = task
  if (head.contents === 'full' || !previous) {
    const { name, rowsRead, numbers, rows, bytes } = await sortInto(task, 'blocks')
    return { rows: rowsRead, numbers, complete: [...head.complete], base: { name, rows }, bytes }
  }
  const added = await sortInto(task, 'added.blocks')
  const incrementRows = added.rows + (previous.increments?.rows ?? 0)
  const layers = [previous.increments?.name, added.name].filter((name) => name !== undefined)
  const { complete } = previous
  if (incrementRows > task.compactAboveRows) {
    const base = await mergeInto(task, 'blocks', [previous.base.name, ...layers], previous.base.rows + incrementRows)
    return {
      rows: added.rowsRead,
      numbers: added.numbers,
      complete,
      base: { name: base.name, rows: base.rows },
      bytes: base.bytes,
    }
  }
  const increments = await mergeInto(task, 'increments.blocks', layers, incrementRows)
  return {
    rows: added.rowsRead,
    numbers: added.numbers,
    complete,
    base: previous.base,
    increments: { name: increments.name, rows: increments.rows },
    bytes: increments.bytes + fs.statSync(task.existingFile(previous.base.name)).size,
  }
}

interface Built {
  readonly name: string
  readonly rows: number
  readonly bytes: number
}

/** Sorts the rows of the file into a new block file. Keeps the last row of each number. */
async function sortInto(
  task: ImportTask,
  extension: string,
): Promise<Built & { rowsRead: number; numbers: NumberCounts }> {
  const { scanner, head } = task
  const operators = new OperatorTable()
  const expectedRows = Math.ceil(scanner.size / TYPICAL_ROW_BYTES)
  const sorter = new NumberSorter(task.newFile('scratch').path, sampleNumbers(scanner), expectedRows)
  const plausible = new PlausibleNumbers(
    head.callingCode,
    head.contents === 'full' ? head.complete : (task.previous?.complete ?? []),
  )
  try {
    const rowsRead = await readPortedRows(
      scanner,
      head,
      operators,
      (number, operator, portedOn) => {
        plausible.take(number, scanner.line - 1)
        sorter.add(number, operator | (portedOn << 16))
      },
      () => task.pause({ phase: 'reading', done: scanner.bytesRead, total: scanner.size }),
    )
    refuseWrongColumn(scanner, head, plausible)
    const built = await buildBlockFile(task, extension, operators, (builder) =>
      sorter.drain(
        (number, value) => builder.append(number, value & 0xffff, value >>> 16),
        (done) => task.pause({ phase: 'sorting', done, total: sorter.parts }),
      ),
    )
    return { ...built, rowsRead, numbers: plausible.counts }
  } finally {
    sorter.close()
  }
}

function refuseWrongColumn({ file }: CsvScanner, { callingCode }: NumberFileHead, numbers: PlausibleNumbers): void {
  const first = numbers.wrongColumn
  if (!first) return
  const rows = numbers.counts.impossible
  throw new NumberFileError(
    file,
    first.line,
    1,
    `${quoted(String(first.number))} and ${rows - 1} other numbers that +${callingCode} does not have`,
    `numbers of +${callingCode} in their full length: check the column of the numbers and the calling code`,
  )
}

/** Merges block files into a new one. Of the rows of a number, the one of the last file remains. */
async function mergeInto(task: ImportTask, extension: string, names: readonly string[], total: number): Promise<Built> {
  const operators = new OperatorTable()
  const cursors: RowCursor[] = []
  try {
    for (const name of names) cursors.push(await openRowCursor(task.existingFile(name), operators))
    const rows = cursors.reduce(mergeRows)
    return await buildBlockFile(task, extension, operators, async (builder) => {
      for (let done = 1; rows.next(); done++) {
        builder.append(rows.number, rows.operator, rows.portedOn)
        if (done % ROWS_PER_PAUSE === 0) await task.pause({ phase: 'merging', done, total })
      }
    })
  } finally {
    for (const cursor of cursors) await cursor.close()
  }
}

async function buildBlockFile(
  task: ImportTask,
  extension: string,
  operators: OperatorTable,
  fill: (builder: BlockFileBuilder) => Promise<void>,
): Promise<Built> {
  const { name, path } = task.newFile(extension)
  const builder = new BlockFileBuilder(path, operators)
  try {
    await fill(builder)
    return { name, ...builder.finish() }
  } finally {
    builder.close()
  }
}
