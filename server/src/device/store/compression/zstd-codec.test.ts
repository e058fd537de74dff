import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { works, zstdCodec } from './zstd-codec.ts'

const dictionary = readFileSync(new URL('./dictionaries/1.zdict', import.meta.url))
const params = { [constants.ZSTD_c_contentSizeFlag]: 0, [constants.ZSTD_c_dictIDFlag]: 0 }
const codec = zstdCodec({ dictionary, params })
const oneShot = {
  compress: (text: Uint8Array) => zstdCompressSync(text, { dictionary, params }),
  expand: (frame: Uint8Array) => zstdDecompressSync(frame, { dictionary }),
}

test('writes and reads the frames that a context for each text writes and reads', () => {
  const texts = [
    ...['', '{}', '{"requestId":"x","vpn":false}'.repeat(200)].map((text) => Buffer.from(text)),
    ...[1, 65_535, 65_536, 65_537, 300_000].map((length) => randomBytes(length)),
    Buffer.alloc(1_000_000),
  ]
  for (const text of [...texts, ...texts.toReversed()]) {
    const frame = codec.compress(text)
    assert.deepEqual(frame, oneShot.compress(text), `${text.length} bytes`)
    assert.ok(oneShot.expand(frame).equals(text))
    assert.ok(codec.expand(frame).equals(text))
  }
})

test('refuses what is no whole frame, and forgets it', () => {
  const text = Buffer.from('{"requestId":"x","vpn":false}'.repeat(50))
  const frame = codec.compress(text)
  const altered = Buffer.from(frame)
  altered[5]! ^= 0xff
  for (const broken of [
    Buffer.of(),
    frame.subarray(0, -1),
    frame.subarray(0, 5),
    frame.subarray(1),
    Buffer.concat([frame, Buffer.of(0)]),
    Buffer.from('no frame at all'),
    randomBytes(100_000),
  ]) {
    assert.throws(() => codec.expand(broken), /^Error: zstd: /, broken.toString('hex', 0, 20))
    assert.ok(codec.expand(frame).equals(text))
  }
  assert.notEqual(
    attempt(() => codec.expand(altered).toString()),
    text.toString(),
  )
  assert.ok(codec.expand(frame).equals(text))
})

test('copies its output: the next text does not change it', () => {
  const first = codec.compress(Buffer.from('first'))
  const copy = Buffer.from(first)
  codec.compress(Buffer.from('second'))
  assert.deepEqual(first, copy)
})

test('does not reuse a context that does not work', () => {
  assert.equal(works(oneShot, oneShot), true)
  assert.equal(works({ ...oneShot, expand: () => Buffer.from('wrong') }, oneShot), false)
  const missing = () => {
    throw new TypeError('handle.writeSync is not a function')
  }
  assert.equal(works({ ...oneShot, compress: missing }, oneShot), false)
})

function attempt(work: () => string): string | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
