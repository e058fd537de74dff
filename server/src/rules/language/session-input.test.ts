import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PhoneDetail, readSamples, type SecureInfoDetail, type SecureInfoResult } from '@ringfence/contract'
import { paths } from './paths.ts'
import { inputOfDetectors, inputOfTelecom } from './session-input.ts'
import type { RuleInput } from './vocabulary.ts'

/** Names of the vocabulary that begin so. */
const names = (prefix: string) =>
  paths.flatMap(({ path }) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : [])).toSorted()

/** The sample of specification 2.5 has every detector, so a new one is read here as soon as it is in the sample. */
const everything = (readSamples().SecureInfoResult!.everything as SecureInfoResult).secure_info as SecureInfoDetail

test('reads every detector under its path, and treats one without an answer as absent', () => {
  // Rules read them, and secure info does not have them.
  const ofRulesOnly = {
    appAttestation: { result: 'hardware' },
    appAccessRisk: { result: true, controlling: true, capturing: false },
  }
  const input = inputOfDetectors({ ...everything, ...ofRulesOnly })
  // The specification's bot has a result only.
  const inSample = names('signals.').filter((name) => !['botName', 'botCategory', 'botProof'].includes(name))
  assert.deepEqual(Object.keys(input).toSorted(), inSample)
  const { bot, anomalyScore, timezoneMismatch, publicVPN, suspectScore, confidence } = input
  assert.deepEqual([bot, anomalyScore, timezoneMismatch, publicVPN], ['notDetected', 0.03, true, false])
  assert.deepEqual([suspectScore, confidence], [3, 0.98])
  assert.deepEqual([input.appAttestation, input.appControlling, input.appCapturing], ['hardware', true, false])
  assert.deepEqual(inputOfDetectors({}), {})
})

test('reads telecom results under their paths, and treats a missing check as absent', () => {
  const phoneDetail: PhoneDetail = {
    operator: 'A',
    homeOperator: 'B',
    countryCode: '91',
    country: 'IN',
    type: 'MOBILE',
  }
  const checks = {
    simSwap: { swapped: true, maxAgeHours: 240, ageSeconds: 5 },
    callForwarding: { active: false, ageSeconds: 6 },
    portability: { ported: true, ageSeconds: 7 },
  }
  const input: RuleInput = { telecom: inputOfTelecom({ phoneDetail, ...checks }) }
  const read = paths
    .filter(({ path }) => path.startsWith('telecom.'))
    .flatMap(({ path, read }) => (read(input) === undefined ? [] : [`${path} ${read(input)}`]))
  assert.deepEqual(read, [
    'telecom.operator A',
    'telecom.homeOperator B',
    'telecom.countryCode 91',
    'telecom.country IN',
    'telecom.type MOBILE',
    'telecom.simSwap.swapped true',
    'telecom.simSwap.maxAgeHours 240',
    'telecom.simSwap.ageSeconds 5',
    'telecom.callForwarding.active false',
    'telecom.callForwarding.ageSeconds 6',
    'telecom.portability.ported true',
    'telecom.portability.ageSeconds 7',
  ])
  assert.deepEqual(inputOfTelecom({ phoneDetail: {} }), {})
})
