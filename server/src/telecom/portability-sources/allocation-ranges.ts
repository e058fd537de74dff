// Whom was this number allocated to? A portability source over imported allocation ranges, and the file they lie in.
//
// Columns for n ranges, sorted `byPlace`: from f64 × n · to f64 × n · operator u16 × n · digits u8 × n · line u8 × n.

import fs from 'node:fs'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import { columnsOf, type NumberRange, NumberRangeIndex } from './number-ranges.ts'
import type { OperatorId, PortabilityAnswer, PortabilitySource } from './source.ts'
import { DamagedNumberFile, openStoredFile, type StoredFormat, sealStoredFile } from './stored-file.ts'

const FORMAT: StoredFormat = { magic: 'RFRANGES', version: 1 }
const ROW_BYTES = 8 + 8 + 2 + 1 + 1

const rangeFileHead = Type.Object({ rows: Type.Integer({ minimum: 0 }), operators: Type.Array(Type.String()) })
const rangeFileHeadCheck = Compile(rangeFileHead)
const isRangeFileHead = (value: unknown): value is Static<typeof rangeFileHead> => rangeFileHeadCheck.Check(value)

/** Words of the column `line`; a stored row holds the place in this list. */
export const ALLOCATION_LINES = ['', 'MOBILE', 'LANDLINE'] as const

export interface AllocationRow extends NumberRange {
  /** An index in the list of operators. */
  readonly operator: number
  /** An index in `ALLOCATION_LINES`. */
  readonly line: number
}

/** `rows` are sorted `byPlace`. Answers the size of the file in bytes. */
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

/** What an import of allocation ranges left, in memory: 24 bytes a range. */
export interface AllocationRanges {
  readonly callingCode: string
  readonly asOf: number
  /** The operator of the narrowest range that holds the number. */
  homeOperator(digits: string): OperatorId | undefined
}

/** Throws `DamagedNumberFile`. */
export async function readAllocationRanges(
  file: string,
  { callingCode, asOf }: { callingCode: string; asOf: number },
): Promise<AllocationRanges> {
  const { handle, head, index } = await openStoredFile(file, FORMAT, isRangeFileHead)
  await handle.close()
  const { rows, operators } = head
  if (index.byteLength !== rows * ROW_BYTES) {
    throw new DamagedNumberFile(file, 'altered: its columns are not of equal length')
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

/** `current` is asked at each look-up, and so a newer import is taken up between two of them; undefined: removed. */
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
