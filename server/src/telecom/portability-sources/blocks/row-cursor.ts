// What are the rows of several block files, in order? A row of a newer file replaces the row of an older one.

import fs from 'node:fs'
import { type OperatorTable, RETURNED_HOME } from '../operator-table.ts'
import { blockView, openBlockFile, verifyBlock } from './block-file.ts'
import { BLOCK_BYTES, BLOCK_WORDS, damagedBlockFile, FIRST_ROW_WORD, ROWS_WORD } from './block-format.ts'

const BLOCKS_PER_READ = 256

/** Points before the first row until `next` has returned true. */
export interface RowCursor {
  readonly number: number
  /** An index in the table that the cursor was opened with, or `RETURNED_HOME`. */
  readonly operator: number
  readonly portedOn: number
  next(): boolean
  close(): Promise<void>
}

/** Reads a block file from its beginning and verifies each block. Adds its operators to `operators`. */
export async function openRowCursor(path: string, operators: OperatorTable): Promise<RowCursor> {
  const { handle, dataBytes, head, index } = await openBlockFile(path)
  const operatorOf = new Uint32Array(RETURNED_HOME + 1).fill(RETURNED_HOME)
  for (const [i, id] of head.operators.entries()) operatorOf[i] = operators.add(id)
  const firstNumbers = new Float64Array(index)
  const view = blockView(new ArrayBuffer(BLOCKS_PER_READ * BLOCK_BYTES))
  const { words } = view
  const blocks = dataBytes / BLOCK_BYTES
  let block = -1
  let row = 0
  let rows = 0

  const cursor = {
    number: 0,
    operator: RETURNED_HOME,
    portedOn: 0,
    next(): boolean {
      if (++row >= rows && !nextBlock()) return false
      const word = (block % BLOCKS_PER_READ) * BLOCK_WORDS + FIRST_ROW_WORD + 2 * row
      const value = words[word + 1]!
      cursor.number = firstNumbers[block]! + words[word]!
      cursor.operator = operatorOf[value & 0xffff]!
      cursor.portedOn = value >>> 16
      return true
    },
    close: () => handle.close(),
  }

  function nextBlock(): boolean {
    if (++block >= blocks) return false
    const place = block % BLOCKS_PER_READ
    if (place === 0) {
      const length = Math.min(BLOCKS_PER_READ, blocks - block) * BLOCK_BYTES
      if (fs.readSync(handle.fd, view.bytes, 0, length, block * BLOCK_BYTES) !== length) {
        throw damagedBlockFile(path, `is truncated in block ${block}`)
      }
    }
    verifyBlock(path, block, view, place)
    row = 0
    rows = words[place * BLOCK_WORDS + ROWS_WORD]!
    return true
  }
  return cursor
}

/** All rows of both. For a number that is in both, the row of `newer`. */
export function mergeRows(older: RowCursor, newer: RowCursor): RowCursor {
  let hasOlder = older.next()
  let hasNewer = newer.next()
  let current: RowCursor | undefined
  const cursor = {
    number: 0,
    operator: RETURNED_HOME,
    portedOn: 0,
    next(): boolean {
      if (current === older) hasOlder = older.next()
      if (current === newer) hasNewer = newer.next()
      if (!hasOlder && !hasNewer) return false
      if (hasOlder && hasNewer && older.number === newer.number) hasOlder = older.next()
      current = hasOlder && (!hasNewer || older.number < newer.number) ? older : newer
      cursor.number = current.number
      cursor.operator = current.operator
      cursor.portedOn = current.portedOn
      return true
    },
    async close(): Promise<void> {
      await older.close()
      await newer.close()
    },
  }
  return cursor
}
