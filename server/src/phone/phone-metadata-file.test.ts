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
test('finds the longest prefix of a number, also of a short one', () => {
  // With few different digits, many prefixes contain others.
  const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[019]{1,${maxLength}}$`))
  const texts = fc.constantFrom('Zürich', 'Genève', '東京', 'two\nlines')
  fc.assert(
    fc.property(fc.array(fc.tuple(digits(9), texts)), fc.array(digits(11)), (entries, numbers) => {
      const prefixes = new Map(entries)
      writeFileSync(
        path,
        encodePhoneMetadata({ origin: 'generated', carriers: none, places: prefixes, timeZones: prefixes }),
      )
      const { origin, textAt, carriers, places, timeZones } = readPhoneMetadata(path)
      assert.equal(origin, 'generated')
      for (const number of [...numbers, ...prefixes.keys()]) {
        const expected = longestPrefix(prefixes, number)
        for (const table of [places, timeZones]) {
          const value = valueAt(table, keyOf(number))
          assert.equal(value === 0 ? undefined : textAt(value), expected, number)
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

test('refuses data that the format cannot hold', () => {
  const encode = (prefix: string, text: string) =>
    encodePhoneMetadata({ origin: 'x', carriers: none, places: new Map([[prefix, text]]), timeZones: none })
  assert.throws(() => encode('1234567890', 'Paris'), /cannot hold the prefix "1234567890"/)
  assert.throws(() => encode('', 'Paris'), /cannot hold the prefix ""/)
  assert.throws(() => encode('331', ''), /cannot hold the text ""/)
})

test('refuses a damaged or missing file and says what to do', () => {
  const bytes = encodePhoneMetadata({
    origin: 'a source 1.0.0',
    carriers: new Map([['336', 'Orange']]),
    places: new Map([['33', 'France']]),
    timeZones: none,
  })
  writeFileSync(path, bytes.with(0, bytes[0]! ^ 1))
  assert.throws(() => readPhoneMetadata(path), {
    name: 'DataFileError',
    message: /phone-metadata\.bin is altered: .*in a clone, run "npm run prepare"\.$/,
  })
  assert.throws(
    () => readPhoneMetadata(join(folder, 'missing.bin')),
    /missing\.bin cannot be read \(ENOENT\)\. Install Ringfence again/,
  )
})
