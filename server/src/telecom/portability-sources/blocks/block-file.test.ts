import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { DataFileError } from '../../../core/files/data-file-error.ts'
import { OperatorTable, RETURNED_HOME } from '../operator-table.ts'
import { BlockFile } from './block-file.ts'
import { BlockFileBuilder } from './block-file-builder.ts'
import { BLOCK_BYTES } from './block-format.ts'
import { mergeRows, openRowCursor, type RowCursor } from './row-cursor.ts'

type Row = readonly [number: number, operator: string | undefined, portedOn: number]

function testFolder(t: TestContext): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringfence-blocks-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

function build(file: string, rows: readonly Row[]): string {
  const operators = new OperatorTable()
  const builder = new BlockFileBuilder(file, operators)
  for (const [number, operator, portedOn] of rows) {
    builder.append(number, operator === undefined ? RETURNED_HOME : operators.add(operator), portedOn)
  }
  builder.finish()
  builder.close()
  return file
}

async function open(t: TestContext, file: string, inMemory = false): Promise<BlockFile> {
  const blocks = await BlockFile.open(file, { inMemory })
  t.after(() => blocks.close())
  return blocks
}

/** Two dense clusters, then gaps that no 32-bit offset spans, and the largest number of 15 digits. */
const rows: Row[] = [
  ...Array.from({ length: 1200 }, (_, i): Row => [31_600_000_000 + 3 * i, `204-${10 + (i % 40)}`, 20_000 + i]),
  [31_600_000_000 + 0xffff_ffff, '204-08', 0],
  [31_600_000_000 + 0xffff_ffff + 2 ** 33, undefined, 65_534],
  [999_999_999_999_999, 'nl:home', 1],
]

for (const inMemory of [false, true]) {
  test(`finds every row and nothing between rows (${inMemory ? 'in memory' : 'on disk'})`, async (t) => {
    const blocks = await open(t, build(path.join(testFolder(t), 'blocks'), rows), inMemory)
    assert.equal(blocks.rows, rows.length)
    for (const round of ['first', 'again']) {
      for (const [number, operator, portedOn] of rows) {
        assert.deepEqual(await blocks.find(number), { operator, portedOn }, `${round} ${number}`)
        for (const beside of [number - 1, number + 1]) assert.equal(await blocks.find(beside), undefined)
      }
    }
    for (const number of [0, 10_000, 31_599_999_999]) assert.equal(await blocks.find(number), undefined)
  })
}

test('finds no number in a file without rows', async (t) => {
  const blocks = await open(t, build(path.join(testFolder(t), 'blocks'), []))
  assert.equal(await blocks.find(31_600_000_000), undefined)
})

test('reads a block off the event loop the first time, and again after it may have left the page cache', async (t) => {
  const blocks = await open(t, build(path.join(testFolder(t), 'blocks'), rows))
  const first = blocks.find(31_600_000_000)
  assert.ok(first instanceof Promise)
  await first
  assert.ok(!(blocks.find(31_600_000_003) instanceof Promise), 'same block')
  assert.ok(blocks.find(31_600_000_000 + 3 * 1100) instanceof Promise, 'another block')
  blocks.forgetReads()
  assert.ok(blocks.find(31_600_000_000) instanceof Promise)
})

test('stores 510 rows of 8 bytes in a block of 4 KiB', (t) => {
  const file = build(
    path.join(testFolder(t), 'blocks'),
    Array.from({ length: 5100 }, (_, i): Row => [31_600_000_000 + i, '204-08', 1]),
  )
  const bytes = fs.readFileSync(file)
  assert.equal(bytes.toString('latin1', bytes.length - 32, bytes.length - 24), 'RFBLOCKS')
  assert.equal(bytes.readDoubleLE(bytes.length - 24), 10 * BLOCK_BYTES)
  assert.equal(bytes.readDoubleLE(BLOCK_BYTES), 31_600_000_510)
  assert.equal(bytes.readUInt32LE(BLOCK_BYTES + 8), 510)
})

test('fills the unused part of a block with zeros', (t) => {
  const rows = Array.from({ length: 510 * 256 + 1 }, (_, i): Row => [31_600_000_000 + i, '204-08', 1])
  const bytes = fs.readFileSync(build(path.join(testFolder(t), 'blocks'), rows))
  const last = bytes.subarray(256 * BLOCK_BYTES, 257 * BLOCK_BYTES)
  assert.equal(last.readUInt32LE(8), 1)
  assert.ok(last.subarray(16 + 8).every((byte) => byte === 0))
})

test('refuses a truncated file with the reason, wherever it was cut', async (t) => {
  const file = build(path.join(testFolder(t), 'blocks'), rows)
  const bytes = fs.readFileSync(file)
  for (const length of [0, 31, 4096, 9000, bytes.length - 33, bytes.length - 1]) {
    fs.writeFileSync(file, bytes.subarray(0, length))
    await assert.rejects(BlockFile.open(file), (error) => {
      assert.ok(error instanceof DataFileError)
      assert.match(error.message, /truncated.*Import the full number file again/)
      return true
    })
  }
})

test('refuses an altered index, head or footer on opening, and an altered block on reading', async (t) => {
  const file = build(path.join(testFolder(t), 'blocks'), rows)
  const bytes = fs.readFileSync(file)
  const blocksEnd = bytes.readDoubleLE(bytes.length - 24)
  const altered = (at: number) => {
    const copy = Buffer.from(bytes)
    copy[at]! ^= 1
    fs.writeFileSync(file, copy)
  }
  for (const at of [
    blocksEnd,
    blocksEnd + 30,
    blocksEnd + 60,
    bytes.length - 30,
    bytes.length - 20,
    bytes.length - 1,
  ]) {
    altered(at)
    await assert.rejects(BlockFile.open(file), DataFileError, `byte ${at}`)
  }
  for (const at of [0, 8, 12, 16, 4095]) {
    altered(at)
    for (const inMemory of [false, true]) {
      const blocks = await open(t, file, inMemory)
      await assert.rejects(async () => blocks.find(31_600_000_000), /checksum of block 0 does not match/, `byte ${at}`)
      assert.ok(await blocks.find(999_999_999_999_999), 'the other blocks are intact')
    }
  }
})

test('refuses the format of a later release and names its version', async (t) => {
  const file = build(path.join(testFolder(t), 'blocks'), rows)
  const bytes = fs.readFileSync(file)
  bytes.writeUInt32LE(2, bytes.length - 8)
  fs.writeFileSync(file, bytes)
  await assert.rejects(BlockFile.open(file), /has format version 2, and this release reads version 1/)
})

test('throws for a file that is truncated while it is open', async (t) => {
  const file = build(path.join(testFolder(t), 'blocks'), rows)
  const blocks = await open(t, file)
  assert.ok(await blocks.find(31_600_000_000))
  fs.truncateSync(file, 100)
  await assert.rejects(async () => blocks.find(31_600_000_000), DataFileError)
  await assert.rejects(async () => blocks.find(999_999_999_999_999), DataFileError)
})

test('merges files into one row per number, the newer one', async (t) => {
  const folder = testFolder(t)
  const older = build(path.join(folder, 'older'), rows)
  const newer = build(path.join(folder, 'newer'), [
    [31_599_999_999, 'nl:new', 7],
    [31_600_000_003, undefined, 0],
    [31_600_000_004, '204-11', 8],
    [999_999_999_999_999, 'nl:new', 9],
  ])
  const operators = new OperatorTable()
  const merged = mergeRows(await openRowCursor(older, operators), await openRowCursor(newer, operators))
  t.after(() => merged.close())
  const all = takeAll(merged, operators)
  assert.equal(all.length, rows.length + 2)
  assert.deepEqual(all.slice(0, 4), [
    [31_599_999_999, 'nl:new', 7],
    [31_600_000_000, '204-10', 20_000],
    [31_600_000_003, undefined, 0],
    [31_600_000_004, '204-11', 8],
  ])
  assert.deepEqual(all.at(-1), [999_999_999_999_999, 'nl:new', 9])
})

test('refuses to merge a damaged block', async (t) => {
  const file = build(path.join(testFolder(t), 'blocks'), rows)
  const fd = fs.openSync(file, 'r+')
  fs.writeSync(fd, Buffer.from([1]), 0, 1, BLOCK_BYTES + 100)
  fs.closeSync(fd)
  const operators = new OperatorTable()
  const cursor = await openRowCursor(file, operators)
  t.after(() => cursor.close())
  assert.throws(() => takeAll(cursor, operators), /checksum of block 1 does not match/)
})

function takeAll(cursor: RowCursor, operators: OperatorTable): Row[] {
  const taken: Row[] = []
  while (cursor.next()) taken.push([cursor.number, operators.ids[cursor.operator], cursor.portedOn])
  return taken
}
