import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bucket, bucketOf, percentileOf } from './latency.ts'

const bucketsOf = (times: readonly number[]): Bucket[] =>
  [...Map.groupBy(times, bucketOf)].map(([bucket, all]) => ({ bucket, count: all.length }))

test('a percentile of buckets is within a quarter of the exact one, for times of any size', () => {
  const random = (seed: number) => Math.abs(Math.sin(seed * 12.9898) * 43758.5453) % 1
  for (const [low, high] of [
    [3, 9],
    [40, 900],
    [100, 20_000],
  ] as const) {
    const times = Array.from({ length: 2000 }, (_, i) => Math.round(low * (high / low) ** random(i + 1)))
    const exact = times.toSorted((one, other) => one - other)
    for (const share of [0.5, 0.95]) {
      const [found, real] = [percentileOf(bucketsOf(times), share)!, exact[Math.ceil(share * exact.length) - 1]!]
      assert.ok(found >= real * 0.75 && found <= real * 1.25, `${share} of ${low} to ${high}: ${found}, not ${real}`)
    }
  }
})

test('one time is in its bucket, none has no percentile, and what is longer than all is in the last one', () => {
  for (const ms of [0, 1, 99, 100, 101, 4999]) {
    const found = percentileOf(bucketsOf([ms]), 1)!
    assert.equal(found, Number(bucketOf(ms)))
    assert.ok(found >= ms)
  }
  assert.equal(percentileOf([], 0.5), undefined)
  assert.equal(percentileOf([{ bucket: '100', count: 0 }], 0.5), undefined)
  assert.equal(bucketOf(3_600_000), '63000')
})
