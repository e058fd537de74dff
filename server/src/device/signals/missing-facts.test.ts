import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evidence } from '../analysis/evidence.ts'
import { owedFacts } from '../analysis/owed-facts.ts'
import { recorded } from '../testdata/recordings.ts'
import { missingFacts } from './missing-facts.ts'

test('names the facts that are missing, and those that came too late', () => {
  const ordinary = recorded('firefox-ordinary')
  assert.deepEqual(missingFacts.judge(ordinary), { verdict: { result: false }, reasons: [] })
  const { engine: _, windowGeometry: __, ...facts } = ordinary.facts
  const sent = { platform: 'WEB', facts, factsMissing: { windowGeometry: 'timedOut' }, tookMs: 2000 } as const
  assert.deepEqual(missingFacts.judge({ ...ordinary, facts, ...owedFacts(sent) }), {
    verdict: { result: true },
    reasons: ['missing: engine', 'too late: windowGeometry', 'not known: tampering'],
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

test('a question that stays open is missing too, unless slowness explains it', () => {
  const disguised = 'firefox-as-windows'
  assert.deepEqual(openIn(disguised, {}, []), [])
  const open = ['not known: tampering']
  assert.deepEqual(openIn(disguised, {}, ['workerScope', 'fonts', 'webgl'], 'refused'), open)
  assert.deepEqual(openIn(disguised, {}, ['workerScope', 'fonts', 'webgl']), open, 'every browser draws')
  assert.deepEqual(
    openIn(disguised, {}, ['workerScope', 'fonts', 'webgl'], 'timedOut'),
    [],
    'our own clock confirms it',
  )
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
