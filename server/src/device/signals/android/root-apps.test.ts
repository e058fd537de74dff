import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone } from '../../testdata/phones.ts'
import { rootApps } from './root-apps.ts'

const noTraces = { paths: [], packages: [], properties: [] }
const judge = (traces: object, build = {}) => {
  const facts = { rootTraces: { ...noTraces, ...traces }, build: { ...androidPhone().facts.build, ...build } }
  return rootApps.judge(androidPhone(facts))?.verdict.result
}

test('detects root by an su binary, a root manager, or two signs of a custom system', () => {
  assert.equal(judge({ paths: ['/system/xbin/su'] }), true)
  assert.equal(judge({ paths: ['/data/adb/modules on /system/bin'] }), true, 'a mount')
  assert.equal(judge({ packages: ['com.topjohnwu.magisk'] }), true)
  assert.equal(judge({ properties: ['ro.debuggable=1'] }, { tags: 'test-keys' }), true)
})

test('an ordinary phone and one with a custom system are not rooted', () => {
  assert.equal(rootApps.judge(androidPhone())?.verdict.result, false)
  assert.equal(judge({}, { tags: 'test-keys' }), false)
  assert.equal(judge({ properties: ['selinux=permissive'] }), false)
  assert.equal(judge({ properties: ['selinux=permissive', 'ro.debuggable=1'] }), true)
  const { rootTraces: _, ...others } = androidPhone().facts
  assert.equal(rootApps.judge({ ...androidPhone(), facts: others }), undefined)
})

test('what the hardware attests of the boot counts whatever the files show', () => {
  const { rootTraces: _, ...others } = androidPhone().facts
  const booted = (isLocked: boolean, bootState: 'verified' | 'selfSigned' | 'failed', facts = androidPhone().facts) => {
    const keyAttestation = { level: 'unlocked', rootOfTrust: { isLocked, bootState }, revocations: 'current' } as const
    return rootApps.judge({ ...androidPhone(), facts, keyAttestation })?.verdict.result
  }
  assert.equal(booted(false, 'verified'), true)
  assert.equal(booted(true, 'failed'), true)
  assert.equal(booted(false, 'verified', others), true, 'a report without traces')
  assert.equal(booted(true, 'verified', others), undefined)
  assert.equal(booted(true, 'selfSigned'), false, 'a locked phone with a system of its owner')
  const properties = { ...androidPhone().facts, rootTraces: { ...noTraces, properties: ['ro.debuggable=1'] } }
  assert.equal(booted(true, 'selfSigned', properties), true, 'with a second sign')
})
