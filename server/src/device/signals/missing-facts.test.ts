import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evidence } from '../analysis/evidence.ts'
import { owedFacts } from '../analysis/owed-facts.ts'
import { iphone } from '../testdata/phones.ts'
import { recorded } from '../testdata/recordings.ts'
import { missingFacts } from './missing-facts.ts'

test('names the facts that are missing, and those that came too late', () => {
  const ordinary = recorded('firefox-ordinary')
  assert.deepEqual(missingFacts.judge(ordinary), { verdict: { result: false }, reasons: [] })
  const { engine: _, fonts: __, ...facts } = ordinary.facts
  const sent = { platform: 'WEB', facts, factsMissing: { fonts: 'timedOut' }, tookMs: 2000 } as const
  assert.deepEqual(missingFacts.judge({ ...ordinary, facts, ...owedFacts(sent) }), {
    verdict: { result: true, facts: ['engine'] },
    reasons: ['missing: engine', 'too late: fonts', 'not known: tampering'],
  })
})

const openIn = (
  name: string,
  sent: Partial<Evidence['facts']>,
  dropped: readonly string[],
  because = 'unavailable',
) => {
  const evidence = recorded(name)
  const facts = Object.fromEntries(
    Object.entries({ ...evidence.facts, ...sent }).filter(([fact]) => !dropped.includes(fact)),
  )
  const factsMissing = Object.fromEntries([...(evidence.notOwed ?? []), ...dropped].map((fact) => [fact, because]))
  const { userAgent = evidence.headers['user-agent'] } = sent
  const headers = { ...evidence.headers, 'user-agent': userAgent }
  const owed = owedFacts({ platform: 'WEB', facts, factsMissing, tookMs: 2000 })
  return missingFacts
    .judge({ ...evidence, facts, headers, ...owed })
    ?.reasons.filter((text) => !text.startsWith('too late'))
}

test('a question that stays open is missing too, also after a sleep', () => {
  const disguised = 'firefox-as-windows'
  assert.deepEqual(openIn(disguised, {}, []), [])
  const open = ['not known: tampering']
  assert.deepEqual(openIn(disguised, {}, ['workerScope', 'fonts', 'webgl'], 'refused'), open)
  assert.deepEqual(openIn(disguised, {}, ['workerScope', 'fonts', 'webgl']), open, 'every browser draws')
  assert.deepEqual(openIn(disguised, {}, ['workerScope', 'fonts', 'webgl'], 'timedOut'), open, 'anybody can sleep')
})

test('fonts that came too late leave nothing open where graphics show the same', () => {
  const onWindows = {
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0',
    platform: 'Win32',
    webgl: { renderer: 'ANGLE (Intel, Intel(R) UHD Graphics Direct3D11 vs_5_0 ps_5_0), or similar' },
  }
  const late = (...facts: string[]) => openIn('firefox-ordinary', onWindows, ['workerScope', ...facts], 'timedOut')
  assert.deepEqual(late('fonts'), [])
  assert.deepEqual(late('fonts', 'webgl'), ['not known: tampering'])
  const ofCanvas = openIn('chromium-ordinary', {}, ['canvas'], 'timedOut')
  assert.deepEqual(ofCanvas, ['not known: tampering'])
})

test('a user agent that names no engine or no system leaves open what it could contradict', () => {
  const withoutHints = ['clientHints', 'workerScope']
  for (const userAgent of ['Mozilla/5.0 (SMART-TV; Tizen 4.0)', 'Mozilla/5.0 (Amiga) Firefox/156.0']) {
    assert.deepEqual(openIn('firefox-ordinary', { userAgent }, withoutHints), ['not known: tampering'], userAgent)
  }
  const headless = openIn('chromium-headless', { userAgent: 'Mozilla/5.0 (SMART-TV; Tizen 4.0)' }, withoutHints)
  assert.deepEqual(headless, ['not known: bot'], 'it contradicts the engine, so tampering is known')
  const phones = ['Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile']
  for (const userAgent of phones) {
    const its = { userAgent, platform: 'Linux aarch64', maxTouchPoints: 5 }
    assert.deepEqual(openIn('chromium-ordinary', its, withoutHints), [], userAgent)
  }
})

const judgedPhone = ({ evidence, facts }: { evidence: Evidence; facts: Evidence['facts'] }) => {
  const owed = owedFacts({ platform: evidence.platform, facts })
  return missingFacts.judge({ ...evidence, facts, ...owed })?.verdict
}

test('names the part of a fact that is missing, and each id of a phone that has none', () => {
  const web = recorded('chromium-ordinary')
  const { isTop: _, ...windowGeometry } = web.facts.windowGeometry!
  const facts = { ...web.facts, windowGeometry, storage: {} }
  const owed = owedFacts({ platform: 'WEB', facts, tookMs: 2000 })
  assert.deepEqual(missingFacts.judge({ ...web, facts, ...owed })?.verdict, {
    result: true,
    facts: ['storage.localStorage', 'storage.sessionStorage', 'storage.indexedDB', 'windowGeometry.isTop'],
  })
  const phone = iphone()
  const { vendorId: __, ...others } = phone.facts
  assert.deepEqual(judgedPhone({ evidence: phone, facts: { ...others, keychainId: { isNew: false } } }), {
    result: true,
    facts: ['keychainId', 'vendorId'],
  })
})

test('an open question names what every browser sends and this one lacks, else its user agent', () => {
  const verdictOf = (name: string, sent: Partial<Evidence['facts']>, dropped: readonly string[]) => {
    const evidence = recorded(name)
    const facts = Object.fromEntries(
      Object.entries({ ...evidence.facts, ...sent }).filter(([fact]) => !dropped.includes(fact)),
    )
    const headers = { ...evidence.headers, 'user-agent': facts.userAgent as string }
    return missingFacts.judge({ ...evidence, facts, headers, ...owedFacts({ platform: 'WEB', facts }) })?.verdict
  }
  assert.deepEqual(verdictOf('firefox-as-windows', {}, ['workerScope', 'fonts', 'webgl']), {
    result: true,
    facts: ['fonts'],
  })
  const strange = { userAgent: 'Mozilla/5.0 (SMART-TV; Tizen 4.0)' }
  assert.deepEqual(verdictOf('firefox-ordinary', strange, ['clientHints', 'workerScope']), {
    result: true,
    facts: ['userAgent'],
  })
})
