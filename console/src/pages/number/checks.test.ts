import assert from 'node:assert/strict'
import { test } from 'node:test'
import { telecomChecks } from '@ringfence/contract'
import { orderedChecks } from './checks.ts'

test('a person can order each check whose question needs nothing but the number', () => {
  assert.deepEqual(orderedChecks.toSorted(), [...telecomChecks, 'kycMatch'].toSorted())
})
