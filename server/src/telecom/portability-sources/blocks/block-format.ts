// How are ported numbers stored? 8-byte rows in 4 KiB blocks: 100 million numbers in 0.8 GB, one read per look-up.
//
//   block of 4096 bytes: base f64 · rows u32 · CRC-32 u32 · 510 × (offset u32 · operator u16 · ported-on u16)
//
// A row's number is base + offset, and rows ascend. A block ends early when the next offset would exceed 2³² − 1. `operator` is
// an index into the list of the head, or 65535 (returned home). `ported-on` is in days since 1970-01-01, or 0. The index is the
// first number of each block as f64.

import { crc32 } from 'node:zlib'
import Type, { type Static } from 'typebox'
import { DataFileError } from '../../../core/files/data-file-error.ts'
import type { StoredFormat } from '../../../core/files/stored-file.ts'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'

export const BLOCK_BYTES = 4096
export const ROWS_PER_BLOCK = 510
export const MAX_OFFSET = 0xffff_ffff

/** Positions in a block of 32-bit words. */
export const ROWS_WORD = 2
export const CHECKSUM_WORD = 3
export const FIRST_ROW_WORD = 4
export const BLOCK_WORDS = BLOCK_BYTES / 4

const blockFileHead = Type.Object({
  rows: Type.Integer({ minimum: 0 }),
  operators: Type.Array(Type.String(), { maxItems: 65_535 }),
})
export type BlockFileHead = Static<typeof blockFileHead>
const blockFileHeadCheck = compileOnUse(blockFileHead)

export const BLOCK_FORMAT: StoredFormat<BlockFileHead> = {
  magic: 'RFBLOCKS',
  version: 1,
  isHead: (value): value is BlockFileHead => blockFileHeadCheck.Check(value),
  remedy: 'Import the full number file again.',
}

export const damagedBlockFile = (path: string, reason: string) => new DataFileError(path, reason, BLOCK_FORMAT.remedy)

/** CRC-32 of a block without its checksum. */
export function blockChecksum(block: Uint8Array): number {
  return crc32(block.subarray(FIRST_ROW_WORD * 4), crc32(block.subarray(0, CHECKSUM_WORD * 4)))
}
