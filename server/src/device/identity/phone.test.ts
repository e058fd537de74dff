// What do the ids of a phone say, when they were seen with another one before? Played over HTTP, on both engines.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { eachDatabase } from '../../testing/databases.ts'
import { type InstallationKey, newInstallationKey } from '../../testing/installation-key.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { dropExpired } from '../history/retention.ts'
import { androidPhone, iphone } from '../testdata/phones.ts'

const { facts: android } = androidPhone()
const { facts: ios } = iphone()

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  async function started(t: TestContext) {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    /** A visit a minute after the last one, as its report identifies it. */
    const visit = async (platform: 'IOS' | 'ANDROID', facts: object, key?: InstallationKey) => {
      service.clock.advance({ seconds: 60 })
      const client = await sdkClient(service, { app, platform, ...(key && { key }) })
      const { dfrId } = await client.fingerprint(facts)
      const request = { dfrId, deviceType: platform, include: ['identification'] }
      const { status, body } = await service.post(endpoints.deviceFingerprint.path, request)
      assert.equal(status, 200, JSON.stringify(body))
      const { confidence, likely } = body.identification
      return { deviceId: body.deviceId as string, confidence: confidence as number, likely }
    }
    return { service, visit }
  }

  test(it('ids of two phones in one call halve the confidence, and name the other phone'), async (t) => {
    const { visit } = await started(t)
    const first = await visit('ANDROID', android)
    const second = await visit('ANDROID', { ...android, drmId: 'of-another', androidId: 'of-another' })
    assert.deepEqual([first.confidence, second.confidence, second.likely], [0.98, 0.98, undefined])
    const mixed = await visit('ANDROID', { ...android, drmId: 'of-another' })
    const { deviceId, confidence, likely } = mixed
    assert.deepEqual([deviceId, confidence], [second.deviceId, 0.5])
    assert.deepEqual(likely, { deviceId: first.deviceId, confidence: 0.5 })
    assert.deepEqual(await visit('ANDROID', android), first, 'a copy changes nothing for the phone itself')
  })

  test(it('an iPhone that lost the id in its keychain names the one that it was before'), async (t) => {
    const { visit } = await started(t)
    const before = await visit('IOS', ios)
    const wiped = { ...ios, keychainId: { id: 'made-after-the-keychain-was-wiped', isNew: true } }
    for (let count = 0; count < 2; count++) {
      const { deviceId, confidence, likely } = await visit('IOS', wiped)
      assert.notEqual(deviceId, before.deviceId)
      assert.deepEqual([confidence, likely], [0.5, { deviceId: before.deviceId, confidence: 0.5 }])
    }
  })

  test(it('a phone whose other id is new keeps its confidence: a reset and a reinstallation renew it'), async (t) => {
    const { visit } = await started(t)
    const phones = [await visit('ANDROID', android), await visit('IOS', ios)]
    const reset = await visit('ANDROID', { ...android, androidId: 'after-the-reset' })
    const reinstalled = await visit('IOS', { ...ios, vendorId: 'after-all-apps-of-the-vendor-were-deleted' })
    assert.deepEqual([reset, reinstalled], phones)
    const { drmId: _, ...withoutDrm } = android
    assert.deepEqual((await visit('ANDROID', withoutDrm)).confidence, 0.95, 'one id cannot conflict')
  })

  test(it('an id alone names the device that it was seen with, as another installation'), async (t) => {
    const { visit } = await started(t)
    const [phone, iPhone] = [await visit('ANDROID', android), await visit('IOS', ios)]
    const { drmId: _, ...withoutDrm } = android
    const { keychainId: __, ...withoutKeychain } = ios
    const noBrand = { ...android.deviceModel, brand: 5 }
    for (const less of [withoutDrm, { ...android, drmId: '' }, { ...android, deviceModel: noBrand }]) {
      assert.deepEqual(await visit('ANDROID', less), { ...phone, confidence: 0.95 })
    }
    assert.deepEqual(await visit('IOS', withoutKeychain), { ...iPhone, confidence: 0.9 })
  })

  test(it('a phone whose longer-lived id comes later stays the same device'), async (t) => {
    const { visit } = await started(t)
    const { drmId: _, ...withoutDrm } = android
    const first = await visit('ANDROID', withoutDrm)
    assert.deepEqual(await visit('ANDROID', android), first)
    assert.deepEqual(await visit('ANDROID', android), { ...first, confidence: 0.98 })
    const second = await visit('ANDROID', { ...android, drmId: 'of-another' })
    assert.notEqual(second.deviceId, first.deviceId, 'one phone has one DRM id')
    assert.deepEqual(second.likely, { deviceId: first.deviceId, confidence: 0.5 })
  })

  test(it('a DRM id names a phone only together with brand and model'), async (t) => {
    const { visit } = await started(t)
    const first = await visit('ANDROID', android)
    const ofModel = (deviceModel: object, androidId = 'of-the-second') =>
      visit('ANDROID', { ...android, androidId, deviceModel: { ...android.deviceModel, ...deviceModel } })
    const other = await ofModel({ identifier: 'Another' })
    assert.notEqual(other.deviceId, first.deviceId, 'one DRM id on two models')
    assert.deepEqual([other.confidence, other.likely], [0.98, undefined])
    for (const less of [{ brand: undefined }, { identifier: '' }]) {
      const byAndroidId = await ofModel(less, `without-${Object.keys(less)}`)
      assert.deepEqual([byAndroidId.confidence, byAndroidId.likely], [0.95, undefined])
      assert.ok(![first.deviceId, other.deviceId].includes(byAndroidId.deviceId))
    }
    const { deviceModel: _, androidId: __, ...drmAlone } = android
    assert.deepEqual(
      [(await visit('ANDROID', drmAlone)).confidence, (await visit('ANDROID', drmAlone)).deviceId],
      [0, ''],
    )
  })

  test(it('a key proves the phone, and an id of another device beside it is shown all the same'), async (t) => {
    const { visit } = await started(t)
    const other = await visit('ANDROID', { ...android, drmId: 'of-another' })
    const proved = await visit('ANDROID', android, newInstallationKey())
    assert.deepEqual([proved.confidence, proved.likely?.deviceId], [0.98, other.deviceId])
  })

  test(it('the ids of a phone are deleted with its history, and when it is erased'), async (t) => {
    const { service, visit } = await started(t)
    const stored = async () => (await service.parts.database.query('select id from phone_id')).length
    const { deviceId } = await visit('ANDROID', android)
    await visit('IOS', ios)
    assert.equal(await stored(), 4)
    service.clock.advance({ seconds: 86_400 * 100 })
    await visit('IOS', ios)
    service.clock.advance({ seconds: 86_400 * 100 })
    await dropExpired(service.parts)
    assert.equal(await stored(), 2, `${deviceId} was not seen for 200 days`)
  })
})
