// Which numbers do the benchmarks use? A ported-number file of the Netherlands, and numbers inside and outside of it.

import fs from 'node:fs'
import path from 'node:path'
import { systemClock } from '../../server/src/core/clock.ts'
import { importNumbers } from '../../server/src/telecom/portability-sources/import-numbers.ts'

const dayMs = 86_400_000
/** "204-10" … "204-49" */
export const operatorIds = Array.from({ length: 40 }, (_, i) => `204-${i + 10}`)
/** The first number; with up to 20,000,000 rows all are mobile numbers. */
export const firstNumber = 31_610_000_000

/** A permutation of the numbers: the first `rows` are in the file, the next twice as many are not. */
export function spread(rows: number): (i: number) => number {
  const step = 61_803_399
  let space = 3 * rows
  while (greatestCommonDivisor(space, step) !== 1) space++
  return (i) => firstNumber + ((i * step) % space)
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

export interface NumberFile {
  file: string
  numberOf: (i: number) => number
  from: number
  rows: number
  /** Head lines beside source and calling code. */
  head: readonly string[]
}

export const headOfFullFile = ['# as-of: 2026-10-31T02:00:00Z', '# contents: full', '# complete: 31']

/** Writes the rows from `from` on; the operator of row i is `operatorIds[i % 40]`. */
export function writeNumberFile({ file, numberOf, from, rows, head }: NumberFile): void {
  const fd = fs.openSync(file, 'w')
  const lines = ['# ringfence: ported-numbers 1', '# source: bench', '# calling-code: 31', ...head]
  fs.writeSync(fd, `${lines.join('\n')}\nnumber,operator,ported-on,action\n`)
  const dates = Array.from({ length: 3000 }, (_, i) => new Date((17_000 + i) * dayMs).toISOString().slice(0, 10))
  for (let done = 0; done < rows; ) {
    let text = ''
    for (const end = Math.min(done + 20_000, rows); done < end; done++) {
      text += `${numberOf(from + done)},${operatorIds[done % 40]},${dates[done % 3000]},port\n`
    }
    fs.writeSync(fd, text)
  }
  fs.writeSync(fd, `# rows: ${rows}\n`)
  fs.closeSync(fd)
}

/** Imports a file with this many ported numbers into the data folder. */
export async function importPortedNumbers(dataFolder: string, rows: number): Promise<void> {
  const file = path.join(dataFolder, 'full.csv')
  fs.mkdirSync(dataFolder, { recursive: true })
  writeNumberFile({ file, numberOf: spread(rows), from: 0, rows, head: headOfFullFile })
  await importNumbers({ file, dataFolder, clock: systemClock })
  fs.rmSync(file)
}
