// Is an analysis that travels with the push stored once, in one commit, and useless to anyone else?

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { endpoints, IntelligenceAnswer, type IntelligenceRequest, PushAnswer, readSamples } from '@ringfence/contract'
import Value from 'typebox/value'
import type { App } from '../../apps/app.ts'
import { flushEveryMs } from '../../apps/storage-budget.ts'
import { type Database, StorageUnavailable } from '../../core/storage/database.ts'
import { openDatabase } from '../../core/storage/open-database.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { newInstallationKey } from '../../testing/installation-key.ts'
import { newCommits } from '../../testing/new-commits.ts'
import { createApp, ordinaryFacts, type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestAnswer, type TestService } from '../../testing/test-service.ts'
import { iphone } from '../testdata/phones.ts'
import { carriedLength } from './carried-analysis.ts'

const intelligence = endpoints.intelligence.path
const push = endpoints.pushFingerprint.path
const samples = readSamples()

function assertRefused({ status, body, headers }: TestAnswer, sample: 'challenge-used' | 'session-foreign'): void {
  const { errorMessage } = samples.DeviceErrorBody![sample] as { errorMessage: string }
  assert.deepEqual([status, body], [401, { requestId: headers.get('x-request-id'), errorMessage }])
}

/** The engine call of a new request, and the body of its push. */
async function carried(client: SdkClient, facts: object = ordinaryFacts, changes: object = {}) {
  const engine = client.engineBody(facts, { carry: true, ...changes })
  const { status, body } = await client.post(intelligence, engine)
  assert.equal(status, 200, JSON.stringify(body))
  return { engine, answer: body as IntelligenceAnswer, body: pushOf(client, engine, body.analysis) }
}

const pushOf = (client: SdkClient, { requestId }: IntelligenceRequest, analysis: string, params: object = {}) => ({
  ...client.pushBody(requestId, params),
  data: { requestId, analysis },
})

const analysesIn = async (database: Database) =>
  (await database.query<{ n: number }>('select count(*) as n from device_analysis'))[0]?.n

/** How many rows each table has. */
async function rowsIn(database: Database): Promise<Record<string, number>> {
  const tables = await database.query<{ name: string }>(
    database.engine === 'sqlite'
      ? "select name from sqlite_schema where type = 'table'"
      : "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const counts = tables.map(async ({ name }) => {
    const [row] = await database.query<{ n: number }>(`select count(*) as n from ${name}`)
    return [name, row!.n] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

const reportOf = async (service: TestService, { body: { dfrId } }: TestAnswer, deviceType = 'WEB') =>
  (await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType })).body

/** The same text with another byte at this place. */
function altered(text: string, place: number): string {
  const bytes = Buffer.from(text, 'base64url')
  bytes[place]! ^= 1
  return bytes.toString('base64url')
}

eachDatabase(({ engine, open, place }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('stores nothing at an engine call with carry, and everything with its push'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const client = await sdkClient(service)
    const before = await rowsIn(database)
    const first = await carried(client)
    assert.deepEqual(Value.Errors(IntelligenceAnswer, first.answer), [])
    assert.deepEqual(await rowsIn(database), before, 'no row in any table')
    const answer = await client.post(push, first.body)
    assert.deepEqual([answer.status, Value.Errors(PushAnswer, answer.body)], [200, []])
    const report = await reportOf(service, answer)
    assert.equal(report.requestId, first.engine.requestId)
    assert.deepEqual((await client.post(push, first.body)).body, answer.body, 'the same body again')
    service.clock.advance({ seconds: 660 })
    assert.deepEqual((await client.post(push, first.body)).body, answer.body, 'and after ten minutes')
    const repeated = await client.post(intelligence, first.engine)
    assert.deepEqual({ ...repeated.body, analysis: '' }, { ...first.answer, analysis: '' })
    const next = await carried(client, ordinaryFacts, { challenge: first.answer.nextChallenge })
    assert.equal((await client.post(push, next.body)).status, 200)
    assert.equal(await analysesIn(database), 2)
  })

  test(it('makes the report that it makes without carry'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { trustedProxies: '127.0.0.1' } })
    const app = await createApp(service, { settings: { revealReport: true, additionalDataFields: ['orderId'] } })
    const headers = { 'x-forwarded-for': '8.8.8.8', 'accept-language': 'en-GB' }
    const updateInfo = { userId: 'asha', phoneNumber: '+91 70201 41726' }
    const reports = []
    for (const way of ['stored', 'carried', 'carried for a minute'] as const) {
      const carry = way !== 'stored'
      const client = await sdkClient(service, { app, headers, platform: 'IOS' })
      const facts = { ...iphone().facts, keychainId: { id: `phone ${way}` } }
      const { engine, answer } = await carried(client, facts, { carry, updateInfo })
      assert.equal(answer.analysis?.length, carry ? carriedLength : undefined)
      // By then this server does not have the analysis any more, and opens the text.
      if (way === 'carried for a minute') service.clock.advance({ seconds: 60 })
      const data = { requestId: engine.requestId, ...(carry && { analysis: answer.analysis }) }
      const made = await client.post(push, { ...client.pushBody(engine.requestId, { orderId: 'A-17' }), data })
      const { intelligenceResponse } = made.body
      assert.deepEqual(await reportOf(service, made, 'IOS'), intelligenceResponse)
      const { requestId: _, sessionId: __, deviceId: ___, ...rest } = intelligenceResponse
      reports.push(rest)
    }
    assert.equal(reports[0].additionalData.orderId, 'A-17')
    assert.deepEqual(reports[1], reports[0])
    assert.deepEqual(reports[2], reports[0])
  })

  test(it('refuses a sealed analysis that is old, foreign, cut, altered or replayed'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const app = await createApp(service)
    const client = await sdkClient(service, { app })
    const { engine, body, answer } = await carried(client)
    const analysis = answer.analysis!
    const pushed = (changed: object, by = client) => by.post(push, { ...body, ...changed })
    const withAnalysis = (text: string, by = client) =>
      pushed({ ...by.pushBody(engine.requestId), data: { requestId: engine.requestId, analysis: text } }, by)

    const others = [
      await sdkClient(service, { app }),
      await sdkClient(service, { app, platform: 'IOS' }),
      await sdkClient(service),
      await sdkClient(service, { app: await strangersApp(service) }),
    ]
    for (const other of others) assertRefused(await withAnalysis(analysis, other), 'session-foreign')
    const second = await carried(client)
    const { requestId } = second.engine
    assertRefused(await pushed({ requestId, data: { requestId, analysis } }), 'session-foreign')
    for (const wrong of [
      '',
      'x',
      analysis.slice(0, -1),
      analysis.slice(0, -4),
      `${analysis}AAAA`,
      analysis.toUpperCase(),
      'A'.repeat(carriedLength),
      '~'.repeat(carriedLength),
      randomBytes((carriedLength * 3) / 4).toString('base64url'),
      ...[0, 1, 12, 13, 14, 15, 500, 2000, (carriedLength * 3) / 4 - 1].map((at) => altered(analysis, at)),
    ]) {
      assertRefused(await withAnalysis(wrong), 'session-foreign')
    }
    assert.equal((await withAnalysis('x'.repeat(8193))).status, 400)
    assert.equal((await client.post(push, { ...body, data: { ...body.data, analysis: 7 } })).status, 400)
    assert.equal(await analysesIn(database), 0, 'and nothing of it was stored')

    assert.equal((await client.post(push, body)).status, 200)
    assertRefused(await pushed({ orderId: 'B' }), 'challenge-used')
    assertRefused(await client.post(push, client.pushBody(engine.requestId)), 'challenge-used')
    assertRefused(await withAnalysis(altered(analysis, 20)), 'challenge-used')
    assertRefused(await client.post(push, second.body), 'challenge-used')
    assertRefused(await client.post(intelligence, client.engineBody({}, { carry: true })), 'challenge-used')
    assertRefused(await client.post(intelligence, { ...engine, facts: {} }), 'challenge-used')

    const challenge = answer.nextChallenge
    const old = await carried(client, ordinaryFacts, { challenge })
    service.clock.advance({ seconds: 601 })
    assertRefused(await client.post(push, old.body), 'challenge-used')
    assert.equal(await analysesIn(database), 1)
    const late = await carried(client, ordinaryFacts, { challenge })
    service.clock.advance({ seconds: 240 })
    assert.equal((await client.post(push, late.body)).status, 200, 'the challenge was still unused')
  })

  test(it('stores one of several pushes of one challenge, on two servers'), async (t) => {
    const settings = { masterKey: randomBytes(32).toString('base64'), overloadDelayMs: 60_000, appRateBurst: 1000 }
    const at = await place(t)
    const services: TestService[] = []
    for (let server = 0; server < 2; server++) {
      const database = await openDatabase(at)
      atEnd(t, () => database.close())
      services.push(await startTestService(t, database, { settings }))
    }
    const [here] = services
    const app = await createApp(here!)
    for (let round = 1; round <= 5; round++) {
      const client = await sdkClient(here!, { app })
      const bodies = []
      for (let call = 0; call < 3; call++) bodies.push((await carried(client)).body)
      const answers = await Promise.all(
        bodies.flatMap((body) =>
          services.map(async ({ url }) => {
            const headers = { 'content-type': 'application/json', ...client.headers }
            const response = await fetch(url + push, { method: 'POST', headers, body: JSON.stringify(body) })
            return { body, status: response.status, answer: JSON.stringify(await response.json()) }
          }),
        ),
      )
      const won = answers.filter(({ status }) => status === 200)
      assert.deepEqual(
        [won.length, new Set(won.map(({ answer }) => answer)).size],
        [2, 1],
        'one push and its repetition',
      )
      assert.equal(won[0]?.body, won[1]?.body)
      assert.ok(answers.every(({ status }) => status === 200 || status === 401))
      assert.equal(await analysesIn(here!.parts.database), round)
    }
  })

  test(it('completes an interrupted push exactly once when it is repeated, also after a restart'), async (t) => {
    const at = await place(t)
    const masterKey = randomBytes(32).toString('base64')
    let fails: 'before' | 'after' | undefined
    const start = async () => {
      const database = await openDatabase(at)
      atEnd(t, () => database.close())
      const failing: Database = {
        engine,
        query: (sql, params) => database.query(sql, params),
        transaction: (work, timeoutMs) => database.transaction(work, timeoutMs),
        within: (until, work) => database.within(until, work),
        pools: () => database.pools(),
        ping: () => database.ping(),
        close: () => database.close(),
        batchSoon: (statements) => database.batchSoon(statements),
        async batch(statements) {
          if (fails === 'before') throw new StorageUnavailable('ended before')
          await database.batch(statements)
          if (fails === 'after') throw new StorageUnavailable('ended after')
        },
      }
      return startTestService(t, failing, { settings: { masterKey } })
    }
    const [first, restarted] = [await start(), await start()]
    const client = await sdkClient(first)
    const { body, answer } = await carried(client)
    const again = { ...client.headers, 'content-type': 'application/json' }
    const send = async ({ url }: TestService) => {
      const response = await fetch(url + push, { method: 'POST', headers: again, body: JSON.stringify(body) })
      return { status: response.status, answer: await response.json() }
    }
    for (const when of ['before', 'after'] as const) {
      fails = when
      assert.equal((await send(first)).status, 503, when)
    }
    fails = undefined
    const made = await send(restarted)
    assert.equal(made.status, 200)
    assert.deepEqual(await send(first), made)
    assert.equal(await analysesIn(first.parts.database), 1)
    const next = await carried(client, ordinaryFacts, { challenge: answer.nextChallenge })
    assert.equal((await client.post(push, next.body)).status, 200)
  })

  test(it('shows nothing in the length of the answer, and stores at once what is too large to carry'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const client = await sdkClient(service)
    const additionalInput = { note: randomBytes(2700).toString('base64') }
    const { engine, answer, body } = await carried(client, ordinaryFacts, { updateInfo: { additionalInput } })
    assert.equal(answer.analysis?.length, carriedLength)
    assert.equal(await analysesIn(database), 1)
    assert.deepEqual((await client.post(intelligence, engine)).body.nextChallenge, answer.nextChallenge)
    assertRefused(await (await sdkClient(service)).post(push, body), 'session-foreign')
    const made = await client.post(push, body)
    assert.equal(made.status, 200)
    assert.equal((await reportOf(service, made)).requestId, engine.requestId)
    assertRefused(await client.post(push, { ...body, orderId: 'B' }), 'challenge-used')

    const app = await createApp(service)
    for (const facts of [{}, ordinaryFacts, { ...ordinaryFacts, webdriver: true, userAgent: 'HeadlessChrome' }]) {
      const one = await carried(await sdkClient(service, { app }), facts)
      assert.equal(one.answer.analysis?.length, carriedLength)
    }
  })
})

test('writes a visit from engine call to dfrId in one durable commit', async (t) => {
  const folder = await sqliteDatabases.place(t)
  const database = await openDatabase(folder)
  atEnd(t, () => database.close())
  const service = await startTestService(t, database)
  const app = await createApp(service)
  const key = newInstallationKey()
  // What an app stored is counted a second later, in another commit.
  holdTimers(t, flushEveryMs)
  const visits = [
    { what: 'a new browser', platform: 'WEB', facts: ordinaryFacts, key },
    { what: 'the same a day later', platform: 'WEB', facts: ordinaryFacts, key },
    { what: 'with storage cleared', platform: 'WEB', facts: { ...ordinaryFacts, cookiesEnabled: true } },
    { what: 'a phone', platform: 'IOS', facts: iphone().facts },
  ] as const
  for (const { what, platform, facts, ...rest } of visits) {
    service.clock.advance({ hours: 25 })
    const client = await sdkClient(service, { app, platform, ...rest })
    await service.parts.apps.storageBudget.flush()
    const commits = await newCommits(folder)
    const { body } = await carried(client, facts, { updateInfo: { userId: 'asha', phoneNumber: '+917020141726' } })
    assert.equal(await commits(), 0, what)
    const answer = await client.post(push, body)
    assert.equal(answer.status, 200)
    assert.equal(await commits(), 1, what)
  }
  const client = await sdkClient(service, { app })
  await service.parts.apps.storageBudget.flush()
  const commits = await newCommits(folder)
  assert.equal((await client.post(endpoints.secure.path, client.engineBody())).status, 200)
  assert.equal(await commits(), 1, 'a token without a login')
})

async function strangersApp(service: TestService): Promise<App> {
  const stranger = await service.parts.tenantKeyring.createTenant('stranger')
  return createApp(service, {}, stranger.id)
}
