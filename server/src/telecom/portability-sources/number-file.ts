// Is this number ported, by the ported-number file of a country? A portability source over imported block files.

import type { PhoneNumber } from '../../phone/phone-number.ts'
import type { BlockFile } from './block-file.ts'
import type { NumberRangeIndex } from './number-ranges.ts'
import type { PortabilityAnswer, PortabilitySource } from './source.ts'

/** What an import of ported numbers left, opened. */
export interface PortedNumbers {
  readonly callingCode: string
  readonly asOf: number
  /** Where a number that is not listed is not ported. */
  readonly complete: NumberRangeIndex
  readonly base: BlockFile
  /** Newer rows; they go before those of the base. */
  readonly increments: BlockFile | undefined
}

/** `current` is asked at each look-up, and so a newer import is taken up between two of them; undefined: removed. */
export function numberFileSource(name: string, current: () => PortedNumbers | undefined): PortabilitySource {
  return {
    name,
    local: true,
    /** Rejects with `DamagedNumberFile`, or with the error of the file system. */
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
