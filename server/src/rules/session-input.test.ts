import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhoneDetail, SecureInfoDetail } from '@ringfence/contract'
import { paths } from './paths.ts'
import { inputOfDetectors, inputOfTelecom } from './session-input.ts'
import type { RuleInput } from './vocabulary.ts'

/** Names of the vocabulary that begin so. */
const names = (prefix: string) =>
  paths.flatMap(({ path }) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : [])).toSorted()

const everything: SecureInfoDetail = {
  incognito: true,
  confidence: { score: 0.9, revision: 'v1.1' },
  bot: { result: 'bad' },
  rootApps: { result: true },
  emulator: { result: true },
  jailbroken: { result: true },
  clonedApp: { result: true },
  frida: { result: true },
  privacySettings: { result: true },
  tampering: { result: true, anomalyScore: 0.7 },
  suspectScore: { result: 21 },
  virtualMachine: { result: true },
  locationSpoofing: { result: true },
  developerTools: { result: true },
  vpn: {
    result: true,
    originCountry: 'DE',
    originTimezone: 'Europe/Berlin',
    methods: { timezoneMismatch: true, publicVPN: false, auxiliaryMobile: true, osMismatch: true },
  },
}

test('every detector is read under its path; one without an answer is absent', () => {
  const input = inputOfDetectors(everything)
  assert.deepEqual(Object.keys(input).toSorted(), names('signals.'))
  assert.deepEqual([input.bot, input.anomalyScore, input.publicVPN, input.suspectScore], ['bad', 0.7, false, 21])
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
  const read = paths.filter(({ path }) => path.startsWith('telecom.')).map(({ read }) => read(input))
  assert.deepEqual(read, ['A', 'B', '91', 'IN', 'MOBILE', true, 240, 5, false, 6, true, 7])
  assert.deepEqual(inputOfTelecom({ phoneDetail: {} }), {})
})
