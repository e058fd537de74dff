// May one network with many IP addresses guess more, or call more, than its part?

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { mmdbBytes } from '../../ip/testing/mmdb-writer.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { createApp, shopBundleId } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'

const { open } = sqliteDatabases
const { path } = endpoints.portability
const number = { phoneNumber: '917020141726' }
const behindProxy = { trustedProxies: '127.0.0.1', overloadDelayMs: 60_000 } as const

const guess = async ({ post }: TestService, from: string) =>
  (await post(path, number, { clientSecret: 'rfs_wrong', 'x-forwarded-for': from })).status

/** How many answers have each status, of so many requests one after the other. */
async function statusesOf(count: number, ask: (index: number) => Promise<number>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  for (let index = 0; index < count; index++) {
    const status = await ask(index)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

const hex = (value: number) => value.toString(16)

eachDatabase(({ engine, open }) => {
  test(`one /48 of IPv6 sends 450 wrong secrets a minute, a /64 300, and its proven clients go on (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: behindProxy })
    const { post, parts: needs, tenantId, credentials, clock } = service
    const statusOf = async (from: string, client: { clientId: string; clientSecret: string } = credentials) =>
      (await post(path, number, { ...client, 'x-forwarded-for': from })).status
    assert.equal(await statusOf('2001:db8:0:ffff::1'), 200)
    clock.advance({ seconds: 2 })
    assert.deepEqual(await statusesOf(500, (i) => guess(service, `2001:db8:0:${hex(i)}::1`)), { 401: 450, 429: 50 })
    assert.equal(await statusOf('2001:db8:0:ffff::1'), 200, 'right within a day')
    const fresh = await needs.clients.createClient(tenantId, 'never called')
    assert.equal(await statusOf('2001:db8:0:eeee::1', fresh), 200, 'its secret is right')
    assert.equal(await statusOf('2001:db8:1::1', fresh), 200, 'another /48')
    clock.advance({ seconds: 60 })
    assert.equal(await guess(service, '2001:db8:0:1::1'), 401)
  })

  test(`whoever guesses from 30 /24 of an operator locks out no client there, after a restart and on its first call (${engine})`, async (t) => {
    const database = await open(t)
    const dataFolder = await mkdtemp(join(tmpdir(), 'ringfence-servers-'))
    atEnd(t, () => rm(dataFolder, { recursive: true }))
    const keys = { dataFolder, masterKeyFile: join(dataFolder, 'master.key') }
    const settings = { ...behindProxy, ...(await operators(t)), ...keys, wrongCredentialsPerMinute: 2 }
    const before = await startTestService(t, database, { settings })
    const at = '198.18.200.1'
    assert.equal((await before.post(path, number, { 'x-forwarded-for': at })).status, 200)
    const create = () => before.parts.clients.createClient(before.tenantId, 'never called')
    const [fresh, target] = [await create(), await create()]

    const restarted = await startTestService(t, database, { settings })
    await restarted.parts.ip.load()
    const ask = (headers: Readonly<Record<string, string>>) =>
      restarted.post(path, number, { 'x-forwarded-for': at, ...headers })
    const statusOf = async (client: { clientId: string; clientSecret: string }) => (await ask({ ...client })).status
    assert.deepEqual(await statusesOf(90, (i) => guess(restarted, `198.18.${i % 30}.${i}`)), { 401: 40, 429: 50 })
    assert.equal(await statusOf(before.credentials), 200, 'it called yesterday')
    assert.equal(await statusOf(fresh), 200, 'it never called')
    const later = await create()
    restarted.clock.advance({ seconds: 10 })
    assert.equal(await statusOf(later), 200, 'another server made it during the flood')

    const { query } = database
    database.query = () => Promise.reject(new Error('a guess is looked up'))
    const wrong = (clientId: string) => ask({ clientId, clientSecret: 'rfs_wrong' })
    const [known, unknown] = [await wrong(target.clientId), await wrong('rfc_unknown')]
    assert.deepEqual([known.status, unknown.status, known.body], [429, 429, unknown.body], 'no oracle of client ids')
    assert.deepEqual(await statusesOf(9, async () => (await wrong(target.clientId)).status), { 429: 9 })
    database.query = query
    assert.equal(await statusOf(target), 429, 'after ten guesses at one client, nobody learns more about it')
    assert.equal((await ask({ ...(await create()), clientId: target.clientId })).status, 429)
    assert.equal(await statusOf(fresh), 200)
    await before.parts.clients.revoke(later.clientId)
    restarted.clock.advance({ seconds: 10 })
    assert.equal(await statusOf(later), 429)
  })
})

test('a /56, a /48 and a /24 guess a multiple of one subscriber', async (t) => {
  const service = await startTestService(t, await open(t), {
    settings: { ...behindProxy, wrongCredentialsPerMinute: 6 },
  })
  const passed = (addressOf: (i: number) => string) => statusesOf(40, (i) => guess(service, addressOf(i)))
  assert.deepEqual(await passed(() => '2001:db8:1::1'), { 401: 6, 429: 34 }, 'one /64')
  assert.deepEqual(await passed((i) => `2001:db8:2:${hex(i)}::1`), { 401: 6, 429: 34 }, 'one /56')
  assert.deepEqual(await passed((i) => `2001:db8:3:${hex(i)}00::1`), { 401: 9, 429: 31 }, 'one /48')
  assert.deepEqual(await passed((i) => `192.0.2.${i}`), { 401: 24, 429: 16 }, 'one /24')
  assert.deepEqual(await passed((i) => `64:ff9b::198.51.100.${i}`), { 401: 24, 429: 16 }, 'one /24 behind a translator')
  assert.deepEqual(await passed((i) => `2001:db8:${hex(i + 16)}::1`), { 401: 40 }, 'as many /48')
})

test('one subscriber above its quota uses up no more of its /24 than that', async (t) => {
  const service = await startTestService(t, await open(t), {
    settings: { ...behindProxy, wrongCredentialsPerMinute: 3 },
  })
  await statusesOf(50, () => guess(service, '192.0.2.1'))
  assert.deepEqual(await statusesOf(9, (i) => guess(service, `192.0.2.${i + 2}`)), { 401: 9 })
})

/** As the SDK in an app begins a session. */
async function begin({ url }: TestService, appId: string, from: string) {
  const query = new URLSearchParams({ packageName: shopBundleId, platform: 'IOS' })
  const response = await fetch(`${url}${endpoints.sdkConfig.path}?${query}`, {
    headers: { appId, 'x-forwarded-for': from },
  })
  await response.arrayBuffer()
  return response
}

test('one /48 of IPv6 begins 150 sessions of an app at once, a /56 100 and a /64 50; headers name the level', async (t) => {
  const service = await startTestService(t, await open(t), { settings: behindProxy })
  const app = await createApp(service)
  const passed = (addressOf: (i: number) => string) =>
    statusesOf(200, async (i) => (await begin(service, app.id, addressOf(i))).status)
  assert.deepEqual(await passed(() => '2001:db8:1::1'), { 200: 50, 429: 150 })
  assert.deepEqual(await passed((i) => `2001:db8:2:${hex(i)}::1`), { 200: 100, 429: 100 })
  assert.deepEqual(await passed((i) => `2001:db8:3:${hex(i)}00::1`), { 200: 150, 429: 50 })
  assert.deepEqual(await passed((i) => `192.0.2.${i}`), { 200: 200 })

  const headersOf = async (from: string) => {
    const { headers } = await begin(service, app.id, from)
    return [headers.get('ratelimit-policy'), headers.get('ratelimit'), headers.get('retry-after')]
  }
  assert.deepEqual(await headersOf('2001:db8:4::1'), ['"app";q=50;w=5', '"app";r=49;t=5', null])
  assert.deepEqual(await headersOf('2001:db8:3:ffff::1'), ['"app /48";q=150;w=5', '"app /48";r=0;t=5', '5'])
  assert.equal((await begin(service, (await createApp(service)).id, '2001:db8:3:ffff::1')).status, 200, 'another app')
})

/** Two operators: one with IPv6 and IPv4, and another one. */
async function operators(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-asn-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  const builtAt = new Date('2026-01-01')
  const of = (asn: number) => ({ autonomous_system_number: asn })
  const networks = { '2001:db8::/32': of(64500), '198.18.0.0/15': of(64500), '203.0.113.0/24': of(64501) }
  const [ipAsnFiles, ipCityFiles] = [join(folder, 'asn.mmdb'), join(folder, 'city.mmdb')]
  await writeFile(ipAsnFiles, mmdbBytes({ databaseType: 'GeoLite2-ASN', builtAt, networks }))
  await writeFile(
    ipCityFiles,
    mmdbBytes({ databaseType: 'DBIP-City', builtAt, networks: { '203.0.113.0/24': { country_code: 'GB' } } }),
  )
  return { ipAsnFiles, ipCityFiles }
}

test('a network operator guesses 20 times as much as one subscriber, once its files are read; others go on', async (t) => {
  const settings = { ...behindProxy, ...(await operators(t)), wrongCredentialsPerMinute: 2 }
  const service = await startTestService(t, await open(t), { settings })
  const flood = () => statusesOf(60, (i) => guess(service, i % 2 ? `2001:db8:${hex(i + 1)}::1` : `198.18.${i}.1`))
  assert.deepEqual(await flood(), { 401: 60 }, 'no request reads the files')
  service.clock.advance({ seconds: 60 })
  await service.parts.ip.load()
  assert.deepEqual(await flood(), { 401: 40, 429: 20 })
  assert.equal((await service.post(path, number, { 'x-forwarded-for': '203.0.113.7' })).status, 200, 'another operator')
  assert.equal(await guess(service, '192.0.2.1'), 401, 'no operator is known')
})

test('a network operator begins a hundred times the sessions of one subscriber', async (t) => {
  const settings = { ...behindProxy, ...(await operators(t)), appRatePerSecond: 1, appRateBurst: 1 }
  const service = await startTestService(t, await open(t), { settings })
  await service.parts.ip.load()
  const app = await createApp(service)
  const statuses = await statusesOf(120, async (i) => (await begin(service, app.id, `2001:db8:${hex(i)}::1`)).status)
  assert.deepEqual(statuses, { 200: 100, 429: 20 })
  assert.equal((await begin(service, app.id, '203.0.113.7')).status, 200)
})
