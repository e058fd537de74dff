// Which range contains a number? Prefixes ("4477") and ranges of equally long numbers ("447700900000-447700900999").

import { lastAtMost } from '../../core/files/sorted-search.ts'

/** E.164 numbers have at most 15 digits (ITU-T E.164, 6.2.1), so a double holds each one exactly. */
export const MAX_DIGITS = 15

export interface NumberRange {
  /** Length of the numbers in a range; 0 for a prefix, which contains numbers of every length. */
  readonly digits: number
  /** First and last number. For a prefix, filled up to 15 digits with zeros and with nines. */
  readonly from: number
  readonly to: number
}

/** The syntax of `parseNumberRange`, for error messages. */
export const NUMBER_RANGE_SYNTAX =
  'a prefix such as 4477, or a range of equally long numbers such as 447700900000-447700900999'

/** Returns undefined for a text that is neither a prefix nor an ascending range of equally long numbers. */
export function parseNumberRange(text: string): NumberRange | undefined {
  const parts = /^([1-9]\d{0,14})(?:-([1-9]\d{0,14}))?$/.exec(text)
  if (!parts) return undefined
  const [, first = '', last] = parts
  if (last === undefined) {
    return { digits: 0, from: Number(first.padEnd(MAX_DIGITS, '0')), to: Number(first.padEnd(MAX_DIGITS, '9')) }
  }
  if (last.length !== first.length || last < first) return undefined
  return { digits: first.length, from: Number(first), to: Number(last) }
}

/** The order for `NumberRangeIndex`: by length, and a range before the ranges inside it. */
export function byPlace(a: NumberRange, b: NumberRange): number {
  return a.digits - b.digits || a.from - b.from || b.to - a.to
}

/** Ranges sorted `byPlace`, one column for each field. */
export interface RangeColumns {
  readonly from: Float64Array
  readonly to: Float64Array
  readonly digits: Uint8Array
}

export function columnsOf(ranges: readonly NumberRange[]): RangeColumns {
  return {
    from: Float64Array.from(ranges, (range) => range.from),
    to: Float64Array.from(ranges, (range) => range.to),
    digits: Uint8Array.from(ranges, (range) => range.digits),
  }
}

/** Finds the narrowest range around a number in O(log n + depth of nesting). */
export class NumberRangeIndex {
  readonly #columns: RangeColumns
  /** For each row the innermost earlier row that may contain numbers after it; -1 for none. */
  readonly #enclosing: Int32Array
  /** Where the rows of each length begin: `#start[length]` to `#start[length + 1]`. */
  readonly #start = new Uint32Array(MAX_DIGITS + 2)

  constructor(columns: RangeColumns) {
    const { from, to, digits } = columns
    this.#columns = columns
    this.#enclosing = new Int32Array(from.length)
    for (let row = 0; row < from.length; row++) {
      this.#start[digits[row]! + 1]! += 1
      let around = row > 0 && digits[row - 1] === digits[row] ? row - 1 : -1
      while (around >= 0 && to[around]! < from[row]!) around = this.#enclosing[around]!
      this.#enclosing[row] = around
    }
    for (let length = 1; length < this.#start.length; length++) this.#start[length]! += this.#start[length - 1]!
  }

  /** Returns the row of the narrowest range that contains the number (E.164 digits without plus sign), or -1. */
  find(number: string): number {
    if (number.length > MAX_DIGITS) return -1
    const { from, to } = this.#columns
    // A prefix that is longer than the number does not contain it, although the filled-up number may be within.
    const unit = 10 ** (MAX_DIGITS - number.length)
    const value = Number(number)
    const range = this.#innermost(value, number.length, 1)
    const prefix = this.#innermost(value * unit, 0, unit)
    if (range < 0 || prefix < 0) return Math.max(range, prefix)
    return to[range]! - from[range]! + 1 <= (to[prefix]! - from[prefix]! + 1) / unit ? range : prefix
  }

  #innermost(value: number, digits: number, minWidth: number): number {
    const { from, to } = this.#columns
    const start = this.#start[digits]!
    let row = lastAtMost(from, value, start, this.#start[digits + 1]!)
    if (row < start) return -1
    while (row >= 0 && (to[row]! < value || to[row]! - from[row]! + 1 < minWidth)) row = this.#enclosing[row]!
    return row
  }
}

/** An index over ranges in text form. Throws a RangeError for a text that `parseNumberRange` rejects. */
export function indexRanges(texts: readonly string[]): NumberRangeIndex {
  const ranges = texts.map((text) => {
    const range = parseNumberRange(text)
    if (!range) throw new RangeError(`${JSON.stringify(text)} is not ${NUMBER_RANGE_SYNTAX}`)
    return range
  })
  return new NumberRangeIndex(columnsOf(ranges.sort(byPlace)))
}
