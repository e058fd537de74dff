import assert from 'node:assert/strict'
import { test } from 'node:test'
import { owedFacts } from '../analysis/owed-facts.ts'
import { recorded } from '../testdata/recordings.ts'
import { missingFacts } from './missing-facts.ts'

test('names the facts that are missing, and those that came too late', () => {
  const ordinary = recorded('firefox-ordinary')
  assert.deepEqual(missingFacts.judge(ordinary), { verdict: { result: false }, reasons: [] })
  const { engine: _, plugins: __, ...facts } = ordinary.facts
  const sent = { platform: 'WEB', facts, factsMissing: { plugins: 'timedOut' }, tookMs: 2000 } as const
  assert.deepEqual(missingFacts.judge({ ...ordinary, facts, ...owedFacts(sent) }), {
    verdict: { result: true },
    reasons: ['missing: engine', 'too late: plugins'],
  })
})
