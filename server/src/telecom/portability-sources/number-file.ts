// Does a country's imported file list the number as ported? A portability source over block files.

import type { PhoneNumber } from '../../phone/phone-number.ts'
import type { BlockFile } from './blocks/block-file.ts'
import type { NumberRangeIndex } from './number-ranges.ts'
import type { PortabilityAnswer, PortabilitySource } from './source.ts'

/** Imported ported numbers, opened. */
export interface PortedNumbers {
  readonly callingCode: string
  readonly asOf: number
  /** Within these ranges, a number that is not listed is not ported. */
  readonly complete: NumberRangeIndex
  readonly base: BlockFile
  /** Newer rows, which replace those of the base. */
  readonly increments: BlockFile | undefined
}

/** Each look-up calls `current`, which returns the newest import, or undefined when the source was removed. */
export function numberFileSource(name: string, current: () => PortedNumbers | undefined): PortabilitySource {
  return {
    name,
    local: true,
    /** Rejects with a DataFileError, or with an error of the file system. */
    async lookUp(number: PhoneNumber): Promise<PortabilityAnswer | undefined> {
      const data = current()
      if (data?.callingCode !== number.callingCode) return undefined
      const { asOf, base, increments, complete } = data
      const value = Number(number.digits)
      const found = increments?.find(value) ?? base.find(value)
      const row = found instanceof Promise ? await found : found
      if (row?.operator !== undefined) return { operator: row.operator, ported: true, asOf }
      if (row !== undefined || complete.find(number.digits) >= 0) return { ported: false, asOf }
      return undefined
    },
  }
}
