// Do servers of one store live by one time, whatever their own clocks say?

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { pino } from 'pino'
import { claimNonce as storeNonce } from '../../bots/store/agent-nonces.ts'
import { type Service, startService } from '../../main.ts'
import { maintain } from '../../maintenance.ts'
import { issue } from '../../sign-in/tokens/issue.ts'
import { atEnd } from '../../testing/at-end.ts'
import { postgresDatabases, sqliteDatabases } from '../../testing/databases.ts'
import { createApp, sdkClientOf } from '../../testing/sdk-client.ts'
import { testClock } from '../../testing/test-clock.ts'
import { sandboxParts, startTestService } from '../../testing/test-service.ts'
import { readConfig } from '../config/config.ts'
import { StorageUnavailable } from '../storage/database.ts'
import { measureSkew, openStoreClock, type StoreClock } from './store-clock.ts'

const minute = 60_000
const hour = 60 * minute

function logTo(lines: { level: number; msg: string }[]) {
  return pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
}

/** A store whose clock the test moves. */
function scriptedStore(clock: { now(): number }) {
  const store = { isDown: false }
  const database = {
    engine: 'postgres' as const,
    async query<R>() {
      if (store.isDown) throw new StorageUnavailable('down')
      return [{ now: clock.now() }] as R[]
    },
  }
  return { store, database }
}

test('corrects a clock that differs from the store by more than a second, and warns once', async (t) => {
  const [machine, shared] = [testClock(), testClock()]
  const lines: { level: number; msg: string }[] = []
  const { database } = scriptedStore(shared)
  const clock = await openStoreClock({ database, clock: machine, log: logTo(lines) })
  atEnd(t, () => clock.close())
  machine.advance({ ms: 900 })
  await clock.measure()
  assert.equal(clock.now(), machine.now(), 'within the tolerance its own clock counts')
  for (const [by, side] of [
    [26 * 3600, 'ahead of'],
    [-52 * 3600, 'behind'],
  ] as const) {
    lines.length = 0
    machine.advance({ seconds: by })
    await clock.measure()
    await clock.measure()
    assert.ok(Math.abs(clock.now() - shared.now()) <= 50, `${clock.now() - shared.now()}`)
    assert.deepEqual(
      lines.map(({ level }) => level),
      [40],
    )
    assert.match(lines[0]!.msg, new RegExp(`9[34]\\d{3} s ${side} the database's clock`))
  }
  lines.length = 0
  machine.advance({ seconds: 26 * 3600, ms: -900 })
  await clock.measure()
  assert.equal(clock.now(), machine.now())
  assert.match(lines[0]!.msg, /agrees with the database's clock again/)
})

test('keeps the last correction while the store is down', async (t) => {
  const [machine, shared] = [testClock(), testClock()]
  const { store, database } = scriptedStore(shared)
  machine.advance({ hours: 26 })
  const clock = await openStoreClock({ database, clock: machine, log: logTo([]) })
  atEnd(t, () => clock.close())
  store.isDown = true
  await assert.rejects(clock.measure(), StorageUnavailable)
  assert.ok(Math.abs(clock.now() - shared.now()) <= 50)
})

test('measures no skew of the embedded store', async (t) => {
  const database = await sqliteDatabases.open(t)
  const machine = testClock()
  assert.equal(await measureSkew(database, machine), undefined)
  const clock = await openStoreClock({ database, clock: machine, log: logTo([]) })
  assert.deepEqual([clock.now(), clock.skewMs()], [machine.now(), undefined])
})

/** A server whose machine's clock is ahead by this much. */
async function startAhead(t: TestContext, databaseUrl: string, masterKey: string, aheadMs: () => number) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'ringfence-'))
  atEnd(t, () => rm(dataFolder, { recursive: true }))
  const options = { databaseUrl, dataFolder, masterKey, port: 0, drainMs: 0, overloadDelayMs: 60_000 }
  const config = { ...sandboxParts({ url: 'http://127.0.0.1:9' }), settings: readConfig({ options }).settings }
  const clock = { now: () => Date.now() + aheadMs() }
  const environment = { SANDBOX_SECRET: 'none' }
  const service = await startService({ config, log: pino({ level: 'silent' }), clock, environment })
  atEnd(t, () => service.stop())
  return service
}

/** What the service does every minute. */
const maintained = ({ parts: needs }: Service) =>
  maintain({ ...needs, measureClock: () => (needs.clock as StoreClock).measure() })

/** A row that ends in 15 minutes, by the clock of the server. */
const claimNonce = ({ database, clock }: Pick<Service['parts'], 'database' | 'clock'>, index = 0) =>
  storeNonce(database, {
    nonceHash: new Uint8Array([index]),
    sessionHash: new Uint8Array([0]),
    expiresAt: clock.now() + 15 * minute,
  })

const noncesOf = ({ database }: Pick<Service['parts'], 'database'>) =>
  database.query('select nonce_hash from agent_nonce')

async function statusInSession({ url }: Service, headers: Readonly<Record<string, string>>): Promise<number> {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' }
  return (await fetch(url + endpoints.intelligence.path, sent)).status
}

test('servers whose clocks are wrong delete nothing that is valid, and issue what every server accepts', async (t) => {
  const url = await postgresDatabases.place(t)
  const masterKey = randomBytes(32).toString('base64')
  let jump = 0
  const right = await startAhead(t, url, masterKey, () => 0)
  const servers = [
    right,
    await startAhead(t, url, masterKey, () => 26 * hour),
    await startAhead(t, url, masterKey, () => -20 * minute),
    await startAhead(t, url, masterKey, () => jump),
  ]
  const tenantId = (await right.parts.tenantKeyring.createTenant('shop')).id
  const credentials = { ...(await right.parts.clients.createClient(tenantId, 'backend')) }
  const app = await createApp({ parts: right.parts, tenantId })
  const validate = async (server: Service, token: string) => {
    const response = await fetch(server.url + endpoints.validateToken.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentials },
      body: JSON.stringify({ token }),
    })
    return response.status === 200 ? 200 : ((await response.json()) as { errorCode: string }).errorCode
  }
  const login = { userId: 'u', timestamp: new Date().toISOString(), identities: [] }
  const tokens: string[] = []
  for (const { parts: needs } of servers) {
    const before = Date.now()
    const { token, expiresAt } = await issue({ tenantId, login }, needs)
    const issuedAt = Date.parse(expiresAt) - needs.settings.tokenLifetimeSeconds * 1000
    assert.ok(issuedAt > before - 5000 && issuedAt < Date.now() + 5000, `${issuedAt - before}`)
    tokens.push(token)
  }
  const sessions = await Promise.all(servers.map((server) => sdkClientOf(app, server)))
  for (const [index, { parts }] of servers.entries()) await claimNonce(parts, index)
  jump = 26 * hour
  for (const server of servers) await maintained(server)

  for (const server of servers) {
    for (const token of tokens) assert.equal(await validate(server, token), 200)
  }
  for (const server of servers) {
    for (const { headers } of sessions) assert.equal(await statusInSession(server, headers), 400, 'an empty body')
  }
  assert.equal((await noncesOf(right.parts)).length, servers.length)

  await right.parts.database.query('update token set expires_at = $1', [Date.now() - 5 * minute])
  for (const server of servers) assert.equal(await validate(server, tokens[0]!), '7301', 'expired for all of them')
})

test('a server whose clock is behind still deletes what has expired by the time of the store', async (t) => {
  const url = await postgresDatabases.place(t)
  const server = await startAhead(t, url, randomBytes(32).toString('base64'), () => -26 * hour)
  await claimNonce(server.parts)
  await server.parts.database.query('update agent_nonce set expires_at = $1', [Date.now() - hour])
  await maintained(server)
  assert.deepEqual(await noncesOf(server.parts), [])
})

test('deletes nothing while the time of the store cannot be read', async (t) => {
  const database = await sqliteDatabases.open(t)
  const service = await startTestService(t, database)
  await claimNonce(service.parts)
  service.clock.advance({ hours: 26 })
  const measureClock = () => Promise.reject(new StorageUnavailable('down'))
  await maintain({ ...service.parts, measureClock })
  assert.equal((await noncesOf(service.parts)).length, 1)
  await maintain({ ...service.parts, measureClock: async () => undefined })
  assert.deepEqual(await noncesOf(service.parts), [])
})
