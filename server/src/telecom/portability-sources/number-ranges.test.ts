import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { byPlace, columnsOf, indexRanges, MAX_DIGITS, NumberRangeIndex, parseNumberRange } from './number-ranges.ts'

test('matches numbers of any length with a prefix, and of the same length with a range', () => {
  const prefix = indexRanges(['3161'])
  for (const number of ['3161', '31610', '31619999999', '316199999999999']) assert.equal(prefix.find(number), 0, number)
  for (const number of ['316', '3162', '3160999', '4161', '3161000000000000'])
    assert.equal(prefix.find(number), -1, number)

  assert.equal(indexRanges(['3160']).find('316'), -1, 'a number shorter than the prefix')

  const range = indexRanges(['31610-31619'])
  for (const number of ['31610', '31615', '31619']) assert.equal(range.find(number), 0, number)
  for (const number of ['3161', '316150', '31609', '31620']) assert.equal(range.find(number), -1, number)
})

test('rejects a text that is neither a prefix nor an ascending range of equally long numbers', () => {
  for (const text of [
    '',
    '0316',
    '31-',
    '-31',
    '31 6',
    '+316',
    '310-31',
    '3100-310',
    '320-310',
    '31x',
    '1234567890123456',
  ]) {
    assert.equal(parseNumberRange(text), undefined, text)
  }
})

test('finds the narrowest range around a number', () => {
  const digits = fc.integer({ min: 1, max: 120 }).map(String)
  const nested = fc.oneof(
    digits,
    fc.tuple(digits, fc.nat(40)).map(([from, more]) => {
      const to = Math.min(Number(from) + more, 10 ** from.length - 1)
      return `${from}-${to}`
    }),
  )
  fc.assert(
    fc.property(fc.array(nested, { maxLength: 12 }), fc.integer({ min: 1, max: 1300 }).map(String), (texts, number) => {
      const ranges = texts.map((text) => parseNumberRange(text)!).sort(byPlace)
      const found = new NumberRangeIndex(columnsOf(ranges)).find(number)
      // Ranges that overlap in part are refused by the importer for allocations; for completeness any hit will do.
      const holding = ranges.filter(({ digits, from, to }) => {
        if (digits > 0) return number.length === digits && Number(number) >= from && Number(number) <= to
        return number.startsWith(String(from).slice(0, MAX_DIGITS - Math.log10(to - from + 1)))
      })
      assert.equal(found >= 0, holding.length > 0)
      const laminar = ranges.every((a, i) =>
        ranges.every(
          (b, j) =>
            i === j || a.digits !== b.digits || a.to < b.from || b.to < a.from || isInside(a, b) || isInside(b, a),
        ),
      )
      if (found < 0 || !laminar) return
      const width = ({ digits, from, to }: { digits: number; from: number; to: number }) =>
        (to - from + 1) / (digits === 0 ? 10 ** (MAX_DIGITS - number.length) : 1)
      assert.equal(width(ranges[found]!), Math.min(...holding.map(width)))
    }),
  )
})

function isInside(a: { from: number; to: number }, b: { from: number; to: number }): boolean {
  return a.from >= b.from && a.to <= b.to
}

test('prefers a range over a prefix of the same width', () => {
  const ranges = ['3161', '31610-31619'].map((text) => parseNumberRange(text)!).sort(byPlace)
  const index = new NumberRangeIndex(columnsOf(ranges))
  assert.equal(ranges[index.find('31615')]!.digits, 5)
  assert.equal(ranges[index.find('316155')]!.digits, 0)
})

test('prefers the narrowest of ranges with the same start', () => {
  const ranges = ['3160', '31600', '316'].map((text) => parseNumberRange(text)!).sort(byPlace)
  const index = new NumberRangeIndex(columnsOf(ranges))
  const width = (number: string) => Math.log10(ranges[index.find(number)]!.to - ranges[index.find(number)]!.from + 1)
  assert.deepEqual(['3160055', '3160155', '3161155'].map(width), [10, 11, 12])
})
