// How is a block file written? Append rows in ascending order, then `finish` writes the frame and flushes the file to disk.

import fs from 'node:fs'
import { sealStoredFile, writeFully } from '../../../core/files/stored-file.ts'
import type { OperatorTable } from '../operator-table.ts'
import {
  BLOCK_BYTES,
  BLOCK_FORMAT,
  BLOCK_WORDS,
  type BlockFileHead,
  blockChecksum,
  CHECKSUM_WORD,
  FIRST_ROW_WORD,
  MAX_OFFSET,
  ROWS_PER_BLOCK,
  ROWS_WORD,
} from './block-format.ts'

const BLOCKS_PER_WRITE = 256

export class BlockFileBuilder {
  readonly #fd: number
  readonly #operators: OperatorTable
  readonly #bytes = new Uint8Array(BLOCKS_PER_WRITE * BLOCK_BYTES)
  readonly #words = new Uint32Array(this.#bytes.buffer)
  readonly #doubles = new Float64Array(this.#bytes.buffer)
  readonly #firstNumbers: number[] = []
  #written = 0
  /** The block in progress, among those not yet written. */
  #block = -1
  #rowsInBlock = ROWS_PER_BLOCK
  #base = 0
  #rows = 0

  /** Creates the file. `operators` may grow until `finish`. */
  constructor(path: string, operators: OperatorTable) {
    this.#fd = fs.openSync(path, 'w')
    this.#operators = operators
  }

  /**
   * @param number greater than the previous one
   * @param operator an index of the table, or `RETURNED_HOME`
   */
  append(number: number, operator: number, portedOn: number): void {
    let offset = number - this.#base
    if (this.#rowsInBlock === ROWS_PER_BLOCK || offset > MAX_OFFSET) {
      this.#beginBlock(number)
      offset = 0
    }
    const word = this.#block * BLOCK_WORDS + FIRST_ROW_WORD + 2 * this.#rowsInBlock
    this.#words[word] = offset
    this.#words[word + 1] = operator | (portedOn << 16)
    this.#rowsInBlock++
    this.#rows++
  }

  #beginBlock(base: number): void {
    this.#endBlock()
    if (this.#block === BLOCKS_PER_WRITE - 1) this.#write()
    this.#block++
    this.#rowsInBlock = 0
    this.#base = base
    this.#doubles[(this.#block * BLOCK_BYTES) / 8] = base
    this.#firstNumbers.push(base)
  }

  #endBlock(): void {
    if (this.#block < 0) return
    const block = this.#bytes.subarray(this.#block * BLOCK_BYTES, (this.#block + 1) * BLOCK_BYTES)
    this.#words[this.#block * BLOCK_WORDS + ROWS_WORD] = this.#rowsInBlock
    this.#words[this.#block * BLOCK_WORDS + CHECKSUM_WORD] = blockChecksum(block)
  }

  #write(): void {
    const length = (this.#block + 1) * BLOCK_BYTES
    writeFully(this.#fd, this.#bytes.subarray(0, length), this.#written)
    this.#written += length
    this.#bytes.fill(0)
    this.#block = -1
  }

  /** Completes the file and flushes it to disk. */
  finish(): { rows: number; bytes: number } {
    this.#endBlock()
    this.#write()
    const index = Float64Array.from(this.#firstNumbers)
    const head: BlockFileHead = { rows: this.#rows, operators: this.#operators.ids }
    const bytes = sealStoredFile(this.#fd, BLOCK_FORMAT, this.#written, new Uint8Array(index.buffer), head)
    return { rows: this.#rows, bytes }
  }

  close(): void {
    fs.closeSync(this.#fd)
  }
}
