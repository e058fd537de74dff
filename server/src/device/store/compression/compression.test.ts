import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { openCompression } from './compression.ts'

const { compress, expand, expandLine } = openCompression()

test('expands a compressed text to the same text', () => {
  for (const text of ['', '{}', 'नमस्ते 👋', '{"vpn":false}'.repeat(1000), '\u0000'.repeat(70_000)]) {
    assert.equal(expand(compress(text, [])), text)
  }
})

test('stores each id once, as bytes, and leaves a text alone that contains marks', () => {
  const ids = Array.from({ length: 10 }, () => randomUUID())
  const [one = ''] = ids
  for (const text of [
    ...ids,
    [...ids, ...ids].join('-'),
    `${one}-1772324880 ${one}`,
    `\u0001${one}`,
    `\u0008 ${ids}`,
  ]) {
    assert.equal(expand(compress(text, ids)), text)
  }
  for (const no of [one.toUpperCase(), 'x', '', one.slice(1)]) assert.equal(expand(compress(no, [no])), no)
  const [once, twice] = [compress(`{"a":"${one}"}`, ids), compress(`{"a":"${one}","b":"${one}"}`, ids)]
  assert.ok(twice.length < once.length + 12, 'a repeated id costs a mark')
})

test('expands one line, with its ids', () => {
  const id = randomUUID()
  const lines = [`{"a":"${'x'.repeat(5_000)}"}`, `{"b":"${id} नमस्ते"}`, '', `{"c":"${id}"}`]
  const compact = compress(lines.join('\n'), [id])
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((line) => expandLine(compact, line)),
    [...lines, '', ''],
  )
})

test('reads texts of the first dictionary, and refuses unknown dictionaries', () => {
  const dictionary = readFileSync(new URL('./dictionaries/1.zdict', import.meta.url))
  const frame = zstdCompressSync('{"requestId":"d6eacd8d"}', { dictionary })
  assert.equal(expand(Buffer.concat([Buffer.of(1, 0), frame])), '{"requestId":"d6eacd8d"}')
  for (const form of [0, 200])
    assert.throws(() => expand(Buffer.concat([Buffer.of(form, 0), frame])), /known dictionary/)
  assert.throws(() => expand(new Uint8Array(0)), /known dictionary/)
  assert.throws(() => expand(Buffer.concat([Buffer.of(1, 0), frame.subarray(0, -3)])))
})
