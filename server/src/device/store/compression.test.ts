import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { compacted, expanded } from './compression.ts'

test('a compact text is the same again, whatever is in it', () => {
  for (const text of ['', '{}', 'नमस्ते 👋', '{"vpn":false}'.repeat(1000), '\u0000'.repeat(70_000)]) {
    assert.equal(expanded(compacted(text, [])), text)
  }
})

test('ids are kept as bytes, each once; a text that has their marks keeps its ids', () => {
  const ids = Array.from({ length: 10 }, () => randomUUID())
  const [one = ''] = ids
  for (const text of [
    ...ids,
    [...ids, ...ids].join('-'),
    `${one}-1772324880 ${one}`,
    `\u0001${one}`,
    `\u0008 ${ids}`,
  ]) {
    assert.equal(expanded(compacted(text, ids)), text)
  }
  for (const no of [one.toUpperCase(), 'x', '', one.slice(1)]) assert.equal(expanded(compacted(no, [no])), no)
  const [once, twice] = [compacted(`{"a":"${one}"}`, ids), compacted(`{"a":"${one}","b":"${one}"}`, ids)]
  assert.ok(twice.length < once.length + 12, 'a repeated id costs a mark')
})

test('texts of the first dictionary stay readable, other forms are refused', () => {
  const dictionary = readFileSync(new URL('./dictionaries/1.zdict', import.meta.url))
  const frame = zstdCompressSync('{"requestId":"d6eacd8d"}', { dictionary })
  assert.equal(expanded(Buffer.concat([Buffer.of(1, 0), frame])), '{"requestId":"d6eacd8d"}')
  for (const form of [0, 200]) assert.throws(() => expanded(Buffer.concat([Buffer.of(form, 0), frame])), /known form/)
  assert.throws(() => expanded(new Uint8Array(0)), /known form/)
  assert.throws(() => expanded(Buffer.concat([Buffer.of(1, 0), frame.subarray(0, -3)])))
})
