import assert from 'node:assert/strict'
import { test } from 'node:test'
import { iphone } from '../testdata/phones.ts'
import { factoryReset } from './factory-reset.ts'

const seconds = Date.parse('2026-02-27T08:00:00Z') / 1000
const judge = (volumeDates: object) => factoryReset.judge(iphone({ volumeDates }))?.verdict

test('the last reset is when the volume was created', () => {
  assert.deepEqual(judge({ volume: seconds, home: 1 }), { time: '2026-02-27T08:00:00Z', timestamp: seconds })
})

test('has no verdict on impossible dates, and without dates', () => {
  for (const volumeDates of [{}, { home: seconds }, { volume: 0 }, { volume: 4_000_000_000 }, { volume: -1 }]) {
    assert.equal(judge(volumeDates), undefined, JSON.stringify(volumeDates))
  }
})
