// Is what was folded the same as the log that it came from? For random decisions, folded at random places.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { entryStart, KeyCounts, unitsText, valueText, velocityId } from './key-counts.ts'

const minute = 60_000
const hashOf = (text: string) => Buffer.alloc(16, text)
const count = velocityId('count', 5 * minute, hashOf('a'))
const sum = velocityId('sum', 30 * 24 * 60 * minute, hashOf('b'))
const distinct = velocityId('distinct', 60 * minute, hashOf('c'))
const textOf = (value: number) => valueText(Buffer.alloc(6, value % 7))

const start = Date.parse('2026-03-01T12:00:00Z')
const decisions = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 8 * minute }),
    units: fc.maxSafeNat(),
    value: fc.nat(9),
    /** Which velocities the decision adds to, by a bit for each. */
    which: fc.integer({ min: 1, max: 7 }),
    folds: fc.boolean(),
  }),
  { maxLength: 60 },
)

test('what is folded says what its log says, now and later', () => {
  fc.assert(
    fc.property(decisions, fc.nat(90 * minute), (made, later) => {
      let at = start
      let whole = ''
      let [log, folded] = ['', '']
      for (const { after, units, value, which, folds } of made) {
        at += after
        const parts = [count, `${sum}${unitsText(units)}`, `${distinct}${textOf(value)}`]
        const entry = entryStart(at) + parts.flatMap((part, i) => (which & (1 << i) ? ` ${part}` : [])).join('')
        whole += entry
        log += entry
        if (!folds) continue
        const counts = new KeyCounts(at)
        counts.addLog(log)
        counts.addFolded(folded)
        folded = counts.folded().content
        log = ''
      }
      const now = at + later
      const [expected, found] = [new KeyCounts(now), new KeyCounts(now)]
      expected.addLog(whole)
      found.addFolded(folded)
      found.addLog(log)
      for (const id of [count, sum]) assert.deepEqual(found.of(id), expected.of(id))
      for (let value = 0; value < 7; value++) {
        assert.deepEqual(found.of(distinct, textOf(value)), expected.of(distinct, textOf(value)))
        assert.equal(found.hasNow(distinct, textOf(value)), expected.hasNow(distinct, textOf(value)))
      }
      assert.equal(found.folded().leavesAt, expected.folded().leavesAt)
    }),
  )
})

const numberedText = (value: number) => valueText(Buffer.from(String(value).padStart(6, '0')))
const logOf = (values: number[]) =>
  values.map((value) => `${entryStart(start)} ${distinct}${numberedText(value)}`).join('')
function foldOf(values: number[]): string {
  const counts = new KeyCounts(start)
  counts.addLog(logOf(values))
  return counts.folded().content
}
const hundreds = (from: number, count: number) => Array.from({ length: 100 * count }, (_, i) => 100 * from + i)

test('four folded texts of a busy key and a log count each of many values once, up to 1,000', () => {
  for (const [step, expected] of [
    [0, 450],
    [1, 750],
    [2, 1_000],
    [4, 1_000],
  ] as const) {
    const counts = new KeyCounts(start)
    for (let text = 0; text < 4; text++) counts.addFolded(foldOf(hundreds(text * step, 4)))
    counts.addLog(logOf(hundreds(3 * step + 3, 1).map((value) => value + 50)))
    assert.equal(counts.of(distinct).n, expected, `${step}`)
  }
})

test('two folded texts that share values count each value once', () => {
  const counts = new KeyCounts(start)
  for (const values of [
    [1, 2, 3],
    [3, 4],
    [4, 1],
  ]) {
    counts.addFolded(foldOf(values))
  }
  assert.deepEqual(counts.of(distinct, numberedText(4)), { n: 4, units: 0, isKnown: true })
  assert.deepEqual(counts.of(distinct, numberedText(5)), { n: 4, units: 0, isKnown: false })
})

test('of more than 1,000 values, what is folded has those that leave last', () => {
  const counts = new KeyCounts(start)
  for (let i = 0; i < 1_500; i++)
    counts.addLog(`${entryStart(start + (i < 700 ? 0 : 30 * minute))} ${distinct}${numberedText(i)}`)
  const { content } = counts.folded()
  assert.ok(content.length < 8_100, `${content.length} characters`)
  const later = (minutes: number) => {
    const folded = new KeyCounts(start + minutes * minute)
    folded.addFolded(content)
    return folded
  }
  assert.equal(later(30).of(distinct).n, 1_000)
  assert.equal(later(70).of(distinct).n, 800)
  assert.equal(later(70).of(distinct, numberedText(699)).isKnown, false)
  assert.equal(later(70).of(distinct, numberedText(700)).isKnown, true)
})
