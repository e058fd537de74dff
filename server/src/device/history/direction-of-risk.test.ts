// Does risk flow from proof to resemblance only? An attacker who has read the source plays against a customer, over HTTP.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { App } from '../../apps/app.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { type InstallationKey, newInstallationKey } from '../../testing/installation-key.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { browserClient, ordinaryFacts } from '../testdata/ordinary-report.ts'

interface Session {
  facts?: object
  /** The key of the installation; without one the browser cannot make keys. */
  key?: InstallationKey
  deviceToken?: string
  userId?: string
}

/** A session, with its report and the token that the browser gets. */
async function session(service: TestService, app: App, { facts = ordinaryFacts, key, deviceToken, userId }: Session) {
  service.clock.advance({ seconds: 20 })
  const client = await browserClient(service, { app, ...(key && { key }) })
  const updateInfo = userId === undefined ? {} : { userId }
  const answer = await client.analyse({ ...facts, ...(deviceToken && { deviceToken }) }, { updateInfo })
  const { status, body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(answer.requestId))
  assert.equal(status, 200)
  const report = body.intelligenceResponse
  return { dfrId: body.dfrId as string, deviceToken: answer.deviceToken as string, report }
}

const labelled = async (service: TestService, dfrId: string, outcome: string) => {
  const { body } = await service.post(endpoints.labelReports.path, { labels: [{ dfrId, outcome }] })
  assert.equal(body.accepted, 1)
}

async function started(t: Parameters<typeof startTestService>[0], database: Parameters<typeof startTestService>[1]) {
  const settings = { appRateBurst: 100_000, appRatePerSecond: 100_000, newDevicesPerNetwork: 10_000 }
  const service = await startTestService(t, database, { settings })
  return { service, app: await createApp(service, { settings: { revealReport: true } }) }
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('a customer that proves its key goes up by 0, whatever facts and tokens are replayed'), async (t) => {
    const { service, app } = await started(t, await open(t))
    const key = newInstallationKey()
    const customer = (deviceToken?: string) =>
      session(service, app, { key, userId: 'asha', ...(deviceToken && { deviceToken }) })
    const first = await customer()
    const before = await customer(first.deviceToken)
    assert.equal(before.report.newDevice, false)
    let stolen = before.deviceToken
    const ownKey = newInstallationKey()
    for (let user = 0; user < 11; user++) {
      const userId = `user ${user}`
      const replays: Session[] = [
        { userId },
        { userId, deviceToken: before.deviceToken },
        { userId, deviceToken: before.deviceToken, key: ownKey },
        { userId, deviceToken: stolen, key: newInstallationKey() },
        {
          userId,
          key: ownKey,
          facts: { ...ordinaryFacts, automation: { ...ordinaryFacts.automation, webdriver: true } },
        },
        { userId, deviceToken: before.deviceToken, facts: { userAgent: ordinaryFacts.userAgent } },
      ]
      const replay = await session(service, app, replays[user % replays.length]!)
      stolen = replay.deviceToken ?? stolen
      if (user % 4 === 0) await labelled(service, replay.dfrId, 'fraud')
    }
    const after = await customer(before.deviceToken)
    assert.equal(after.report.deviceId, before.report.deviceId)
    assert.equal(after.report.deviceRiskScore, before.report.deviceRiskScore)
    assert.equal(after.report.deviceRiskScore, 0)
    assert.notEqual(after.report.ruleAction.action, 'BLOCK')
    // Whoever only resembles the device inherits all of it.
    const resembling = await session(service, app, { key: newInstallationKey(), userId: 'x' })
    assert.equal(resembling.report.deviceId, before.report.deviceId)
    assert.equal(resembling.report.ruleAction.action, 'BLOCK')
  })

  test(it('whoever clears storage after fraud is still blocked, and empty visits wash nothing'), async (t) => {
    const { service, app } = await started(t, await open(t))
    const key = newInstallationKey()
    let token: string | undefined
    let score = 0
    for (let user = 0; user < 13; user++) {
      const visit = await session(service, app, { key, userId: `${user}`, ...(token && { deviceToken: token }) })
      token = visit.deviceToken
      score = visit.report.deviceRiskScore
    }
    assert.ok(score >= 60, `${score}`)
    for (let visit = 0; visit < 30; visit++) {
      const cleared = visit % 3 === 0 ? newInstallationKey() : key
      const { report } = await session(service, app, { key: cleared })
      assert.ok(report.deviceRiskScore >= score, `${visit}: ${report.deviceRiskScore}`)
    }
  })
})
