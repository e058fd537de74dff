import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSamples, SecureInfo, SecureInfoDetail, type SecureInfoResult } from '@ringfence/contract'
import Value from 'typebox/value'
import { secureInfo, secureInfoDetail } from './views.ts'

const everything = (readSamples().SecureInfoResult!.everything as SecureInfoResult).secure_info!

const judged = (platform: 'WEB' | 'IOS' | 'ANDROID', verdicts: object) => ({
  platform,
  judgement: { verdicts, grounds: {}, versions: {} },
})

test('2.5 lists every detector; 2.4 lacks virtualMachine, locationSpoofing, developerTools and parts of vpn', () => {
  const all = judged('ANDROID', { ...everything })
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

test('what a platform cannot be is false; what could be found out and was not is absent', () => {
  const never = { result: false }
  assert.deepEqual(secureInfo(judged('WEB', {})), {
    rootApps: never,
    emulator: never,
    clonedApp: never,
    jailbroken: never,
    frida: never,
    factoryReset: { time: '1970-01-01T00:00:00Z', timestamp: 0 },
  })
  assert.deepEqual(secureInfo(judged('IOS', {})), { rootApps: never, emulator: never, clonedApp: never })
  assert.deepEqual(secureInfo(judged('ANDROID', {})), { jailbroken: never })
  assert.deepEqual(secureInfoDetail(judged('WEB', {})).locationSpoofing, never)
})
