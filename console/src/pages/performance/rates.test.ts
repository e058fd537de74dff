import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, type Figures, rates, runsOf } from './rates.ts'
import { readPerformanceSearch } from './search.ts'

const figures: Figures = {
  decisions: { ALLOW: 6, WARN: 2, CHALLENGE: 1, BLOCK: 1 },
  ...{ challengesPassed: 3, challengesFailed: 1, challengesExpired: 2 },
  labels: { fraud: 3, chargeback: 2, legitimate: 10 },
  ...{ badStopped: 1, goodStopped: 2, reviewed: 0, approved: 0 },
  amounts: [],
}
const noChallenges = { challengesPassed: 0, challengesFailed: 0, challengesExpired: 0 }
const nothing: Figures = { ...figures, ...noChallenges, decisions: {}, labels: {}, goodStopped: 0 }

test('each rate is a share of what it says, and of nothing it is not known', () => {
  const of = (each: Figures) => Object.values(rates).map(({ of }) => of(each))
  assert.deepEqual(of(figures), [0.8, 0.5, 1 / 3, 0.2])
  assert.deepEqual(of(nothing), [undefined, undefined, undefined, undefined])
})

test('fewer than ten labels make no rate, over time as in the tile of the period', () => {
  const labels = { fraud: 3, legitimate: 6 }
  assert.deepEqual(
    [rates.fraud.of({ ...figures, labels }), rates.falsePositives.of({ ...figures, labels })],
    [undefined, undefined],
  )
  assert.equal(rates.fraud.of({ ...figures, labels: { ...labels, fraud: 4 } }), 0.4)
})

test('a change is in points, and only between two rates that are known', () => {
  assert.equal(changeOf(0.938, 0.945), -0.7)
  assert.equal(changeOf(0.938, undefined), undefined)
})

test('a line has a gap where nothing is known', () => {
  assert.deepEqual(runsOf([undefined, 1, 2, undefined, 3]), [
    { from: 1, values: [1, 2] },
    { from: 4, values: [3] },
  ])
})

test('the URL says period, rate and filters; anything else is left out', () => {
  assert.deepEqual(readPerformanceSearch({ days: 90, rate: 'fraud', operation: 'PAYMENT', app: 7, country: {} }), {
    ...{ days: '90', rate: 'fraud', operation: 'PAYMENT', app: '7' },
  })
  assert.deepEqual(readPerformanceSearch({ days: 2, rate: 'toString' }), {})
})
