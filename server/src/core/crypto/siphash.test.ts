import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SipHash } from './siphash.ts'

const key = Uint8Array.from({ length: 16 }, (_, i) => i)

// vectors_sip64 of the reference implementation: the bytes 0, 1, 2 … of each length
const vectors = {
  0: '310e0edd47db6f72',
  1: 'fd67dc93c539f874',
  7: '37d1018bf50002ab',
  8: '6224939a79f5f593',
  15: 'e545be4961ca29a1',
  63: '724506eb4c328a95',
}

test('gives the hashes of the reference implementation', () => {
  const hash = new SipHash(key)
  for (const [length, wanted] of Object.entries(vectors)) {
    const text = String.fromCharCode(...Array(Number(length)).keys())
    assert.equal(Buffer.from(hash.of(text).bytes()).toString('hex'), wanted, length)
  }
})

test('tells texts beyond ASCII apart, and gives other hashes with another key', () => {
  const hash = new SipHash(key)
  const texts = ['é', '\u00c3\u00a9', 'e\u0301', 'é\0', '日本', '🙂', '🙃', 'a'.repeat(300), 'a'.repeat(301)]
  const hexOf = (each: SipHash) => texts.map((text) => Buffer.from(each.of(text).bytes()).toString('hex'))
  const other = new SipHash(key.toReversed())
  assert.equal(new Set([...hexOf(hash), ...hexOf(other)]).size, 2 * texts.length)
  assert.deepEqual(hexOf(hash), hexOf(new SipHash(key)))
})
