// How are allocation ranges imported? Checks each row, then that no two rows contradict each other.

import { ALLOCATION_LINES, type AllocationRow, writeAllocationRanges } from './allocation-ranges.ts'
import type { CsvScanner } from './csv-scanner.ts'
import type { ImportResult, ImportTask } from './import-task.ts'
import { atEndOfRows, failCutOff, isWithin, type NumberFileHead } from './number-file-head.ts'
import { byPlace, NUMBER_RANGE_SYNTAX, type NumberRange, parseNumberRange } from './number-ranges.ts'
import { OPERATOR_ID_SYNTAX, OperatorTable } from './operator-table.ts'

const LINES = ALLOCATION_LINES.map((line) => Buffer.from(line))

interface ReadRow extends AllocationRow {
  readonly text: string
  /** Line of the file, from 1. */
  readonly fileLine: number
}

export async function importAllocationRanges(task: ImportTask): Promise<ImportResult> {
  const { scanner, head } = task
  const operators = new OperatorTable()
  const rows = await readAllocationRows(task, operators)
  rows.sort(byPlace)
  refuseOverlaps(scanner, rows)
  const { name, path } = task.newFile('ranges')
  const bytes = writeAllocationRanges(path, rows, operators.ids)
  return { rows: rows.length, complete: [...head.complete], base: { name, rows: rows.length }, bytes }
}

async function readAllocationRows({ scanner, head, pause }: ImportTask, operators: OperatorTable): Promise<ReadRow[]> {
  const rows: ReadRow[] = []
  while (scanner.position < scanner.end || scanner.fill()) {
    while (scanner.position < scanner.end) {
      if (atEndOfRows(scanner, rows.length)) return rows
      rows.push(readAllocationRow(scanner, head, operators))
    }
    await pause({ phase: 'reading', done: scanner.bytesRead, total: scanner.size })
  }
  return failCutOff(scanner, rows.length)
}

function readAllocationRow(scanner: CsvScanner, head: NumberFileHead, operators: OperatorTable): ReadRow {
  const { line: fileLine, position: start } = scanner
  const text = scanner.text(`range: ${NUMBER_RANGE_SYNTAX}`)
  const range = parseNumberRange(text)
  if (!range || !isWithin(text, head.callingCode)) {
    scanner.position = start
    scanner.failField(`range: ${NUMBER_RANGE_SYNTAX}, that begins with the calling code ${head.callingCode}`)
  }
  const operator = scanner.operator(operators)
  if (operator < 0) {
    scanner.position--
    scanner.failField(`operator: ${OPERATOR_ID_SYNTAX}`)
  }
  const line = scanner.lastWord(LINES, 'line: MOBILE, LANDLINE or nothing')
  return { ...range, operator, line, text, fileLine }
}

/**
 * The narrowest range around a number decides, so a range may contain another of the same length. Ranges that overlap in part, or
 * are equal, would be ambiguous. `rows` are sorted `byPlace`.
 */
function refuseOverlaps(scanner: CsvScanner, rows: readonly ReadRow[]): void {
  const around: ReadRow[] = []
  for (const row of rows) {
    while (around.length > 0 && !reaches(around.at(-1)!, row)) around.pop()
    const outer = around.at(-1)
    if (outer && (row.to > outer.to || (row.from === outer.from && row.to === outer.to))) {
      const [first, second] = outer.fileLine < row.fileLine ? [outer, row] : [row, outer]
      scanner.line = second.fileLine
      scanner.fail(
        0,
        JSON.stringify(second.text),
        `a range that lies within ${first.text} of line ${first.fileLine}, or outside of it`,
      )
    }
    around.push(row)
  }
}

function reaches(outer: NumberRange, row: NumberRange): boolean {
  return outer.digits === row.digits && outer.to >= row.from
}
