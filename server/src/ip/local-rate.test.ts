import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { baseRateOf, type LocalOutcome, localRate } from './local-rate.ts'

const day = 86_400_000
const sessions = (bad: number, good: number, ageMs = 0): LocalOutcome[] => [
  ...Array.from({ length: bad }, () => ({ isBad: true, ageMs })),
  ...Array.from({ length: good }, () => ({ isBad: false, ageMs })),
]
const rate = (ofAddress: LocalOutcome[], neighbours: LocalOutcome[] = [], baseRate = 0.01) =>
  Math.round(100 * localRate({ ofAddress, ofPrefix: [...ofAddress, ...neighbours], baseRate })) / 100

test('rates an IP address low after one bad session and high after many', () => {
  assert.equal(rate(sessions(0, 0)), 0)
  assert.equal(rate(sessions(1, 0)), 0.11)
  assert.equal(rate(sessions(5, 0)), 0.41)
  assert.equal(rate(sessions(50, 0)), 0.93)
})

test('counts sessions of neighbouring addresses, for less than those of the address itself', () => {
  assert.equal(rate([], sessions(5, 0)), 0.11)
  assert.equal(rate([], sessions(5, 100)), 0.03)
})

test('lowers the rate with good sessions, and returns 0 for an address that is no worse than others', () => {
  assert.equal(rate(sessions(5, 45)), 0.08)
  assert.equal(rate(sessions(1, 99)), 0)
  assert.equal(rate(sessions(0, 10)), 0)
})

test('halves the weight of a label after 90 days', () => {
  assert.equal(rate(sessions(10, 0, 90 * day)), rate(sessions(5, 0)))
  assert.equal(rate(sessions(5, 0, -day)), rate(sessions(5, 0)), 'a clock that was put back')
})

test('shrinks the base rate and never exceeds 5 %, however one-sided the labels are', () => {
  assert.equal(baseRateOf([]), 0)
  assert.ok(baseRateOf(sessions(1, 0)) < 0.01)
  assert.equal(baseRateOf(sessions(20, 880)), 0.02)
  assert.equal(baseRateOf(sessions(1000, 0)), 0.05)
})

test('never lowers a rate for a bad session or raises it for a good one, and stays from 0 to 1', () => {
  const count = fc.nat(60)
  fc.assert(
    fc.property(count, count, fc.double({ min: 0, max: 0.05, noNaN: true }), (bad, good, baseRate) => {
      const [seen, worse, better] = [sessions(bad, good), sessions(bad + 1, good), sessions(bad, good + 1)]
      const of = (outcomes: LocalOutcome[]) => localRate({ ofAddress: outcomes, ofPrefix: outcomes, baseRate })
      return of(seen) >= 0 && of(worse) >= of(seen) && of(better) <= of(seen) && of(worse) <= 1
    }),
  )
})
