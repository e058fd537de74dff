import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wantedAgeOf } from './wanted-age.ts'

test('no-cache and no-store want a new answer, max-age one that is not older, and anything else any', () => {
  const cases: [string | undefined, number | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['no-cache', 0],
    ['No-Store', 0],
    ['max-age=60', 60],
    ['max-age="60"', 60],
    ['max-age=0', 0],
    ['max-age=60, no-cache', 0],
    ['no-transform ,max-age=5', 5],
    ['max-age', undefined],
    ['max-age=-1', undefined],
    ['max-age=1e9', undefined],
    ['only-if-cached', undefined],
  ]
  for (const [header, age] of cases) assert.equal(wantedAgeOf(header), age, String(header))
})
