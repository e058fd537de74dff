import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSamples, SecureInfo, SecureInfoDetail, type SecureInfoResult } from '@ringfence/contract'
import Value from 'typebox/value'
import { secureInfo, secureInfoDetail } from './views.ts'

const everything = (readSamples().SecureInfoResult!.everything as SecureInfoResult).secure_info!

const judged = (platform: 'WEB' | 'IOS' | 'ANDROID', verdicts: object) => ({
  platform,
  judgement: { verdicts, reasons: {}, versions: {} },
})

test('2.5 lists every detector; 2.4 lacks virtualMachine, locationSpoofing, developerTools and parts of vpn', () => {
  const all = judged('WEB', { ...everything })
  assert.deepEqual(secureInfoDetail(all), everything)
  const { virtualMachine: _, locationSpoofing: __, developerTools: ___, vpn, ...both } = everything
  const { originTimezone: ____, methods, ...told } = vpn!
  const { timezoneMismatch, publicVPN } = methods
  assert.deepEqual(secureInfo(all), {
    ...both,
    vpn: {
      ...told,
      methods: {
        ...(timezoneMismatch !== undefined && { timezoneMismatch }),
        ...(publicVPN !== undefined && { publicVPN }),
      },
    },
  })
  assert.deepEqual(Value.Errors(SecureInfo, secureInfo(all)), [])
  assert.deepEqual(Value.Errors(SecureInfoDetail, secureInfoDetail(all)), [])
})

const never = { result: false }
const ofAndroid = { rootApps: never, emulator: never, clonedApp: never }
const ofBrowsers = {
  incognito: false,
  bot: { result: 'notDetected' },
  privacySettings: never,
  tampering: { result: false, anomalyScore: 0 },
}
const factoryReset = { time: '1970-01-01T00:00:00Z', timestamp: 0 }

test('what a platform cannot be is false; what could be found out and was not is absent', () => {
  assert.deepEqual(secureInfo(judged('WEB', {})), { ...ofAndroid, jailbroken: never, frida: never, factoryReset })
  assert.deepEqual(secureInfo(judged('IOS', {})), { ...ofAndroid, ...ofBrowsers, factoryReset })
  assert.deepEqual(secureInfo(judged('ANDROID', {})), { jailbroken: never, ...ofBrowsers, factoryReset })
  assert.deepEqual(secureInfoDetail(judged('WEB', {})).locationSpoofing, never)
  for (const platform of ['IOS', 'ANDROID'] as const) {
    assert.deepEqual(secureInfoDetail(judged(platform, {})).virtualMachine, never)
  }
  const { developerTools } = secureInfoDetail(judged('IOS', {}))
  assert.deepEqual([developerTools, secureInfoDetail(judged('ANDROID', {})).developerTools], [never, undefined])
})

test('methods of vpn: auxiliaryMobile is of phones, osMismatch of browsers, false elsewhere', () => {
  const vpn = { result: true, methods: { timezoneMismatch: true } }
  const methods = (platform: 'WEB' | 'IOS') => secureInfoDetail(judged(platform, { vpn })).vpn?.methods
  assert.deepEqual(methods('WEB'), { timezoneMismatch: true, auxiliaryMobile: false })
  assert.deepEqual(methods('IOS'), { timezoneMismatch: true, osMismatch: false })
})

test('when the last reset cannot be told it is 1970; a time that is known stays', () => {
  const known = { time: '2025-02-01T00:00:42Z', timestamp: 1738368042 }
  assert.deepEqual(secureInfo(judged('IOS', { factoryReset: known })).factoryReset, known)
})
