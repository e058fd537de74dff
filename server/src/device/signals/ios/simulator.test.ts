import assert from 'node:assert/strict'
import { test } from 'node:test'
import { iphone } from '../../testdata/phones.ts'
import { simulator } from './simulator.ts'

test('detects a simulator by its target, its environment or its model', () => {
  for (const changes of [
    { simulator: { isTarget: true } },
    { simulator: { hasEnvironment: true } },
    { deviceModel: { identifier: 'arm64' } },
  ]) {
    assert.equal(simulator.judge(iphone(changes))?.verdict.result, true, JSON.stringify(changes))
  }
})

test('an iPhone is not a simulator; without facts there is no verdict', () => {
  assert.equal(simulator.judge(iphone())?.verdict.result, false)
  assert.equal(simulator.judge({ ...iphone(), facts: {} }), undefined)
})
