import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { App } from '../../apps/app.ts'
import { openDatabase } from '../../core/storage/open-database.ts'
import { storedReports } from '../../device-report/stored-reports.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { laptop } from '../testdata/devices.ts'
import { browserClient, ordinaryFacts } from '../testdata/ordinary-report.ts'

const hour = 3600
const day = 24 * hour

interface Session {
  facts?: object
  updateInfo: { userId?: string; phoneNumber?: string }
}

/** Makes a new session, and returns its velocity and history as rules read them. */
async function visit(service: TestService, app: App, { facts = ordinaryFacts, updateInfo }: Session) {
  const client = await browserClient(service, { app })
  const { requestId } = await client.analyse(facts, { updateInfo })
  const { status, body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
  assert.equal(status, 200, JSON.stringify(body))
  const { tenantId } = app
  const kept = await Array.fromAsync(storedReports(tenantId, service.parts))
  const { velocity, history } = kept.find((report) => report.requestId === requestId)!.input
  assert.ok(velocity && history)
  return { ...velocity, ...history }
}

eachDatabase(({ engine, open, place }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('counts velocity in windows of 1 h, 24 h and 7 d, to the millisecond'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { deviceRetentionDays: 60 } })
    const app = await createApp(service)
    const beganAt = service.clock.now()
    /** A session of this account with its own phone number, this long after the first one. */
    const at = (seconds: number, ms: number, userId: string) => {
      service.clock.advance({ ms: beganAt + seconds * 1000 + ms - service.clock.now() })
      return visit(service, app, { updateInfo: { userId, phoneNumber: `4477009${userId.charCodeAt(0)}` } })
    }
    await at(0, 0, 'a')
    const sessions: [seconds: number, userId: string, window: '1h' | '24h' | '7d', before: number, after: number][] = [
      [hour, 'b', '1h', 2, 1],
      [day, 'c', '24h', 3, 2],
      [7 * day, 'd', '7d', 4, 3],
    ]
    for (const [seconds, userId, window, before, after] of sessions) {
      for (const [ms, expected] of [
        [-1, before],
        [0, after],
      ] as const) {
        const counted = await at(seconds, ms, userId)
        const counts = [counted[`accountsPerDevice${window}`], counted[`phoneNumbersPerDevice${window}`]]
        assert.deepEqual(counts, [expected, expected], `${window} ${ms}`)
      }
    }
  })

  test(it('counts a user id that only the page sent for the device, and for no account'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    const updateInfo = { userId: 'a' }
    const first = await visit(service, app, { updateInfo })
    assert.deepEqual([first.devicesPerAccount1h, first.deviceAgeDays], [1, 0])
    service.clock.advance({ hours: 1 })
    const onAnother = await visit(service, app, { updateInfo, facts: laptop() })
    assert.deepEqual([onAnother.devicesPerAccount7d, onAnother.accountsPerDevice7d], [1, 1])
    const again = await visit(service, app, { updateInfo })
    assert.deepEqual([again.devicesPerAccount24h, again.deviceAgeDays], [1, 1 / 24])
    const nobody = await visit(service, app, { updateInfo: {}, facts: laptop() })
    assert.deepEqual([nobody.devicesPerAccount7d, nobody.accountsPerDevice1h], [0, 1])
  })

  test(it('weighs earlier signals in later sessions, less every day, and never twice'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service, { settings: { revealReport: true } })
    const scores = async (facts: object) => {
      const client = await browserClient(service, { app })
      const { requestId } = await client.analyse(facts)
      const { body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
      const { sessionRiskScore, deviceRiskScore } = body.intelligenceResponse
      return [sessionRiskScore, deviceRiskScore]
    }
    const automated = { ...ordinaryFacts, automation: { ...ordinaryFacts.automation, webdriver: true } }
    assert.deepEqual(await scores(automated), [60, 60])
    assert.deepEqual(await scores(automated), [60, 60])
    assert.deepEqual(await scores(ordinaryFacts), [0, 36])
    service.clock.advance({ hours: 7 * 24 })
    assert.deepEqual(await scores(ordinaryFacts), [0, 18])
  })

  test(it('counts each visit once on two servers of one database'), async (t) => {
    const settings = { masterKey: randomBytes(32).toString('base64'), overloadDelayMs: 60_000, appRateBurst: 1000 }
    const at = await place(t)
    const servers: TestService[] = []
    for (let server = 0; server < 2; server++) {
      const database = await openDatabase(at)
      atEnd(t, () => database.close())
      servers.push(await startTestService(t, database, { settings }))
    }
    const [here, there] = servers as [TestService, TestService]
    const app = await createApp(here)
    const account = (userId: string) => ({ updateInfo: { userId } })
    await visit(here, app, account('a'))
    assert.equal((await visit(there, app, account('b'))).accountsPerDevice1h, 2)
    await Promise.all(['c', 'd', 'e', 'f', 'g', 'h'].map((user, i) => visit(servers[i % 2]!, app, account(user))))
    for (const server of servers) assert.equal((await visit(server, app, account('a'))).accountsPerDevice1h, 8)
    const visits = await here.parts.database.query('select dfr_id from device_analysis where push_hash is not null')
    assert.equal(visits.length, 10)
  })
})
