import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReportReasons } from '@ringfence/contract'
import Value from 'typebox/value'
import { combined } from '../../device/scores/combine.ts'
import { sessionScore } from '../../device/scores/session-score.ts'
import { suspectContributions } from '../../device/scores/suspect-score.ts'
import { firedWeights, weights } from '../../device/scores/weights.ts'
import { signals } from '../../device/signals/index.ts'
import { judgeAll } from '../../device/signals/judge.ts'
import { recorded } from '../../device/testdata/recordings.ts'
import { reasonsWith } from '../../rules/reasons/catalogue.ts'
import { sentence } from '../../rules/reasons/device-reasons.ts'
import { codeOf } from '../../rules/reasons/reason.ts'
import { reasonsOf } from './reasons.ts'

const { verdicts } = judgeAll(recorded('playwright-headless'))
const session = sessionScore(firedWeights(verdicts), 40)
const suspect = suspectContributions(verdicts, 'WEB')

test('every contribution to the three scores has a code, an amount and a text, and they add up to the scores', () => {
  const contributions = [
    ...session.contributions,
    { source: 'past.tor', weight: 0.299999999, because: 'an exit of the Tor network: 3 days ago' },
  ]
  const device = { score: combined(contributions, 100), contributions }
  const reasons = reasonsOf({ scores: { session, device, suspect } })
  assert.deepEqual(Value.Errors(ReportReasons, reasons), [])
  assert.equal(combined(reasons.sessionRiskScore, 100), session.score)
  assert.equal(combined(reasons.deviceRiskScore, 100), device.score)
  assert.equal(
    reasons.suspectScore.reduce((sum, { points }) => sum + points, 0),
    verdicts.suspectScore?.result,
  )
  const codes = reasons.deviceRiskScore.map(({ code }) => code)
  for (const code of ['BOT', 'IP_FRAUD_SCORE', 'PREVIOUS_TOR']) assert.ok(codes.includes(code), code)
  for (const { text } of Object.values(reasons).flat())
    assert.match(text, /^[A-Z].*[a-z] [a-z]/, 'a text is for people')
  const known = new Set(reasonsWith(signals).map(({ code }) => code))
  for (const { code } of Object.values(reasons).flat()) assert.ok(known.has(code), `${code} is in the reference`)
})

test('a session without a contribution has no reasons', () => {
  const nothing = { score: 0, contributions: [] }
  assert.deepEqual(reasonsOf({ scores: { session: nothing, device: nothing, suspect: [] } }), {
    sessionRiskScore: [],
    deviceRiskScore: [],
    suspectScore: [],
  })
})

test('every published weight of suspectScore has a text', () => {
  for (const [name, { publishedAs = name, suspect, because }] of Object.entries(weights)) {
    if (!suspect) continue
    const contribution = { source: publishedAs, weight: 1 }
    const scores = { session, device: session, suspect: [contribution] }
    const [reason] = reasonsOf({ scores }).suspectScore
    assert.deepEqual(reason, { code: codeOf(name), points: 1, text: sentence(because) }, 'the code of the other scores')
  }
})
