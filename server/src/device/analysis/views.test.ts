import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DevicePlatform } from '@ringfence/contract'
import {
  readSamples,
  SecureInfo,
  SecureInfoDetail,
  type SecureInfoResult,
  type TokenVerification,
} from '@ringfence/contract'
import Value from 'typebox/value'
import { revision } from '../identity/score.ts'
import { cases } from '../testdata/single-changes.ts'
import { knownDetectors, secureInfo, secureInfoDetail } from './views.ts'

/** Specification 2.4, the rows of `secureInfo`. */
const listedIn24 = [
  'incognito',
  'confidence.score',
  'confidence.revision',
  'bot.result',
  'rootApps.result',
  'emulator.result',
  'jailbroken.result',
  'clonedApp.result',
  'frida.result',
  'privacySettings.result',
  'vpn.result',
  'vpn.originCountry',
  'vpn.methods.timezoneMismatch',
  'vpn.methods.publicVPN',
  'tampering.result',
  'tampering.anomalyScore',
  'factoryReset.time',
  'factoryReset.timestamp',
  'suspectScore.result',
]
/** Specification 2.5: the same "plus" these. */
const listedIn25 = [
  ...listedIn24,
  'virtualMachine.result',
  'locationSpoofing.result',
  'developerTools.result',
  'vpn.originTimezone',
  'vpn.methods.auxiliaryMobile',
  'vpn.methods.osMismatch',
]

const samples = readSamples()
const { confidence, ...detectors } = (samples.SecureInfoResult!.everything as SecureInfoResult).secure_info!
const ofToken = (samples.TokenVerification!.everything as TokenVerification).secureInfo!

const judged = (platform: DevicePlatform, verdicts: object) => ({
  platform,
  judgement: { verdicts, reasons: {}, versions: {} },
})

/** `vpn.methods.publicVPN` of every value within. */
function pathsIn(value: unknown, at: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [at.join('.')]
  return Object.entries(value).flatMap(([name, part]) => pathsIn(part, [...at, name]))
}

test('the views of an analysis list the fields of specification 2.4 and 2.5, and no others', () => {
  const everything = { ...judged('WEB', detectors), confidence: confidence! }
  assert.deepEqual(pathsIn(secureInfo(everything)).toSorted(), listedIn24.toSorted())
  assert.deepEqual(pathsIn(secureInfoDetail(everything)).toSorted(), listedIn25.toSorted())
  assert.deepEqual(secureInfo(everything), ofToken, 'the sample of the contract')
  assert.deepEqual(secureInfoDetail(everything), { ...detectors, confidence })
})

test('a verdict that neither 2.4 nor 2.5 lists is in no view', () => {
  const result = { result: true }
  const onlyInReport = { tor: result, proxy: result, hooking: result, recentReset: result, mirroredScreen: result }
  for (const platform of ['WEB', 'IOS', 'ANDROID'] as const) {
    const info = secureInfoDetail(judged(platform, onlyInReport))
    assert.deepEqual(info, secureInfoDetail(judged(platform, {})))
    assert.deepEqual(Value.Errors(SecureInfoDetail, info), [])
    assert.deepEqual(Value.Errors(SecureInfo, secureInfo(judged(platform, onlyInReport))), [])
  }
})

const negative = {
  ...detectors,
  confidence: { score: 0, revision },
  tampering: { result: false, anomalyScore: 0 },
  suspectScore: { result: 0 },
  vpn: {
    result: false,
    originCountry: 'unknown',
    originTimezone: 'unknown',
    methods: { timezoneMismatch: false, publicVPN: false, auxiliaryMobile: false, osMismatch: false },
  },
}

for (const platform of ['WEB', 'IOS', 'ANDROID'] as const) {
  test(`${platform}: every detector of specification 2.4 and 2.5 is present and negative without an answer`, () => {
    const info = secureInfoDetail(judged(platform, {}))
    assert.deepEqual(info, negative)
    assert.deepEqual(pathsIn(info).toSorted(), listedIn25.toSorted())
    assert.deepEqual(pathsIn(secureInfo(judged(platform, {}))).toSorted(), listedIn24.toSorted())
  })

  test(`${platform}: rules read only detectors that are answered, or that no fact can raise`, () => {
    const raisable = new Set(cases[platform].flatMap(({ secure }) => secure))
    const known: Readonly<Record<string, unknown>> = knownDetectors(judged(platform, {}))
    for (const [name, value] of Object.entries(negative)) {
      const isKnown = !raisable.has(name) && !['confidence', 'suspectScore'].includes(name)
      assert.deepEqual(known[name], isKnown ? value : undefined, name)
    }
    const vpn = { result: true, originCountry: 'IN', methods: {} }
    const { methods } = knownDetectors(judged(platform, { vpn })).vpn!
    for (const method of ['timezoneMismatch', 'publicVPN', 'auxiliaryMobile', 'osMismatch'] as const) {
      assert.equal(methods?.[method], raisable.has(`vpn.${method}`) ? undefined : false, method)
    }
  })
}

test('a detector that is answered in part keeps its answers', () => {
  const vpn = { result: true, originCountry: 'IN', methods: { timezoneMismatch: true } }
  assert.deepEqual(secureInfoDetail(judged('WEB', { vpn })).vpn, {
    ...vpn,
    originTimezone: 'unknown',
    methods: { ...negative.vpn.methods, timezoneMismatch: true },
  })
})

test('a cloned app on iOS is shown by the report only', () => {
  const clonedApp = { result: true }
  assert.deepEqual(secureInfoDetail(judged('IOS', { clonedApp })).clonedApp, { result: false })
  assert.deepEqual(secureInfoDetail(judged('ANDROID', { clonedApp })).clonedApp, clonedApp)
})

test('an unknown time of the last reset is 1970; a known time stays', () => {
  const unknown = { time: '1970-01-01T00:00:00Z', timestamp: 0 }
  for (const platform of ['WEB', 'IOS', 'ANDROID'] as const) {
    assert.deepEqual(secureInfo(judged(platform, {})).factoryReset, unknown)
  }
  const known = { time: '2025-02-01T00:00:42Z', timestamp: 1738368042 }
  assert.deepEqual(secureInfo(judged('IOS', { factoryReset: known })).factoryReset, known)
})
