import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weights } from '../../scores/weights.ts'
import { androidPhone } from '../../testdata/phones.ts'
import { accessibilityService } from './accessibility-service.ts'

test('a service that is neither of the system nor a tool is found; a phone without one, or with tools only, has none', () => {
  const services = ['com.example.clicker']
  const found = accessibilityService.judge(androidPhone({ accessibilityServices: services }))
  assert.deepEqual(found, { verdict: { result: true }, reasons: services })
  assert.equal(accessibilityService.judge(androidPhone())?.verdict.result, false)
  const { accessibilityServices: _, ...others } = androidPhone().facts
  assert.equal(accessibilityService.judge({ ...androidPhone(), facts: others }), undefined)
})

test('weighs less than any signal of a device that is not what it claims', () => {
  const { accessibilityService: own, rootApps, emulator, clonedApp } = weights
  for (const other of [rootApps, emulator, clonedApp]) assert.ok(own.session * 5 < other.session)
})
