// What does a device that only resembles a known one gain, and what does it inherit? Played over HTTP, on both engines.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import type { Database } from '../core/storage/database.ts'
import { iphone, laptop } from '../device/testdata/devices.ts'
import { browserClient, ordinaryFacts } from '../device/testdata/ordinary-report.ts'
import { eachDatabase } from '../testing/databases.ts'
import { type InstallationKey, newInstallationKey } from '../testing/installation-key.ts'
import { createApp } from '../testing/sdk-client.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

const path = endpoints.deviceFingerprint.path
const home = '203.0.113.40'
const memory = { deviceMemory: 8 }
const otherMemory = { ...ordinaryFacts, ...memory, workerScope: { ...ordinaryFacts.workerScope, ...memory } }

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  async function started(t: TestContext) {
    const service = await startTestService(t, (await open(t)) as Database, {
      settings: { trustedProxies: '127.0.0.0/8' },
    })
    const app = await createApp(service)
    const { decide, publish } = decisionCalls(service)
    /** A visit some seconds after the last one. */
    const visit = async (key: InstallationKey, facts: object = ordinaryFacts, address = home) => {
      service.clock.advance({ seconds: 20 })
      const client = await browserClient(service, { app, key, headers: { 'x-forwarded-for': address } })
      return (await client.fingerprint(facts)).dfrId
    }
    /** The same facts but for the memory, from another network. */
    const visitAlike = (key: InstallationKey) => visit(key, otherMemory, '198.51.100.20')
    const reportText = async (dfrId: string) =>
      JSON.stringify((await service.post(path, { dfrId, deviceType: 'WEB' })).body)
    const read = async (dfrId: string, more: object = {}) =>
      (await service.post(path, { dfrId, deviceType: 'WEB', include: ['identification'], ...more })).body
    /** Whoever has the number could pass a challenge. */
    const decided = async (dfrId: string, more: object = {}) =>
      (await decide({ dfrId, phoneNumber: '917020141726', ...more })).body as Decision
    const label = async (dfrId: string, outcome: string) => {
      const { body } = await service.post(endpoints.labelReports.path, { labels: [{ dfrId, outcome }] })
      assert.deepEqual(body, { accepted: 1, unknown: [] })
    }
    return { service, app, publish, visit, visitAlike, read, reportText, decided, label }
  }

  test(it('a doubtful visit gets a new id, and names the device that it resembles'), async (t) => {
    const { visit, visitAlike, read } = await started(t)
    const known = await read(await visit(newInstallationKey()))
    const key = newInstallationKey()
    const first = await read(await visitAlike(key))
    assert.deepEqual([first.newDevice, first.identification.by], [true, 'none'])
    assert.notEqual(first.deviceId, known.deviceId)
    const { deviceId, confidence } = first.identification.likely
    assert.equal(deviceId, known.deviceId)
    assert.ok(confidence > 0 && confidence < 0.9, String(confidence))
    const again = await read(await visitAlike(key))
    assert.deepEqual([again.newDevice, again.deviceId, again.identification.by], [false, first.deviceId, 'key'])
    assert.deepEqual(again.identification.likely, { deviceId, confidence }, 'a second visit washes nothing')
  })

  test(it('resembling a device with a bad label is a challenge and never a block, also at later visits'), async (t) => {
    const { visit, visitAlike, decided, label, reportText } = await started(t)
    const [bad, cleared] = [newInstallationKey(), newInstallationKey()]
    await label(await visit(bad), 'fraud')
    assert.equal((await decided(await visit(bad), { userId: 'thief' })).action, 'BLOCK')
    const before = await visitAlike(cleared)
    const text = await reportText(before)
    for (const dfrId of [before, await visitAlike(cleared)]) {
      const { action, rules, reasons, score } = await decided(dfrId, { userId: 'u' })
      assert.deepEqual([action, rules.decisive], ['CHALLENGE', 'resembles-bad-device'])
      assert.ok(reasons.some(({ code, weight }) => code === 'RESEMBLES_BAD_DEVICE' && weight === 0))
      assert.ok(score <= 70, `${score}`)
    }
    assert.equal(await reportText(before), text, 'a report that was read never changes')
  })

  test(it('resembling a blocked device is a challenge, while the list has it'), async (t) => {
    const { service, publish, visit, visitAlike, read, decided } = await started(t)
    const { deviceId } = await read(await visit(newInstallationKey()))
    await service.post(endpoints.createList.path, { name: 'banned', kind: 'deviceId', purpose: 'block' })
    const entries = [{ value: deviceId }]
    const dfrId = await visitAlike(newInstallationKey())
    const action = async () => {
      service.clock.advance({ seconds: 2 })
      return (await decided(dfrId, { userId: 'u' })).action
    }
    assert.equal(await action(), 'ALLOW')
    await service.post(endpoints.addListEntries.path, { name: 'banned', entries })
    assert.equal(await action(), 'CHALLENGE')
    await publish([{ id: 'own', name: 'Own', when: 'inList("banned", likely.deviceId)', action: 'REVIEW', score: 1 }])
    assert.equal(await action(), 'REVIEW', 'own rules read it too')
    await service.post(endpoints.removeListEntries.path, { name: 'banned', values: [deviceId] })
    assert.equal(await action(), 'ALLOW')
  })

  test(it('resembling a trusted device may sign in, but is new for a payment and after a SIM swap'), async (t) => {
    const { service, visit, visitAlike, read, decided, publish } = await started(t)
    const owner = newInstallationKey()
    for (let session = 0; session < 2; session++) await read(await visit(owner), { userId: 'asha' })
    const thief = newInstallationKey()
    const stranger = newInstallationKey()
    for (const action of ['LOGIN', 'PAYMENT', 'CHANGE_PHONE']) {
      const known = await decided(await visit(owner), { userId: 'asha', action })
      const alike = await decided(await visitAlike(thief), { userId: 'asha', action })
      const fresh = await decided(await visit(stranger, laptop()), { userId: 'asha', action })
      assert.deepEqual(
        [known, alike, fresh].map(({ account }) => account?.knownDevice),
        ['yes', 'likely', 'no'],
        action,
      )
      assert.deepEqual(
        [known, alike, fresh].map(({ rules }) => rules.fired.includes('new-device-for-account')),
        [false, action !== 'LOGIN', true],
        action,
      )
    }
    const swapped = 'params.swapped and (newDevice or (exists likely.deviceId and not account.knownDevice == "yes"))'
    await publish([{ id: 'swap', name: 'As for a SIM swap', when: swapped, action: 'BLOCK', score: 1 }])
    for (const [key, action] of [
      [owner, 'ALLOW'],
      [thief, 'BLOCK'],
      [thief, 'BLOCK'],
    ] as const) {
      const dfrId = await (key === owner ? visit : visitAlike)(key)
      assert.equal((await decided(dfrId, { userId: 'asha', params: { swapped: true } })).action, action)
    }
    const device = { userId: 'asha', deviceId: (await read(await visit(owner))).deviceId, trusted: false }
    assert.equal((await service.post(endpoints.updateAccountDevice.path, device)).status, 200)
    const revoked = await decided(await visitAlike(newInstallationKey()), { userId: 'asha' })
    assert.equal(revoked.account?.knownDevice, 'no', 'resembling a revoked device makes nothing known')
  })

  test(it('devices that all look the same, and those of other tenants, resemble nobody'), async (t) => {
    const { service, visit, read, label } = await started(t)
    await label(await visit(newInstallationKey(), iphone()), 'fraud')
    const phone = await read(await visit(newInstallationKey(), iphone()))
    assert.equal(phone.identification.likely, undefined)
    await label(await visit(newInstallationKey()), 'fraud')
    const { id } = await service.parts.tenantKeyring.createTenant('bank')
    const elsewhere = await createApp(service, {}, id)
    const client = await browserClient(service, { app: elsewhere, key: newInstallationKey() })
    const { requestId } = await client.analyse(ordinaryFacts)
    const secure = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
    assert.equal(secure.status, 200)
    const found = await service.parts.database.query('select id from installation where likely_device_id is not null')
    assert.deepEqual(found, [])
  })
})
