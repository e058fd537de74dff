import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReportSignals } from '@ringfence/contract'
import Value from 'typebox/value'
import { signals } from '../../device/signals/index.ts'
import { judgeAll } from '../../device/signals/judge.ts'
import { recorded } from '../../device/testdata/recordings.ts'
import { reportSignals } from './signals.ts'

const nothing = { verdicts: {}, reasons: {}, versions: {} }

test('lists every signal of the platform, and says unknown for one without an answer', () => {
  for (const platform of ['WEB', 'IOS', 'ANDROID'] as const) {
    const found = reportSignals({ platform, judgement: nothing })
    const names = signals.filter(({ platforms }) => (platforms as readonly string[]).includes(platform))
    assert.deepEqual(
      Object.keys(found),
      names.map(({ name }) => name),
    )
    for (const each of Object.values(found)) assert.deepEqual(each, { verdict: 'unknown', evidence: [] })
  }
})

test('shows verdicts with their evidence', () => {
  const judgement = judgeAll(recorded('playwright-headless'))
  const found = reportSignals({ platform: 'WEB', judgement })
  assert.deepEqual(Value.Errors(ReportSignals, found), [])
  assert.deepEqual(found.bot?.verdict, { result: 'bad', category: 'automation' })
  assert.deepEqual(found.bot?.evidence, judgement.reasons.bot)
  assert.equal(found.incognito?.verdict, judgement.verdicts.incognito)
})

test('a part of a verdict that is not known is unknown; one that the platform cannot have is false', () => {
  const vpn = { result: true, originCountry: 'IN', methods: { timezoneMismatch: true } }
  const judgement = { ...nothing, verdicts: { vpn } }
  assert.deepEqual(reportSignals({ platform: 'WEB', judgement }).vpn?.verdict, {
    result: true,
    originCountry: 'IN',
    originTimezone: 'unknown',
    methods: { timezoneMismatch: true, publicVPN: 'unknown', auxiliaryMobile: false, osMismatch: 'unknown' },
  })
})

test('the evidence is bounded and has no control characters', () => {
  const bot = Array.from({ length: 50 }, () => `a\nforged: line\u0000${'x'.repeat(1000)}`)
  const judgement = { ...nothing, verdicts: { bot: { result: 'bad' as const } }, reasons: { bot } }
  const { evidence } = reportSignals({ platform: 'WEB', judgement }).bot!
  assert.equal(evidence.length, 20)
  assert.equal(evidence[0]!.length, 300)
  assert.match(evidence[0]!, /^a forged: line x/)
})
