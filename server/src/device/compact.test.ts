import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { compacted, expanded } from './compact.ts'

test('a compact text is the same again, whatever is in it', () => {
  for (const text of ['', '{}', 'नमस्ते 👋', '{"vpn":false}'.repeat(1000), '\u0000'.repeat(70_000)]) {
    assert.equal(expanded(compacted(text)), text)
  }
})

test('ids are kept as bytes, each once; a text that has their marks keeps its ids', () => {
  const ids = Array.from({ length: 10 }, () => randomUUID())
  const texts = [
    ids.slice(0, 3).join(' '),
    [...ids, ...ids].join('-'),
    `${ids[0]}-1772324880 ${ids[0]}`,
    `\u0001${ids[0]}`,
    `\u0008 and ${ids.join()}`,
    ids[0]!.toUpperCase(),
  ]
  for (const text of texts) assert.equal(expanded(compacted(text)), text)
  const [one, again] = [compacted(`{"a":"${ids[0]}"}`), compacted(`{"a":"${ids[0]}","b":"${ids[0]}"}`)]
  assert.ok(again.length < one.length + 12, 'a repeated id costs a mark')
})

test('texts of the first dictionary stay readable, other forms are refused', () => {
  const dictionary = readFileSync(new URL('./dictionaries/1.zdict', import.meta.url))
  const frame = zstdCompressSync('{"requestId":"d6eacd8d"}', { dictionary })
  assert.equal(expanded(Buffer.concat([Buffer.of(1, 0), frame])), '{"requestId":"d6eacd8d"}')
  for (const form of [0, 200]) assert.throws(() => expanded(Buffer.concat([Buffer.of(form, 0), frame])), /known form/)
  assert.throws(() => expanded(new Uint8Array(0)), /known form/)
  assert.throws(() => expanded(Buffer.concat([Buffer.of(1, 0), frame.subarray(0, -3)])))
})
