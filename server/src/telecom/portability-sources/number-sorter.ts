// How are 100 million rows sorted in little memory? Divides them by number on disk, then sorts part by part.

import fs from 'node:fs'
import { lastAtMost } from '../../core/files/sorted-search.ts'
import { writeFully } from '../../core/files/stored-file.ts'

const ROWS_PER_PART = 500_000
/** A part with so many times more rows is sorted, and divided if its numbers differ: the sample may mislead, and rows may repeat. */
const MAX_FILL = 4
/** Rows that a part collects before it writes them. */
const ROWS_PER_SPILL = 4096
const SPILL_BYTES = ROWS_PER_SPILL * 12

/** `value` is any 32 bits that belong to the number. */
export type TakeSortedRow = (number: number, value: number) => void

interface Spill {
  readonly numbers: Float64Array
  readonly values: Uint32Array
  readonly bytes: Uint8Array
  /** Rows in the arrays above that are not on disk yet. */
  waiting: number
  /** Positions of full arrays of this part in the file. */
  readonly positions: number[]
}

/** Sorts rows by number. Of equal numbers only the last one added remains. */
export class NumberSorter {
  readonly #fd: number
  /** The first number of each part but the first. */
  #boundaries: Float64Array
  readonly #parts: Spill[]
  readonly #maxRows: number
  /** Places in the file whose rows are in other places now. */
  readonly #free: number[] = []
  #part = 0
  #partFrom = Number.NEGATIVE_INFINITY
  #partTo = Number.NEGATIVE_INFINITY
  #length = 0

  /**
   * @param path a scratch file
   * @param sample an ascending sample of the numbers, which decides where to divide them
   * @param expectedRows decides the number of parts
   */
  constructor(path: string, sample: Float64Array, expectedRows: number, rowsPerPart = ROWS_PER_PART) {
    this.#fd = fs.openSync(path, 'w+')
    this.#boundaries = quantiles(sample, Math.ceil(expectedRows / rowsPerPart))
    this.#parts = Array.from({ length: this.#boundaries.length + 1 }, emptySpill)
    this.#maxRows = rowsPerPart * MAX_FILL
  }

  get parts(): number {
    return this.#parts.length
  }

  add(number: number, value: number): void {
    if (number < this.#partFrom || number >= this.#partTo) this.#choosePart(number)
    const part = this.#parts[this.#part]!
    this.#append(part, number, value)
    if (rowsOf(part) >= this.#maxRows) this.#divide(this.#part)
  }

  #append(part: Spill, number: number, value: number): void {
    part.numbers[part.waiting] = number
    part.values[part.waiting] = value
    part.waiting++
    if (part.waiting < ROWS_PER_SPILL) return
    const position = this.#free.pop() ?? this.#length
    writeFully(this.#fd, part.bytes, position)
    part.positions.push(position)
    if (position === this.#length) this.#length += SPILL_BYTES
    part.waiting = 0
  }

  /** Keeps the last row of each number, in parts of at most half of what a part may have. */
  #divide(index: number): void {
    const part = this.#parts[index]!
    const { numbers, values } = this.#read(part)
    const kept = { numbers: new Float64Array(numbers.length), values: new Uint32Array(numbers.length) }
    let count = 0
    takeSorted(numbers, values, (number, value) => {
      kept.numbers[count] = number
      kept.values[count] = value
      count++
    })
    this.#free.push(...part.positions)
    const rowsPerPart = Math.ceil(count / Math.ceil(count / (this.#maxRows / 2)))
    const parts: Spill[] = []
    const boundaries: number[] = []
    for (let row = 0; row < count; row++) {
      if (row % rowsPerPart === 0) {
        parts.push(emptySpill())
        if (row > 0) boundaries.push(kept.numbers[row]!)
      }
      this.#append(parts.at(-1)!, kept.numbers[row]!, kept.values[row]!)
    }
    this.#parts.splice(index, 1, ...parts)
    const [before, after] = [this.#boundaries.subarray(0, index), this.#boundaries.subarray(index)]
    this.#boundaries = Float64Array.from([...before, ...boundaries, ...after])
    this.#partFrom = this.#partTo = Number.NEGATIVE_INFINITY
  }

  #choosePart(number: number): void {
    const boundary = lastAtMost(this.#boundaries, number)
    this.#part = boundary + 1
    this.#partFrom = this.#boundaries[boundary] ?? Number.NEGATIVE_INFINITY
    this.#partTo = this.#boundaries[boundary + 1] ?? Number.POSITIVE_INFINITY
  }

  /** Passes all rows to `take`, in ascending order of number, and awaits `pause` after each part. */
  async drain(take: TakeSortedRow, pause: (partsDone: number) => Promise<void>): Promise<void> {
    for (const [index, part] of this.#parts.entries()) {
      const { numbers, values } = this.#read(part)
      takeSorted(numbers, values, take)
      await pause(index + 1)
    }
  }

  #read(part: Spill): { numbers: Float64Array; values: Uint32Array } {
    const rows = rowsOf(part)
    const numbers = new Float64Array(rows)
    const values = new Uint32Array(rows)
    // Rows not on disk were added last, so they go to the end. Reading the others overwrites their arrays.
    numbers.set(part.numbers.subarray(0, part.waiting), rows - part.waiting)
    values.set(part.values.subarray(0, part.waiting), rows - part.waiting)
    for (const [index, position] of part.positions.entries()) {
      if (fs.readSync(this.#fd, part.bytes, 0, SPILL_BYTES, position) !== SPILL_BYTES) {
        throw new Error('the scratch file of the import was truncated')
      }
      numbers.set(part.numbers, index * ROWS_PER_SPILL)
      values.set(part.values, index * ROWS_PER_SPILL)
    }
    return { numbers, values }
  }

  close(): void {
    fs.closeSync(this.#fd)
  }
}

function emptySpill(): Spill {
  const buffer = new ArrayBuffer(SPILL_BYTES)
  return {
    numbers: new Float64Array(buffer, 0, ROWS_PER_SPILL),
    values: new Uint32Array(buffer, ROWS_PER_SPILL * 8, ROWS_PER_SPILL),
    bytes: new Uint8Array(buffer),
    waiting: 0,
    positions: [],
  }
}

const rowsOf = ({ positions, waiting }: Spill) => positions.length * ROWS_PER_SPILL + waiting

/** Up to `parts - 1` distinct numbers that divide the sample evenly. */
function quantiles(sample: Float64Array, parts: number): Float64Array {
  if (sample.length === 0) return new Float64Array()
  const boundaries = Array.from({ length: Math.max(0, parts - 1) }, (_, i) => {
    return sample[Math.floor(((i + 1) * sample.length) / parts)]!
  })
  return Float64Array.from(new Set(boundaries))
}

/**
 * Sorts 64-bit keys: the distance from the smallest number, then the position in the array. The engine sorts these natively, and
 * equal numbers keep their order.
 */
function takeSorted(numbers: Float64Array, values: Uint32Array, take: TakeSortedRow): void {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const number of numbers) {
    if (number < min) min = number
    if (number > max) max = number
  }
  const placeBits = bitsFor(numbers.length - 1)
  if (numbers.length > 1 && bitsFor(max - min) + placeBits > 64) {
    const middle = min + Math.floor((max - min) / 2)
    for (const isBelow of [true, false]) {
      const isInHalf = (_: number, place: number) => numbers[place]! <= middle === isBelow
      takeSorted(numbers.filter(isInHalf), values.filter(isInHalf), take)
    }
    return
  }
  const places = 2 ** placeBits
  const distancesInLowWord = 2 ** (32 - placeBits)
  const keys = new BigUint64Array(numbers.length)
  const words = new Uint32Array(keys.buffer)
  for (let place = 0; place < numbers.length; place++) {
    const distance = numbers[place]! - min
    const high = Math.floor(distance / distancesInLowWord)
    words[2 * place] = (distance - high * distancesInLowWord) * places + place
    words[2 * place + 1] = high
  }
  keys.sort()
  let place = words[0]! % places
  for (let row = 0; row < numbers.length; row++) {
    const nextPlace = row + 1 < numbers.length ? words[2 * row + 2]! % places : -1
    const isLastOfItsNumber = nextPlace < 0 || numbers[nextPlace] !== numbers[place]
    if (isLastOfItsNumber) take(numbers[place]!, values[place]!)
    place = nextPlace
  }
}

/** Bits that hold every whole number from 0 to `max`, which is below 2⁵³. */
function bitsFor(max: number): number {
  if (max < 1) return 0
  const high = Math.floor(max / 2 ** 32)
  return high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(max)
}
