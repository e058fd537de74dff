// What does each row of a ported-number file say, and how are the numbers distributed?

import fs from 'node:fs'
import type { CsvScanner } from './csv-scanner.ts'
import { dayMs } from './epoch-day.ts'
import { atEndOfRows, failCutOff, type NumberFileHead } from './number-file-head.ts'
import { type OperatorTable, RETURNED_HOME } from './operator-table.ts'

const ACTIONS = [Buffer.from('port'), Buffer.from('return')]
const PORT = 0

/** `operator` is an index in the table or `RETURNED_HOME`, `portedOn` days since 1970-01-01 or 0. */
export type TakePortedRow = (number: number, operator: number, portedOn: number) => void

/**
 * Passes every row to `take` in the order of the file, and returns their number. Awaits `pause` after about 1 MB each. Throws
 * `NumberFileError`.
 */
export async function readPortedRows(
  scanner: CsvScanner,
  head: NumberFileHead,
  operators: OperatorTable,
  take: TakePortedRow,
  pause: () => Promise<void>,
): Promise<number> {
  // A port that is announced for later has not happened. The next day is allowed: it has begun in time zones east of UTC.
  const lastDay = Math.floor(head.asOf / dayMs) + 1
  let rows = 0
  while (scanner.position < scanner.end || scanner.fill()) {
    while (scanner.position < scanner.end) {
      if (atEndOfRows(scanner, rows)) return rows
      const number = scanner.phoneNumber(head.callingCode)
      const operatorAt = scanner.position
      const operator = scanner.operator(operators)
      const portedOnAt = scanner.position
      const portedOn = scanner.date()
      if (portedOn > lastDay) {
        scanner.position = portedOnAt
        scanner.failField(`a date not after ${dayText(lastDay)}, the day after as-of`)
      }
      const { line, lineStart } = scanner
      const action = scanner.lastWord(ACTIONS, 'action: port or return')
      if ((action === PORT) === operator < 0) {
        // The scanner has passed the line, and the error is about a field in it.
        scanner.line = line
        scanner.lineStart = lineStart
        scanner.position = operatorAt
        scanner.failField(
          action === PORT
            ? 'operator: the operator that the number was ported to'
            : 'no operator where the action is return, as the number is back with its home operator',
        )
      }
      take(number, action === PORT ? operator : RETURNED_HOME, portedOn)
      rows++
    }
    await pause()
  }
  return failCutOff(scanner, rows)
}

function dayText(days: number): string {
  return new Date(days * dayMs).toISOString().slice(0, 10)
}

const MAX_SAMPLE_PLACES = 1024
const SAMPLE_BYTES = 4096

/** Numbers from evenly spaced places of the file, ascending and unchecked: they only decide where to divide. */
export function sampleNumbers(scanner: CsvScanner): Float64Array {
  const numbers: number[] = []
  const places = Math.min(MAX_SAMPLE_PLACES, Math.ceil(scanner.size / SAMPLE_BYTES))
  const fd = fs.openSync(scanner.path, 'r')
  try {
    for (let place = 0; place < places; place++) {
      const bytes = Buffer.alloc(SAMPLE_BYTES)
      const length = fs.readSync(fd, bytes, 0, SAMPLE_BYTES, Math.floor((scanner.size / places) * place))
      for (const line of bytes.toString('latin1', 0, length).split('\n').slice(1)) {
        const number = /^\d{5,15}(?=,)/.exec(line)
        if (number) numbers.push(Number(number[0]))
      }
    }
  } finally {
    fs.closeSync(fd)
  }
  return Float64Array.from(numbers).sort()
}
