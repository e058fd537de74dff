import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { Database } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { type InstallationKey, newInstallationKey } from '../../testing/installation-key.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { androidPhone } from '../testdata/phones.ts'

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

eachDatabase(({ engine, open }) => {
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
