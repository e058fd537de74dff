// Which row does a block file have for a number? A binary search in memory, one read of 4 KiB, and a second search.

import fs from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { lastAtMost } from '../../../core/files/sorted-search.ts'
import { loadStoredFile, openStoredFile, readExactly, type StoredFile } from '../../../core/files/stored-file.ts'
import type { OperatorId } from '../source.ts'
import {
  BLOCK_BYTES,
  BLOCK_FORMAT,
  BLOCK_WORDS,
  type BlockFileHead,
  blockChecksum,
  CHECKSUM_WORD,
  damagedBlockFile,
  FIRST_ROW_WORD,
  ROWS_PER_BLOCK,
  ROWS_WORD,
} from './block-format.ts'

export interface PortedRow {
  /** undefined: the number returned to its home operator. */
  readonly operator: OperatorId | undefined
  /** Days since 1970-01-01; 0 when the source does not report it. */
  readonly portedOn: number
}

/**
 * Reads through the page cache of the operating system, which all processes share, and has no cache itself.
 *
 * A block that this process read recently is most likely still in the page cache, so it is read synchronously: 1.2 µs of CPU,
 * where a read in the thread pool takes 11.5 µs. Every other block may have to come from the disk. It is read in the thread
 * pool, so that the event loop never waits for the disk, and its checksum is verified. `forgetReads` makes all blocks such.
 */
export class BlockFile {
  readonly rows: number
  readonly #path: string
  /** Undefined when the data are in memory. */
  readonly #handle: FileHandle | undefined
  readonly #operators: readonly OperatorId[]
  readonly #firstNumbers: Float64Array
  /** One bit for each block: read recently and intact. */
  readonly #wasRead: Uint8Array
  readonly #block: BlockView
  /** All data, when the file was opened in memory. */
  readonly #memory: BlockView | undefined

  private constructor(file: Omit<StoredFile<BlockFileHead>, 'handle'>, handle?: FileHandle, memory?: BlockView) {
    this.rows = file.head.rows
    this.#path = file.path
    this.#handle = handle
    this.#operators = file.head.operators
    this.#firstNumbers = new Float64Array(file.index)
    this.#wasRead = new Uint8Array(Math.ceil(this.#firstNumbers.length / 8))
    this.#block = blockView(new ArrayBuffer(BLOCK_BYTES))
    this.#memory = memory
  }

  /**
   * Opens the file and verifies its frame. Throws a DataFileError.
   *
   * @param inMemory reads all of it, 8 bytes a row. Meant for increments, which every look-up searches first.
   */
  static async open(path: string, { inMemory = false } = {}): Promise<BlockFile> {
    if (inMemory) {
      const { bytes, ...file } = await loadStoredFile(path, BLOCK_FORMAT)
      return new BlockFile(file, undefined, blockView(bytes, file.dataBytes))
    }
    const { handle, ...file } = await openBlockFile(path)
    return new BlockFile(file, handle)
  }

  /** Returns the row of the number, or undefined when there is none. Throws or rejects with a DataFileError. */
  find(number: number): PortedRow | undefined | Promise<PortedRow | undefined> {
    const block = lastAtMost(this.#firstNumbers, number)
    if (block < 0) return undefined
    const wasRead = (this.#wasRead[block >>> 3]! & (1 << (block & 7))) !== 0
    if (this.#memory) {
      if (!wasRead) this.#verify(block, this.#memory, block)
      return this.#search(this.#memory, block, number)
    }
    if (!wasRead) return this.#findOffLoop(block, number)
    if (fs.readSync(this.#handle!.fd, this.#block.bytes, 0, BLOCK_BYTES, block * BLOCK_BYTES) !== BLOCK_BYTES) {
      throw damagedBlockFile(this.#path, `is truncated in block ${block}`)
    }
    return this.#search(this.#block, 0, number)
  }

  async #findOffLoop(block: number, number: number): Promise<PortedRow | undefined> {
    const view = blockView(await readExactly(this.#handle!, this.#path, BLOCK_FORMAT, block * BLOCK_BYTES, BLOCK_BYTES))
    this.#verify(block, view, 0)
    return this.#search(view, 0, number)
  }

  #verify(block: number, view: BlockView, place: number): void {
    verifyBlock(this.#path, block, view, place)
    this.#wasRead[block >>> 3]! |= 1 << (block & 7)
  }

  #search({ words, doubles }: BlockView, place: number, number: number): PortedRow | undefined {
    const offset = number - doubles[(place * BLOCK_BYTES) / 8]!
    const start = place * BLOCK_WORDS
    const firstRow = start + FIRST_ROW_WORD
    let low = 0
    let high = words[start + ROWS_WORD]! - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (words[firstRow + 2 * middle]! < offset) low = middle + 1
      else high = middle
    }
    if (words[firstRow + 2 * low] !== offset) return undefined
    const value = words[firstRow + 2 * low + 1]!
    return { operator: this.#operators[value & 0xffff], portedOn: value >>> 16 }
  }

  /** Treats every block as possibly on disk again: after a while the operating system may have dropped it from its cache. */
  forgetReads(): void {
    if (!this.#memory) this.#wasRead.fill(0)
  }

  /** Waits for reads in progress. Data in memory have no open file. */
  async close(): Promise<void> {
    await this.#handle?.close()
  }
}

export function openBlockFile(path: string): Promise<StoredFile<BlockFileHead>> {
  return openStoredFile(path, BLOCK_FORMAT)
}

/** One or more blocks, as bytes, words and doubles. */
export interface BlockView {
  readonly bytes: Uint8Array
  readonly words: Uint32Array
  readonly doubles: Float64Array
}

/** Of the first `length` bytes, a multiple of eight. */
export function blockView(buffer: ArrayBuffer, length = buffer.byteLength): BlockView {
  return {
    bytes: new Uint8Array(buffer, 0, length),
    words: new Uint32Array(buffer, 0, length / 4),
    doubles: new Float64Array(buffer, 0, length / 8),
  }
}

/** Verifies the block at the position `place` of the view. Throws a DataFileError. */
export function verifyBlock(path: string, block: number, { bytes, words }: BlockView, place: number): void {
  const stored = words[place * BLOCK_WORDS + CHECKSUM_WORD]!
  const rows = words[place * BLOCK_WORDS + ROWS_WORD]!
  const isIntact = blockChecksum(bytes.subarray(place * BLOCK_BYTES, (place + 1) * BLOCK_BYTES)) === stored
  if (isIntact && rows >= 1 && rows <= ROWS_PER_BLOCK) return
  throw damagedBlockFile(path, `is altered: the checksum of block ${block} does not match`)
}
