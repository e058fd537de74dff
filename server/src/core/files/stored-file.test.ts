import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import {
  checkStoredFile,
  encodeStoredFile,
  openStoredFile,
  readStoredFile,
  type StoredFormat,
  sealStoredFile,
  writeFully,
} from './stored-file.ts'

interface Head {
  name: string
}

const format: StoredFormat<Head> = {
  magic: 'RFTESTED',
  version: 7,
  isHead: (value): value is Head => typeof (value as Head).name === 'string',
  remedy: 'Build it again.',
}

function testFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'ringfence-stored-'))
  atEnd(t, () => rmSync(folder, { recursive: true }))
  return join(folder, 'file.bin')
}

const small = encodeStoredFile(format, [Uint32Array.of(1, 2, 3), Uint8Array.of(4)], { name: 'small' })

test('reads back columns and head', (t) => {
  const path = testFile(t)
  writeFileSync(path, small)
  const { index, indexBytes, head, sizeBytes } = readStoredFile(path, format)
  assert.deepEqual(new Uint32Array(index, 0, 3), Uint32Array.of(1, 2, 3))
  assert.deepEqual(new Uint8Array(index, 12, 1), Uint8Array.of(4))
  assert.deepEqual([indexBytes, head, sizeBytes], [13, { name: 'small' }, small.length])
  checkStoredFile(path, format)
})

test('reads back a file that was written piece by piece behind its data', async (t) => {
  const path = testFile(t)
  const fd = openSync(path, 'w')
  writeFully(fd, Buffer.from('data'), 0)
  const size = sealStoredFile(fd, format, 4, Uint8Array.of(9), { name: 'large' })
  closeSync(fd)
  const { handle, dataBytes, index, head } = await openStoredFile(path, format)
  atEnd(t, () => handle.close())
  assert.deepEqual([dataBytes, new Uint8Array(index), head], [4, Uint8Array.of(9), { name: 'large' }])
  assert.equal((await handle.stat()).size, size)
})

const changed = (at: number, bit = 1) =>
  small.map((byte, i) => (i === (at + small.length) % small.length ? byte ^ bit : byte))
const refusals: [what: string, bytes: Uint8Array, reason: RegExp, inFooter: boolean][] = [
  ['an empty file', new Uint8Array(0), /is truncated: 0 bytes are less than its footer/, true],
  ['a file cut off in the footer', small.subarray(0, 20), /is truncated: 20 bytes are less than its footer/, true],
  ['a file without its first byte', small.subarray(1), /is truncated or altered: \d+ bytes instead of \d+/, true],
  ['a file without its last byte', small.subarray(0, -1), /does not end in a RFTESTED footer/, true],
  ['another magic', changed(-32), /does not end in a RFTESTED footer/, true],
  ['another version', changed(-8, 8), /has format version 15, and this release reads version 7/, true],
  ['an altered index', changed(0), /its checksum does not match/, false],
  ['an altered head', changed(20), /its checksum does not match/, false],
  ['an altered checksum', changed(-1), /its checksum does not match/, false],
  ['a head of another format', encodeStoredFile(format as never, [], {}), /its head is not of this format/, false],
]
for (const [what, bytes, reason, inFooter] of refusals) {
  test(`refuses ${what} with the reason and what to do`, async (t) => {
    const path = testFile(t)
    writeFileSync(path, bytes)
    const error = { name: 'DataFileError', message: reason }
    assert.throws(() => readStoredFile(path, format), error)
    assert.throws(() => readStoredFile(path, format), /file\.bin .*\. Build it again\.$/)
    await assert.rejects(openStoredFile(path, format), error)
    if (inFooter) assert.throws(() => checkStoredFile(path, format), error)
  })
}

test('refuses a missing file with the reason and what to do', async (t) => {
  const path = testFile(t)
  const error = { name: 'DataFileError', message: /cannot be read \(ENOENT\)\. Build it again\.$/ }
  assert.throws(() => readStoredFile(path, format), error)
  assert.throws(() => checkStoredFile(path, format), error)
  await assert.rejects(openStoredFile(path, format), error)
})
