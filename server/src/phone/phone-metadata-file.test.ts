import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { encodePhoneMetadata, keyOf, readPhoneMetadata, valueAt } from './phone-metadata-file.ts'

let folder: string
let path: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'phone-metadata-file-'))
  path = join(folder, 'phone-metadata.bin')
})
after(() => rmSync(folder, { recursive: true }))

const none = new Map<string, string>()
const small = encodePhoneMetadata({
  origin: 'a source 1.0.0',
  carriers: new Map([['336', 'Orange']]),
  places: new Map([['33', 'France']]),
  timeZones: none,
})

test('what was written is what a search for the longest prefix finds, also in short numbers', () => {
  // Few different digits make for many prefixes within prefixes.
  const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[019]{1,${maxLength}}$`))
  const texts = fc.constantFrom('Zürich', 'Genève', '東京')
  fc.assert(
    fc.property(fc.array(fc.tuple(digits(9), texts)), fc.array(digits(11)), (entries, numbers) => {
      const prefixes = new Map(entries)
      writeFileSync(
        path,
        encodePhoneMetadata({ origin: 'generated', carriers: none, places: prefixes, timeZones: prefixes }),
      )
      const { origin, texts, carriers, places, timeZones } = readPhoneMetadata(path)
      assert.equal(origin, 'generated')
      for (const number of [...numbers, ...prefixes.keys()]) {
        const expected = longestPrefix(prefixes, number)
        for (const table of [places, timeZones]) {
          const value = valueAt(table, keyOf(number))
          assert.equal(value === 0 ? undefined : texts[value], expected, number)
        }
        assert.equal(valueAt(carriers, keyOf(number)), 0)
      }
    }),
    { numRuns: 500 },
  )
})

function longestPrefix(prefixes: Map<string, string>, number: string): string | undefined {
  for (let length = number.length; length > 0; length--) {
    const text = prefixes.get(number.slice(0, length))
    if (text !== undefined) return text
  }
  return undefined
}

test('data that the format cannot hold is refused', () => {
  const encode = (prefix: string, text: string) =>
    encodePhoneMetadata({ origin: 'x', carriers: none, places: new Map([[prefix, text]]), timeZones: none })
  assert.throws(() => encode('1234567890', 'Paris'), /cannot hold the prefix "1234567890"/)
  assert.throws(() => encode('', 'Paris'), /cannot hold the prefix ""/)
  assert.throws(() => encode('331', 'Paris\nLyon'), /cannot hold the text "Paris\\nLyon"/)
  assert.throws(() => encode('331', ''), /cannot hold the text ""/)
})

test('a truncated or corrupt file is refused with the reason and what to do', () => {
  const withWord = (index: number, value: number) => {
    const words = new Uint8Array(small)
    new Uint32Array(words.buffer)[index] = value
    return words
  }
  const damaged = Uint8Array.from(small)
  damaged[damaged.length - 1]! ^= 1
  const refusals: [Uint8Array, RegExp][] = [
    [new Uint8Array(0), /is cut short \(0 bytes\)/],
    [small.subarray(0, 20), /is cut short \(20 bytes\)/],
    [small.subarray(0, -1), new RegExp(`has ${small.length - 1} bytes instead of ${small.length}`)],
    [damaged, /is damaged/],
    [withWord(4, 1_000_000), /is damaged/],
    [withWord(0, 0x52504d48), /is not a phone metadata file/],
    [withWord(1, 99), /has format 99, and this version reads format 1/],
  ]
  for (const [bytes, reason] of refusals) {
    writeFileSync(path, bytes)
    assert.throws(() => readPhoneMetadata(path), reason)
    assert.throws(() => readPhoneMetadata(path), /Run "npm run prepare"/)
  }
})

test('a missing file is refused with what to do', () => {
  assert.throws(
    () => readPhoneMetadata(join(folder, 'missing.bin')),
    /missing\.bin cannot be read.*Run "npm run prepare"/,
  )
})
