import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listed, unlisted } from '../testdata/addresses.ts'
import { recorded } from '../testdata/recordings.ts'
import { tor } from './tor.ts'

const ordinary = recorded('chromium-ordinary')

test('detects a Tor exit, and no other IP address', () => {
  assert.deepEqual(tor.judge({ ...ordinary, anonymity: listed('tor') })?.verdict, { result: true })
  assert.deepEqual(tor.judge({ ...ordinary, anonymity: listed('openProxy') })?.verdict, { result: false })
  assert.deepEqual(tor.judge({ ...ordinary, anonymity: unlisted }), { verdict: { result: false }, reasons: [] })
})

test('has no verdict without lists', () => {
  assert.equal(tor.judge(ordinary), undefined)
})
