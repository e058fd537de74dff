import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codesReach } from './parts/phone.ts'

const phoneDetail = { countryCode: '91', nationalNumber: '7020141726' } as never
const answer = (swapped: boolean, maxAgeHours: number) => ({
  phoneDetail,
  simSwap: { swapped, maxAgeHours, ageSeconds: 0 },
})

test('a stored swap counts until the operator was asked about as long a window again', () => {
  const stored = answer(true, 240)
  assert.equal(codesReach(answer(false, 24), stored, undefined), 'diverted')
  assert.equal(codesReach(answer(false, 240), stored, undefined), 'undoubted')
  assert.equal(codesReach(answer(true, 24), answer(false, 240), undefined), 'diverted')
  assert.equal(codesReach(stored, stored, undefined), 'diverted', 'no operator was asked again')
})

test('an operator that could say it leaves a doubt, and one that never says it does not', () => {
  const doubt = (
    why: 'operator-timeout' | 'operator-failed' | 'window-unsupported' | 'unsupported' | 'operator-unknown',
  ) => codesReach(undefined, undefined, { simSwap: why, everything: false })
  for (const why of ['operator-timeout', 'operator-failed', 'window-unsupported'] as const) {
    assert.equal(doubt(why), 'unknown', why)
  }
  for (const why of ['unsupported', 'operator-unknown'] as const) assert.equal(doubt(why), 'undoubted', why)
})
