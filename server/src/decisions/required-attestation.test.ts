// Does a phone shed `required` by claiming another platform? Anybody can open a session of any platform that an app lists.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Decision, type DevicePlatform, endpoints } from '@ringfence/contract'
import type { App } from '../apps/app.ts'
import { type Addition, attestingCalls } from '../device/attestation/testing/attesting-calls.ts'
import { newPhoneKey } from '../device/attestation/testing/attesting-phone.ts'
import { appCertificates } from '../device/attestation/testing/key-description.ts'
import { androidPhone, iphone } from '../device/testdata/phones.ts'
import { eachDatabase } from '../testing/databases.ts'
import { createApp, ordinaryFacts, sdkClient } from '../testing/sdk-client.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

const factsOf: Readonly<Record<DevicePlatform, object>> = {
  WEB: ordinaryFacts,
  IOS: iphone().facts,
  ANDROID: androidPhone().facts,
}
const unattested = [{ what: 'device', why: 'unattested' }]

eachDatabase(({ engine, open }) => {
  async function started(t: TestContext) {
    const service = await startTestService(t, await open(t), { settings: { overloadDelayMs: 60_000 } })
    const { attested } = await attestingCalls(service)
    const { decide, publish } = decisionCalls(service)
    const newApp = (attestation: object, more: object = {}) =>
      createApp(service, { settings: { androidCertificates: appCertificates, attestation }, ...more })
    const decided = async (app: App, platform: DevicePlatform, addition: Addition = () => ({}), params = {}) => {
      service.clock.advance({ hours: 1 })
      const client = await sdkClient(service, { app, platform })
      const body = client.engineBody(factsOf[platform])
      await client.post(endpoints.intelligence.path, { ...body, ...(await addition(body)) })
      const { dfrId } = (await client.post(endpoints.pushFingerprint.path, client.pushBody(body.requestId))).body
      return (await decide({ dfrId, userId: 'asha', phoneNumber: '917020141726', params })).body as Decision
    }
    return { service, attested, publish, newApp, decided }
  }

  test(`an app that requires one kind of phone to be attested requires it of both (${engine})`, async (t) => {
    const { attested, newApp, decided } = await started(t)
    for (const attestation of [{ ANDROID: 'required' }, { IOS: 'required' }, { IOS: 'off', ANDROID: 'required' }]) {
      const app = await newApp(attestation)
      for (const platform of ['IOS', 'ANDROID'] as const) {
        const { action, missing } = await decided(app, platform)
        assert.deepEqual([action, missing], ['CHALLENGE', unattested], `${platform} ${JSON.stringify(attestation)}`)
      }
      assert.deepEqual((await decided(app, 'ANDROID', attested(newPhoneKey()))).missing, [])
    }
    const reporting = await newApp({ ANDROID: 'report', IOS: 'report' })
    for (const platform of ['IOS', 'ANDROID'] as const)
      assert.deepEqual((await decided(reporting, platform)).missing, [])
  })

  test(`a rule about platform keeps a browser from passing for the app (${engine})`, async (t) => {
    const { service, attested, publish, newApp, decided } = await started(t)
    const app = await newApp({ ANDROID: 'required' })
    const ofApp = { channel: 'app' }
    const when = 'params.channel == "app" and not platform in ("IOS", "ANDROID")'
    await publish([{ id: 'no-app', name: 'Not from the app', when, action: 'BLOCK', score: 90 }])
    assert.equal((await decided(app, 'WEB', undefined, ofApp)).action, 'BLOCK')
    assert.equal((await decided(app, 'WEB', undefined, { channel: 'web' })).action, 'ALLOW')
    assert.equal((await decided(app, 'ANDROID', attested(newPhoneKey()), ofApp)).action, 'ALLOW')
    const onlyPhones = await newApp({ ANDROID: 'required' }, { origins: [] })
    await assert.rejects(sdkClient(service, { app: onlyPhones, platform: 'WEB' }), /does not list the origin/)
  })

  test(`a rule about appId keeps a phone of another app from passing for the app (${engine})`, async (t) => {
    const { publish, newApp, decided, attested } = await started(t)
    const [app, staging] = [await newApp({ ANDROID: 'required' }), await newApp({})]
    assert.deepEqual((await decided(staging, 'ANDROID')).missing, [], 'the policy is of an app')
    const when = `params.channel == "app" and not appId == "${app.id}"`
    await publish([{ id: 'no-app', name: 'Not from the app', when, action: 'BLOCK', score: 90 }])
    const ofApp = { channel: 'app' }
    assert.equal((await decided(staging, 'ANDROID', undefined, ofApp)).action, 'BLOCK')
    assert.equal((await decided(app, 'ANDROID', attested(newPhoneKey()), ofApp)).action, 'ALLOW')
  })

  test(`after a SIM swap, a phone without its ids is blocked, also where nothing attests it (${engine})`, async (t) => {
    const { service, newApp } = await started(t)
    const { decide } = decisionCalls(service)
    const { drmId: _, androidId: __, ...withoutIds } = androidPhone().facts
    for (const attestation of [{}, { ANDROID: 'required' }]) {
      const client = await sdkClient(service, { app: await newApp(attestation), platform: 'ANDROID' })
      const { dfrId } = await client.fingerprint(withoutIds)
      const { action, rules } = (await decide({ dfrId, phoneNumber: '917020140110' })).body as Decision
      assert.deepEqual([action, rules.decisive], ['BLOCK', 'swapped-sim-new-device'], JSON.stringify(attestation))
    }
  })

  test(`nothing that a sender adds hides from rules that his phone is unattested (${engine})`, async (t) => {
    const ofNetwork = { trustedProxies: '127.0.0.1', newDevicesPerNetwork: 3, newDevicesPerMobileNetwork: 3 }
    const settings = { ...ofNetwork, overloadDelayMs: 60_000, appRatePerSecond: 10_000, appRateBurst: 10_000 }
    const service = await startTestService(t, await open(t), { settings })
    const { decide, publish } = decisionCalls(service)
    const apps = {
      unattested: await createApp(service, { settings: { attestation: { ANDROID: 'required' } } }),
      open: await createApp(service, {}),
    }
    const ruleOf = (why: string) => ({
      id: why,
      name: why,
      when: `missing.device == "${why}"`,
      action: 'WARN' as const,
    })
    await publish(['unattested', 'incomplete', 'crowded'].map((why) => ({ ...ruleOf(why), score: 1 })))
    const { facts } = androidPhone()
    let visits = 0
    const visit = async (app: App, isComplete: boolean, ip: string) => {
      const client = await sdkClient(service, { app, platform: 'ANDROID', headers: { 'x-forwarded-for': ip } })
      const ids = { drmId: `drm-${visits}`, androidId: `id-${visits++}` }
      const { dfrId } = await client.fingerprint({ ...facts, ...ids, ...(!isComplete && { rootTraces: undefined }) })
      const { body } = await decide({ dfrId, userId: 'asha', phoneNumber: '917020141726' })
      const report = await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'ANDROID', userId: 'u' })
      return {
        missing: body.missing.map(({ why }: { why: string }) => why),
        decision: body.rules.fired,
        report: Object.keys(report.body.appliedRules.rules).map((rule) => rule.split(' : ')[0]),
      }
    }
    const crowded = '49.36.1.7'
    for (let n = 0; n < 5; n++) await visit(apps.open, true, crowded)
    for (const app of ['unattested', 'open'] as const)
      for (const isComplete of [true, false])
        for (const ip of [`49.36.${100 + visits}.9`, crowded]) {
          const gaps = [app === 'unattested' && app, !isComplete && 'incomplete', ip === crowded && 'crowded']
          const missing = gaps.filter((each) => each !== false)
          const fired = missing.slice(0, 1)
          assert.deepEqual(await visit(apps[app], isComplete, ip), { missing, decision: fired, report: fired })
        }
  })
})
