import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSamples } from '@ringfence/contract'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { recordings } from '../testdata/recordings.ts'
import { isIncomplete } from './owed-facts.ts'

const without = (facts: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => !names.includes(name)))

test('every recorded browser sends what browsers owe, and so do phones', () => {
  for (const { name, evidence } of recordings()) assert.equal(isIncomplete('WEB', evidence.facts), false, name)
  assert.equal(isIncomplete('IOS', iphone().facts), false)
  assert.equal(isIncomplete('ANDROID', androidPhone().facts), false)
  for (const [name, platform] of [
    ['web', 'WEB'],
    ['ios', 'IOS'],
    ['android', 'ANDROID'],
  ] as const) {
    const { facts } = readSamples().IntelligenceRequest![name] as { facts: object }
    assert.equal(isIncomplete(platform, facts), false, name)
  }
})

test('a near-empty report is incomplete on every platform', () => {
  for (const [platform, facts] of [
    ['WEB', recordings()[0]!.evidence.facts],
    ['IOS', iphone().facts],
    ['ANDROID', androidPhone().facts],
  ] as const) {
    assert.equal(isIncomplete(platform, {}), true, platform)
    const few = Object.fromEntries(Object.entries(facts).slice(0, 4))
    assert.equal(isIncomplete(platform, few), true, platform)
  }
})

test('a report without the traces of automation or hooks is incomplete, unless the app switched them off', () => {
  const web = recordings()[0]!.evidence.facts
  assert.equal(isIncomplete('WEB', without(web, 'automation')), true)
  assert.equal(isIncomplete('WEB', without(web, 'automation'), { automation: false }), false)
  assert.equal(isIncomplete('IOS', without(iphone().facts, 'hookTraces')), true)
  assert.equal(isIncomplete('WEB', without(web, 'vendor', 'fontFamily', 'screen', 'canvas', 'audio')), false)
})
