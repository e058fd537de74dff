import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fragmentOf, subjectIn } from './subject-names.ts'

test('a subject is the same after a way through the fragment of a URL', () => {
  for (const value of ['u-1001', 'a&b=c#d', 'asha.rao@example.com', 'ü 100 %', '%41']) {
    assert.deepEqual(subjectIn(fragmentOf({ kind: 'userId', value })), { kind: 'userId', value })
  }
})

test('a fragment that names nobody is left out', () => {
  for (const fragment of [
    '',
    'u-1001',
    'userId',
    'userId=',
    'name=x',
    '__proto__=x',
    'userId=%',
    `userId=${'x'.repeat(257)}`,
  ]) {
    assert.equal(subjectIn(fragment), undefined, fragment)
  }
})
