import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSamples } from '@ringfence/contract'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { recordings } from '../testdata/recordings.ts'
import { owedFacts, type SentReport } from './owed-facts.ts'

const without = (facts: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => !names.includes(name)))

const lackingOf = (platform: SentReport['platform'], facts: object, more: Partial<SentReport> = {}) =>
  owedFacts({ platform, facts, ...more }).lacking

test('every recorded browser sends what browsers owe, and so do phones', () => {
  for (const { name, evidence } of recordings()) {
    // It reports for no longer than a page that was never shown.
    if (name === 'chromium-headless-dump-dom') continue
    assert.deepEqual(evidence.lacking, [], name)
  }
  assert.deepEqual(lackingOf('IOS', iphone().facts), [])
  assert.deepEqual(lackingOf('ANDROID', androidPhone().facts), [])
  for (const [name, platform] of [
    ['web', 'WEB'],
    ['ios', 'IOS'],
    ['android', 'ANDROID'],
  ] as const) {
    const { facts } = readSamples().IntelligenceRequest![name] as { facts: object }
    assert.deepEqual(lackingOf(platform, facts), [], name)
  }
})

test('a near-empty report lacks facts on every platform', () => {
  for (const [platform, facts] of [
    ['WEB', recordings()[0]!.evidence.facts],
    ['IOS', iphone().facts],
    ['ANDROID', androidPhone().facts],
  ] as const) {
    const few = Object.fromEntries(Object.entries(facts).slice(0, 4))
    for (const sent of [{}, few]) assert.ok(lackingOf(platform, sent).length > 3, platform)
  }
})

test('each fact that speaks against a device is owed alone, unless the app switched it off', () => {
  const web = recordings().find(({ name }) => name === 'chromium-ordinary')!.evidence.facts
  for (const fact of ['automation', 'alteredFunctions', 'engine', 'plugins', 'windowGeometry', 'inspection']) {
    assert.deepEqual(lackingOf('WEB', without(web, fact)), [fact])
    assert.deepEqual(lackingOf('WEB', without(web, fact), { collect: { [fact]: false } }), [])
    assert.deepEqual(lackingOf('WEB', without(web, fact), { factsMissing: { [fact]: 'unavailable' } }), [fact])
  }
  for (const fact of ['jailbreakTraces', 'hookTraces', 'simulator'])
    assert.deepEqual(lackingOf('IOS', without(iphone().facts, fact)), [fact])
  const ofAndroid = [
    ...['rootTraces', 'hookTraces', 'emulatorTraces', 'peripherals', 'build', 'deviceModel'],
    ...['appIntegrity', 'timezone', 'networkInterfaces', 'screenCapture'],
  ]
  for (const fact of ofAndroid) {
    assert.deepEqual(lackingOf('ANDROID', without(androidPhone().facts, fact)), [fact])
    assert.deepEqual(lackingOf('ANDROID', without(androidPhone().facts, fact), { collect: { [fact]: false } }), [])
    const factsMissing = { [fact]: 'unavailable' }
    assert.deepEqual(lackingOf('ANDROID', without(androidPhone().facts, fact), { factsMissing }), [fact])
  }
  assert.deepEqual(lackingOf('WEB', without(web, 'vendor', 'fontFamily', 'screen', 'canvas', 'audio')), [])
})

test('a fact without one of its parts is owed like an absent one', () => {
  const web = recordings().find(({ name }) => name === 'chromium-ordinary')!.evidence.facts
  for (const [fact, part] of [
    ['automation', 'webdriver'],
    ['engine', 'isV8'],
    ['inspection', 'stacksWritten'],
    ['windowGeometry', 'isTop'],
  ] as const) {
    assert.deepEqual(lackingOf('WEB', { ...web, [fact]: {} }), [fact])
    assert.deepEqual(lackingOf('WEB', { ...web, [fact]: without(web[fact]!, part) }), [fact])
  }
  assert.deepEqual(lackingOf('WEB', { ...web, userAgent: '' }), ['userAgent'])
  // A page in the background has no window yet.
  const hidden = without(web.windowGeometry!, 'outerWidth', 'outerHeight', 'screenX', 'screenY')
  assert.deepEqual(lackingOf('WEB', { ...web, windowGeometry: hidden }), [])
  assert.deepEqual(lackingOf('IOS', { ...iphone().facts, jailbreakTraces: {} }), ['jailbreakTraces'])
  assert.deepEqual(lackingOf('ANDROID', { ...androidPhone().facts, rootTraces: { paths: [] } }), ['rootTraces'])
  for (const fact of ['peripherals', 'screenCapture', 'networkInterfaces', 'deviceModel']) {
    assert.deepEqual(lackingOf('ANDROID', { ...androidPhone().facts, [fact]: {} }), [fact])
  }
})

test('a phone owes one of the ids that the app collects', () => {
  for (const [platform, { facts }, long, short] of [
    ['IOS', iphone(), 'keychainId', 'vendorId'],
    ['ANDROID', androidPhone(), 'drmId', 'androidId'],
  ] as const) {
    const its = { ...facts, [long]: (facts as Record<string, unknown>)[long] ?? 'a', [short]: 'b' }
    for (const one of [long, short]) {
      assert.deepEqual(lackingOf(platform, without(its, one)), [], one)
      assert.deepEqual(lackingOf(platform, without(its, long, short), { collect: { [one]: false } }).length, 1)
    }
    const none = without(its, long, short)
    assert.deepEqual(lackingOf(platform, none), [long, short])
    assert.deepEqual(lackingOf(platform, { ...none, [long]: long === 'drmId' ? '' : { isNew: false }, [short]: '' }), [
      long,
      short,
    ])
    assert.deepEqual(lackingOf(platform, none, { factsMissing: { [long]: 'unavailable' } }), [long, short])
    assert.deepEqual(lackingOf(platform, none, { collect: { [long]: false, [short]: false } }), [])
  }
})

test('a fact is late only when our own clock saw the time pass', () => {
  const facts = without(recordings().find(({ name }) => name === 'chromium-ordinary')!.evidence.facts, 'fonts')
  const factsMissing = { fonts: 'timedOut' }
  assert.deepEqual(owedFacts({ platform: 'WEB', facts, factsMissing, tookMs: 400 }).late, [])
  const slow = owedFacts({ platform: 'WEB', facts, factsMissing, tookMs: 1400 })
  assert.deepEqual([slow.lacking, slow.late], [[], ['fonts']])
})

test('what is owed is read first and never late, however long somebody sleeps', () => {
  const all = recordings().find(({ name }) => name === 'chromium-ordinary')!.evidence.facts
  const immediate = [
    ...['automation', 'alteredFunctions', 'engine', 'mediaQueries', 'plugins', 'storage', 'userAgent'],
    ...['inspection', 'windowGeometry'],
  ]
  for (const fact of immediate) {
    const sent = { facts: without(all, fact), factsMissing: { [fact]: 'timedOut' }, tookMs: 60_000 }
    const { lacking, late } = owedFacts({ platform: 'WEB', ...sent })
    assert.deepEqual([lacking, late], [[fact], []])
  }
  const slow = recordings().flatMap(({ evidence: { late = [] } }) => late)
  assert.ok(slow.length > 0 && !slow.some((fact) => immediate.includes(fact)), 'as slow browsers show')
})
