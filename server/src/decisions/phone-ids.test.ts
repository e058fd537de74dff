// Does a phone shed its labels, or gain trust, by leaving out an id or a proof? Played over HTTP, on both engines.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { androidPhone } from '../device/testdata/phones.ts'
import { eachDatabase } from '../testing/databases.ts'
import { type InstallationKey, newInstallationKey } from '../testing/installation-key.ts'
import { createApp, sdkClient } from '../testing/sdk-client.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

/** The sandbox operator says that its SIM was swapped. */
const swappedNumber = '917020140110'
const { facts } = androidPhone()
const { drmId: _, ...withoutDrm } = facts
const { androidId: __, ...withoutIds } = withoutDrm

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  async function started(t: TestContext) {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    const { decide } = decisionCalls(service)
    /** A visit an hour after the last one. */
    const visit = async (ofFacts: object, key?: InstallationKey) => {
      service.clock.advance({ hours: 1 })
      const client = await sdkClient(service, { app, platform: 'ANDROID', ...(key && { key }) })
      return (await client.fingerprint(ofFacts)).dfrId
    }
    const decided = async (dfrId: string, more: object = {}) =>
      (await decide({ dfrId, phoneNumber: '917020141726', userId: 'asha', ...more })).body as Decision
    /** As a backend does whose user has signed in. */
    const confirm = (dfrId: string) =>
      service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'ANDROID', userId: 'asha' })
    const label = (dfrId: string) =>
      service.post(endpoints.labelReports.path, { labels: [{ dfrId, outcome: 'fraud', userId: 'thief' }] })
    return { visit, decided, confirm, label }
  }

  test(it('a labelled phone stays labelled, whichever of its ids it leaves out'), async (t) => {
    const { visit, decided, label } = await started(t)
    assert.equal((await label(await visit(facts))).status, 200)
    assert.equal((await decided(await visit(facts))).action, 'BLOCK')
    const noBrand = { ...facts.deviceModel, brand: 5 }
    for (const less of [withoutDrm, { ...facts, drmId: '' }, { ...facts, deviceModel: noBrand }]) {
      const { action, rules } = await decided(await visit(less))
      assert.deepEqual([action, rules.fired.includes('known-bad-device')], ['BLOCK', true])
    }
  })

  test(it('a new key washes no label off a phone that invents an id'), async (t) => {
    const { visit, decided, label } = await started(t)
    assert.equal((await label(await visit(facts))).status, 200)
    for (const key of [undefined, newInstallationKey()]) {
      const { action, rules } = await decided(await visit({ ...facts, drmId: `invented ${key?.publicKey}` }, key))
      assert.deepEqual([action, rules.fired.includes('resembles-bad-device')], ['CHALLENGE', true])
    }
  })

  test(it('new phones that share an id are counted, with keys of their own or without'), async (t) => {
    const { visit, decided } = await started(t)
    await visit(facts)
    for (let phone = 0; phone < 6; phone++) {
      const dfrId = await visit({ ...facts, drmId: `invented ${phone}` }, phone % 2 ? newInstallationKey() : undefined)
      const { rules } = await decided(dfrId, { userId: `user ${phone}` })
      // Each was made before it is decided about.
      assert.equal(rules.fired.includes('many-accounts'), phone >= 4, `${phone}`)
    }
  })

  test(it('a copied Android id may sign in, and is a new phone for a payment and after a SIM swap'), async (t) => {
    const { visit, decided, confirm } = await started(t)
    await confirm(await visit(facts))
    assert.equal((await decided(await visit(facts))).account?.knownDevice, 'yes')
    const key = newInstallationKey()
    for (const proof of [undefined, key, key]) {
      const dfrId = await visit({ ...withoutDrm, deviceModel: {} }, proof)
      assert.equal((await decided(dfrId)).account?.knownDevice, 'likely')
      assert.equal((await decided(dfrId, { action: 'LOGIN' })).rules.fired.includes('new-device-for-account'), false)
      const payment = await decided(dfrId, { action: 'PAYMENT' })
      assert.ok(payment.rules.fired.includes('new-device-for-account'))
      const swapped = await decided(dfrId, { phoneNumber: swappedNumber })
      assert.deepEqual([swapped.action, swapped.rules.decisive], ['BLOCK', 'swapped-sim-new-device'])
    }
  })

  test(it('an honest phone with a key is not blocked without its DRM id, nor under another model'), async (t) => {
    const { visit, decided, confirm } = await started(t)
    const key = newInstallationKey()
    await confirm(await visit(facts, key))
    const renamed = { ...facts, deviceModel: { ...facts.deviceModel, identifier: 'Renamed by an update' } }
    for (const honest of [withoutDrm, { ...facts, drmId: '' }, renamed, renamed, facts]) {
      const { action, score, account } = await decided(await visit(honest, key))
      assert.deepEqual([action, score, account?.knownDevice], ['ALLOW', 0, 'yes'])
    }
    const { action, account, reasons } = await decided(await visit(withoutIds, key))
    assert.deepEqual([action, account?.knownDevice, reasons[0]?.code], ['CHALLENGE', 'yes', 'MISSING_FACTS'])
  })
})
