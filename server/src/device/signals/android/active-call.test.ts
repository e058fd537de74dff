import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone } from '../../testdata/phones.ts'
import { activeCall } from './active-call.ts'

const judged = (audioMode: number) => activeCall.judge(androidPhone({ audioMode }))?.verdict.result

test('a call of the network or of an app is in progress, also a redirected one', () => {
  for (const mode of [2, 3, 5, 6]) assert.equal(judged(mode), true, String(mode))
})

test('nobody is in a call while it rings or an assistant answers, and an unknown mode says nothing', () => {
  for (const mode of [0, 1, 4]) assert.equal(judged(mode), false, String(mode))
  for (const mode of [-2, -1, 7]) assert.equal(judged(mode), undefined, String(mode))
  const { audioMode: _, ...others } = androidPhone().facts
  assert.equal(activeCall.judge({ ...androidPhone(), facts: others }), undefined)
})
