import assert from 'node:assert/strict'
import { test } from 'node:test'
import { combined } from '@ringfence/server/device/scores/combine.ts'
import fc from 'fast-check'
import { contributions } from './contributions.ts'

const reason = (weight: number) => ({ code: `R${weight}`, text: 'a reason', weight, source: 'telecom.simSwap' })

test('gives the strongest reason its whole weight, and each other one a share of what is left', () => {
  const shares = contributions([reason(10), reason(60), reason(30)])
  assert.deepEqual(
    shares.map(({ reason: { weight }, points }) => [weight, Math.round(points * 10) / 10]),
    [
      [60, 60],
      [30, 12],
      [10, 2.8],
    ],
  )
})

test('adds up to the score of the service', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 12 }), (weights) => {
      const sum = contributions(weights.map(reason)).reduce((total, { points }) => total + points, 0)
      const score = combined(
        weights.map((weight) => ({ weight: weight / 100 })),
        100,
      )
      assert.ok(Math.abs(sum - score) <= 0.0501, `${sum} is not ${score}`)
    }),
  )
})
