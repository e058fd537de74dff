import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeviceReport, endpoints } from '@ringfence/contract'
import Value from 'typebox/value'
import { androidPhone, iphone } from '../device/testdata/phones.ts'
import { login, tokenCalls } from '../sign-in/tokens/testing.ts'
import { sqliteDatabases } from '../testing/databases.ts'
import { createApp, sdkClient } from '../testing/sdk-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'

const { facts: ios } = iphone()
const { facts: android } = androidPhone()

async function reportOf(
  service: TestService,
  app: Awaited<ReturnType<typeof createApp>>,
  deviceType: 'IOS' | 'ANDROID',
  facts: object,
): Promise<DeviceReport> {
  const client = await sdkClient(service, { app, platform: deviceType })
  const { dfrId } = await client.fingerprint(facts)
  const { status, body } = await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Value.Errors(DeviceReport, body), [])
  return body
}

const flags = (report: DeviceReport) =>
  Object.entries(report)
    .filter(([name, value]) => typeof value === 'boolean' && name !== 'newDevice' && value)
    .map(([name]) => name)

test('the report of an ordinary iPhone has its device, location and ids, no flag and no risk', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const app = await createApp(service)
  const report = await reportOf(service, app, 'IOS', ios)
  assert.deepEqual(flags(report), [])
  assert.deepEqual([report.sessionRiskScore, report.deviceRiskScore, report.newDevice], [0, 0, true])
  assert.deepEqual(report.deviceMeta, {
    brand: 'Apple',
    model: 'iPhone15,2',
    iOSVersion: '18.5',
    cpuType: 'arm64e',
    screenResolution: '1179x2556',
    totalRAM: '5920948224',
    storageAvailable: '64120512512',
    storageTotal: '127881465856',
  })
  assert.deepEqual(report.gpsLocation, { latitude: 52.5163, longitude: 13.3777, altitude: 38.5 })
  assert.equal(report.factoryResetTime, 1738368042000)
  assert.match(report.deviceId, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  service.clock.advance({ seconds: 60 })
  const again = await reportOf(service, app, 'IOS', { ...ios, vendorId: 'another', memory: {} })
  assert.deepEqual([again.deviceId, again.newDevice], [report.deviceId, false])
  const other = await reportOf(service, app, 'IOS', { ...ios, keychainId: { id: 'another' } })
  assert.deepEqual([other.deviceId === report.deviceId, other.newDevice], [false, true])
})

test('the report of a rooted Android emulator has both flags and no iOSVersion', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const app = await createApp(service)
  const report = await reportOf(service, app, 'ANDROID', android)
  assert.deepEqual([flags(report), report.sessionRiskScore], [[], 0])
  assert.deepEqual(report.deviceMeta, {
    brand: 'google',
    model: 'Pixel 8',
    cpuType: 'arm64-v8a',
    screenResolution: '1080x2400',
    totalRAM: '7879909376',
    storageAvailable: '51200131072',
    storageTotal: '113021923328',
  })
  const ofOtherModel = { ...android, deviceModel: { ...android.deviceModel, identifier: 'Pixel 8 Pro' } }
  const other = await reportOf(service, app, 'ANDROID', ofOtherModel)
  assert.notEqual(other.deviceId, report.deviceId, 'phones of two models may share a DRM id')
  const emulated = await reportOf(service, app, 'ANDROID', { ...android, emulatorTraces: ['/dev/qemu_pipe'] })
  assert.deepEqual([flags(emulated), emulated.deviceId], [['simulator'], report.deviceId])
  const rooted = await reportOf(service, app, 'ANDROID', {
    ...android,
    rootTraces: { paths: [], properties: [], packages: ['com.topjohnwu.magisk'] },
  })
  assert.ok(Object.hasOwn(rooted.appliedRules.rules, 'rooted : Jailbroken or rooted device'))
})

test('the confidence of a phone is that of the id that recognised it; without an id it is 0', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const app = await createApp(service)
  const tokens = tokenCalls(service)
  const confidenceBy = async (platform: 'IOS' | 'ANDROID', facts: object) => {
    const { requestId } = await (await sdkClient(service, { app, platform })).fingerprint(facts)
    const { body } = await tokens.secureInfo(await tokens.issue({ ...login, requestId }))
    return body.secure_info.confidence
  }
  const { keychainId: _, ...withoutKeychain } = ios
  const { drmId: __, ...withoutDrm } = android
  const confidences = [
    await confidenceBy('IOS', ios),
    await confidenceBy('IOS', withoutKeychain),
    await confidenceBy('ANDROID', android),
    await confidenceBy('ANDROID', withoutDrm),
    await confidenceBy('IOS', { ...withoutKeychain, vendorId: '' }),
    await confidenceBy('ANDROID', { ...android, deviceModel: {} }),
  ]
  assert.deepEqual(
    confidences.map((confidence) => confidence?.score),
    [0.999, 0.9, 0.98, 0.95, 0, 0.95],
  )
  assert.match(confidences[0].revision, /^v\d/)
})
