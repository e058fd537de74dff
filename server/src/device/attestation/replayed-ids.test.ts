import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { Database } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { type InstallationKey, newInstallationKey } from '../../testing/installation-key.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { androidPhone } from '../testdata/phones.ts'
import type { Addition } from './testing/attesting-calls.ts'
import { newPhoneKey } from './testing/attesting-phone.ts'
import { attestingPhones } from './testing/attesting-phones.ts'

const { facts } = androidPhone()

/** Visits of one phone, a minute apart, each with its report. */
async function start(t: TestContext, database: Database) {
  const service = await startTestService(t, database, { settings: { appRateBurst: 1000 } })
  const app = await createApp(service)
  return async (userId: string, key?: InstallationKey): Promise<{ deviceId: string; score: number }> => {
    service.clock.advance({ seconds: 60 })
    const client = await sdkClient(service, { app, platform: 'ANDROID', ...(key && { key }) })
    const { requestId } = await client.analyse(facts, { updateInfo: { userId } })
    const { body: pushed } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
    const { body } = await service.post(endpoints.deviceFingerprint.path, { ...pushed, deviceType: 'ANDROID' })
    return { deviceId: body.deviceId, score: body.deviceRiskScore }
  }
}

/** The same, of phones whose hardware attests their keys. */
async function startAttested(t: TestContext, database: Database) {
  const { service, newApp, attested } = await attestingPhones(t, database)
  const app = await newApp()
  const visit = async (userId: string, ofFacts: object, additionOf: Addition) => {
    service.clock.advance({ seconds: 60 })
    const client = await sdkClient(service, { platform: 'ANDROID', app })
    const body = client.engineBody(ofFacts, { updateInfo: { userId } })
    await client.post(endpoints.intelligence.path, { ...body, ...(await additionOf(body)) })
    const { body: pushed } = await client.post(endpoints.pushFingerprint.path, client.pushBody(body.requestId))
    const { body: report } = await service.post(endpoints.deviceFingerprint.path, { ...pushed, deviceType: 'ANDROID' })
    const rules = Object.keys(report.appliedRules.rules)
    return { deviceId: report.deviceId as string, rules, score: report.deviceRiskScore as number }
  }
  return { visit, attested }
}

eachDatabase(({ engine, open }) => {
  test(`a phone counts what all its users do, each with an attested key (${engine})`, async (t) => {
    const { visit, attested } = await startAttested(t, await open(t))
    const users = ['owner', 'work profile', 'guest'].map((androidId) => ({
      facts: { ...facts, androidId },
      proof: attested(newPhoneKey()),
    }))
    const devices = []
    for (const user of users) devices.push((await visit('asha', user.facts, user.proof)).deviceId)
    assert.equal(new Set(devices).size, 1)
    let accounts = 1
    for (const round of [1, 2])
      for (const [index, user] of users.entries()) {
        const { rules } = await visit(`${round} ${index}`, user.facts, user.proof)
        assert.equal(rules.includes('many-accounts : Many accounts on one device'), ++accounts >= 5, `${accounts}`)
      }
  })

  test(`replayed ids raise nothing for an attested phone, also when its app is installed again (${engine})`, async (t) => {
    const { visit, attested } = await startAttested(t, await open(t))
    const first = await visit('asha', facts, attested(newPhoneKey()))
    for (let count = 0; count < 12; count++) await visit(`stranger-${count}`, facts, () => ({}))
    assert.deepEqual(await visit('asha', facts, attested(newPhoneKey())), first)
  })

  test(`replayed ids raise nothing for the phone that proves its key (${engine})`, async (t) => {
    const visit = await start(t, await open(t))
    const key = newInstallationKey()
    const first = await visit('asha', key)
    assert.equal(first.score, 0)
    let replay = first
    for (let count = 0; count < 12; count++) replay = await visit(`stranger-${count}`)
    assert.equal(replay.deviceId, first.deviceId)
    assert.ok(replay.score > 50, `many accounts on one device: ${replay.score}`)
    assert.deepEqual(await visit('asha', key), first)
  })

  test(`a phone that leaves out the proof of its key keeps the history of the key (${engine})`, async (t) => {
    const visit = await start(t, await open(t))
    const key = newInstallationKey()
    assert.equal((await visit('account-0')).score, 0, 'its first visits had no proof')
    let proved = 0
    for (let count = 1; count < 12; count++) proved = (await visit(`account-${count}`, key)).score
    assert.ok(proved > 50, `many accounts on one device: ${proved}`)
    assert.ok((await visit('account-12')).score >= proved)
  })
})
