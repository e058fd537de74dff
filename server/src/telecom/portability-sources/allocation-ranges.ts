// Which operator was a number allocated to? A portability source over imported allocation ranges, and their file.
//
// Columns for n ranges, sorted `byPlace`: from f64 × n · to f64 × n · operator u16 × n · digits u8 × n · line u8 × n.

import fs from 'node:fs'
import Type, { type Static } from 'typebox'
import { DataFileError } from '../../core/files/data-file-error.ts'
import { openStoredFile, type StoredFormat, sealStoredFile } from '../../core/files/stored-file.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import { columnsOf, type NumberRange, NumberRangeIndex } from './number-ranges.ts'
import type { OperatorId, PortabilityAnswer, PortabilitySource } from './source.ts'

const ROW_BYTES = 8 + 8 + 2 + 1 + 1

const rangeFileHead = Type.Object({ rows: Type.Integer({ minimum: 0 }), operators: Type.Array(Type.String()) })
const rangeFileHeadCheck = compileOnUse(rangeFileHead)

const FORMAT: StoredFormat<Static<typeof rangeFileHead>> = {
  magic: 'RFRANGES',
  version: 1,
  isHead: (value): value is Static<typeof rangeFileHead> => rangeFileHeadCheck.Check(value),
  remedy: 'Import the full number file again.',
}

/** Values of the column `line`. A stored row holds the position in this list. */
export const ALLOCATION_LINES = ['', 'MOBILE', 'LANDLINE'] as const

export interface AllocationRow extends NumberRange {
  /** An index in the list of operators. */
  readonly operator: number
  /** An index in `ALLOCATION_LINES`. */
  readonly line: number
}

/** Writes rows that are sorted `byPlace`. Returns the size of the file in bytes. */
export function writeAllocationRanges(file: string, rows: readonly AllocationRow[], operators: OperatorId[]): number {
  const { from, to, digits } = columnsOf(rows)
  const columns = [
    from,
    to,
    Uint16Array.from(rows, (row) => row.operator),
    digits,
    Uint8Array.from(rows, (row) => row.line),
  ]
  const index = Buffer.concat(columns.map((column) => new Uint8Array(column.buffer)))
  const fd = fs.openSync(file, 'w')
  try {
    return sealStoredFile(fd, FORMAT, 0, index, { rows: rows.length, operators })
  } finally {
    fs.closeSync(fd)
  }
}

/** Imported allocation ranges in memory, 24 bytes each. */
export interface AllocationRanges {
  readonly callingCode: string
  readonly asOf: number
  /** The operator of the narrowest range that contains the number. */
  homeOperator(digits: string): OperatorId | undefined
}

/** Throws a DataFileError. */
export async function readAllocationRanges(
  file: string,
  { callingCode, asOf }: { callingCode: string; asOf: number },
): Promise<AllocationRanges> {
  const { handle, head, index } = await openStoredFile(file, FORMAT)
  await handle.close()
  const { rows, operators } = head
  if (index.byteLength !== rows * ROW_BYTES) {
    throw new DataFileError(file, 'is altered: its columns do not have the same length', FORMAT.remedy)
  }
  const ranges = new NumberRangeIndex({
    from: new Float64Array(index, 0, rows),
    to: new Float64Array(index, rows * 8, rows),
    digits: new Uint8Array(index, rows * 18, rows),
  })
  const operatorOf = new Uint16Array(index, rows * 16, rows)
  return {
    callingCode,
    asOf,
    homeOperator: (digits) => operators[operatorOf[ranges.find(digits)] ?? -1],
  }
}

/** Each look-up calls `current`, which returns the newest import, or undefined when the source was removed. */
export function allocationRangeSource(name: string, current: () => AllocationRanges | undefined): PortabilitySource {
  return {
    name,
    local: true,
    async lookUp(number: PhoneNumber): Promise<PortabilityAnswer | undefined> {
      const data = current()
      if (data?.callingCode !== number.callingCode) return undefined
      const homeOperator = data.homeOperator(number.digits)
      return homeOperator === undefined ? undefined : { homeOperator, asOf: data.asOf }
    },
  }
}
