// Are the numbers of a file numbers of its country? A wrong column would make every number "not ported" within `complete`.

import { numberingPlansOf } from '../../phone/numbering-plan.ts'
import { parsePhoneNumber } from '../../phone/phone-number.ts'
import { indexRanges, MAX_DIGITS } from './number-ranges.ts'

/** What an import found about its numbers. */
export interface NumberCounts {
  /** Rows whose number has a length that no number of the calling code has. */
  readonly impossible: number
  /** Rows that were checked against the whole numbering plan: the first 1,000, then one of 1,000. */
  readonly sampled: number
  /** Of the sample: not in the numbering plan. */
  readonly invalid: number
  /** Of the sample: not within `complete`; 0 when there is no `complete`. */
  readonly outsideComplete: number
}

/** The first of which its reader should know. */
interface FirstImpossible {
  readonly number: number
  readonly line: number
}

const everyRow = 1000
/** Registries list odd numbers too; a wrong column has nothing else. */
const mostImpossible = 0.1

const powers = Array.from({ length: MAX_DIGITS + 2 }, (_, digits) => 10 ** digits)

export class PlausibleNumbers {
  readonly #lengths: number
  readonly #complete: ReturnType<typeof indexRanges> | undefined
  #rows = 0
  #impossible = 0
  #sampled = 0
  #invalid = 0
  #outside = 0
  #first: FirstImpossible | undefined

  constructor(callingCode: string, complete: readonly string[]) {
    const national = numberingPlansOf(callingCode).reduce((bits, { lengths }) => bits | lengths, 0)
    this.#lengths = national << callingCode.length
    this.#complete = complete.length > 0 ? indexRanges(complete) : undefined
  }

  /** Counts a row. A few nanoseconds, but for the sample. */
  take(number: number, line: number): void {
    let digits = 1
    while (number >= powers[digits]!) digits++
    if ((this.#lengths & (1 << digits)) === 0) {
      this.#impossible++
      this.#first ??= { number, line }
    }
    if (this.#rows < everyRow || this.#rows % everyRow === 0) this.#sample(String(number))
    this.#rows++
  }

  #sample(digits: string): void {
    this.#sampled++
    if (!parsePhoneNumber(digits)) this.#invalid++
    if (this.#complete && this.#complete.find(digits) < 0) this.#outside++
  }

  /** The first impossible number, when they are so many that the file has something else in this column. */
  get wrongColumn(): FirstImpossible | undefined {
    return this.#impossible > this.#rows * mostImpossible ? this.#first : undefined
  }

  get counts(): NumberCounts {
    return {
      impossible: this.#impossible,
      sampled: this.#sampled,
      invalid: this.#invalid,
      outsideComplete: this.#outside,
    }
  }
}
