// What may somebody without credentials, or with wrong ones, request? So much per IP address, and nobody else pays for it.

import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { makeApiKey } from '../core/crypto/api-key.ts'
import { surfaceOf } from '../parts.ts'
import { atEnd } from '../testing/at-end.ts'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { createApp, shopBundleId, shopOrigin } from '../testing/sdk-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { httpServer } from './server.ts'

const { open } = sqliteDatabases
const { path } = endpoints.portability
const number = { phoneNumber: '917020141726' }
const behindProxy = { trustedProxies: '127.0.0.1', overloadDelayMs: 60_000 } as const
const attacker = { 'x-forwarded-for': '203.0.113.7' }

const guess = async ({ post }: TestService, headers: Readonly<Record<string, string>> = attacker) =>
  (await post(path, number, { clientSecret: 'rfs_wrong', ...headers })).status

/** Statuses of so many requests, one after the other. */
async function statusesOf(count: number, ask: (index: number) => Promise<number>): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push(await ask(index))
  return statuses
}

eachDatabase(({ engine, open }) => {
  test(`wrong credentials are 401 so often per minute and IP address, then 429 before a secret is verified (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), {
      settings: { ...behindProxy, wrongCredentialsPerMinute: 5 },
    })
    const { post, parts: needs, tenantId, clock } = service
    const clients = [service.credentials.clientId, 'rfc_unknown']
    assert.deepEqual(
      await statusesOf(7, (index) => guess(service, { ...attacker, clientId: clients[index % 2]! })),
      [401, 401, 401, 401, 401, 429, 429],
    )
    const fresh = await needs.clients.createClient(tenantId, 'never called')
    const refused = await post(path, number, { ...fresh, clientSecret: 'rfs_wrong', ...attacker })
    assert.deepEqual([refused.status, refused.body.errorCode], [429, '70429'])
    assert.ok(Number(refused.headers.get('retry-after')) <= 60)
    assert.equal((await post(path, number, { ...fresh, ...attacker })).status, 200, 'its secret is right')
    clock.advance({ seconds: 60 })
    assert.equal(await guess(service), 401)
  })
})

eachDatabase(({ engine, open }) => {
  test(`unknown and disabled app ids are refused so often per second and IP address, then 429 before the store is queried (${engine})`, async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database, { settings: { ...behindProxy, publicRatePerSecond: 1 } })
    const { parts: needs, clock, url } = service
    const [app, fresh, disabled] = [await createApp(service), await createApp(service), await createApp(service)]
    await needs.apps.disable(disabled.id)
    const query = new URLSearchParams({ packageName: shopBundleId, platform: 'IOS' })
    const ask = async (appId: string, from: object = attacker) => {
      const response = await fetch(`${url}${endpoints.sdkConfig.path}?${query}`, { headers: { appId, ...from } })
      await response.arrayBuffer()
      return response
    }
    const statusOf = async (appId: string, from?: object) => (await ask(appId, from)).status
    assert.equal(await statusOf(app.id), 200)
    clock.advance({ seconds: 5 })
    const unknown = await statusesOf(5, (index) => statusOf(index === 2 ? disabled.id : makeApiKey('rfa')))
    assert.deepEqual(unknown, [404, 404, 401, 404, 404])
    const { query: queried } = database
    database.query = () => Promise.reject(new Error('the store is queried'))
    const refused = await ask(makeApiKey('rfa'))
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '5'])
    assert.equal(await statusOf(fresh.id), 429, 'nobody knows yet that it exists')
    database.query = queried
    assert.equal(await statusOf(app.id), 200, 'it was right within a day')
    assert.equal(await statusOf(fresh.id, { 'x-forwarded-for': '203.0.113.9' }), 200, 'another IP address')
    clock.advance({ seconds: 5 })
    assert.equal(await statusOf(makeApiKey('rfa')), 404)
  })
})

test('a client that was right within a day goes on from the IP address of an attacker', async (t) => {
  const service = await startTestService(t, await open(t), {
    settings: { ...behindProxy, wrongCredentialsPerMinute: 5 },
  })
  const { post, parts: needs, credentials, clock } = service
  const fromThere = async () => (await post(path, number, attacker)).status
  assert.equal(await fromThere(), 200)
  clock.advance({ hours: 23 })
  assert.equal((await statusesOf(9, () => guess(service))).at(-1), 429)
  assert.deepEqual(await statusesOf(3, fromThere), [200, 200, 200], 'read again from the store, and remembered')
  await needs.clients.revoke(credentials.clientId)
  assert.deepEqual([await fromThere(), await fromThere()], [429, 429], 'right once is not right for ever')
})

test('the IPv6 addresses of one /64 network guess together, and an unknown header of a stranger counts for nothing', async (t) => {
  const settings = { ...behindProxy, wrongCredentialsPerMinute: 3 }
  const service = await startTestService(t, await open(t), { settings })
  const from = (address: string) => guess(service, { 'x-forwarded-for': address })
  assert.deepEqual(await statusesOf(4, (index) => from(`2001:db8::${index + 1}`)), [401, 401, 401, 429])
  assert.equal(await from('2001:db8:0:100::1'), 401)
  const direct = await startTestService(t, await open(t), { settings: { wrongCredentialsPerMinute: 3 } })
  assert.deepEqual(
    await statusesOf(4, (index) => guess(direct, { 'x-forwarded-for': `203.0.113.${index}` })),
    [401, 401, 401, 429],
  )
})

test('a store that fails counts as no guess', async (t) => {
  const database = await open(t)
  const service = await startTestService(t, database, { settings: { ...behindProxy, wrongCredentialsPerMinute: 3 } })
  const { query } = database
  database.query = () => Promise.reject(new Error('down'))
  for (const status of await statusesOf(6, () => guess(service))) assert.ok(status >= 500, String(status))
  database.query = query
  assert.equal(await guess(service), 401)
})

test('SDK files, documentation, keys and preflights are limited per IP address; probes are not', async (t) => {
  const database = await open(t)
  database.ping = async () => undefined // however slow the machine is
  const service = await startTestService(t, database, { settings: { ...behindProxy, publicRatePerSecond: 1 } })
  await createApp(service)
  const preflight = { origin: shopOrigin, 'access-control-request-method': 'POST' }
  const ask = async (path: string, init: RequestInit = {}, from = attacker) => {
    const response = await fetch(service.url + path, { ...init, headers: { ...init.headers, ...from } })
    await response.arrayBuffer()
    return response
  }
  const limited: [path: string, init?: RequestInit][] = [
    ['/'],
    ['/docs'],
    ['/docs/start.js'],
    ['/openapi.json'],
    ['/sdk/browser.js'],
    ['/sdk/browser.js', { method: 'HEAD' }],
    ['/sdk/browser.json'],
    ['/.well-known/openid-configuration'],
    ['/.well-known/jwks.json'],
    [endpoints.signInStart.path, { method: 'OPTIONS', headers: preflight }],
  ]
  for (const [path, init] of limited) {
    service.clock.advance({ seconds: 5 })
    const statuses = await statusesOf(6, async () => (await ask(path, init)).status)
    assert.deepEqual([statuses.slice(0, 5).every((status) => status < 300), statuses[5]], [true, 429], path)
    const refused = await ask('/docs')
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '5'], 'one limit for all of them')
    assert.ok((await ask(path, init, { 'x-forwarded-for': '203.0.113.9' })).status < 300, `${path} elsewhere`)
    service.clock.advance({ seconds: 5 })
  }
  for (const path of ['/health', '/ready'])
    assert.deepEqual(await statusesOf(20, async () => (await ask(path)).status), Array(20).fill(200), path)
})

test('without METRICS_TOKEN, only this machine reads metrics: no other one, and nobody through a proxy', async (t) => {
  const [other] = Object.values(networkInterfaces()).flatMap((each = []) =>
    each.filter(({ internal, address }) => !internal && !address.startsWith('fe80')),
  )
  for (const settings of [{}, behindProxy]) {
    const { url, parts: needs } = await startTestService(t, await open(t), { settings })
    const statusOf = async (headers = {}, base = url) => (await fetch(`${base}/metrics`, { headers })).status
    assert.equal(await statusOf(), 200)
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      assert.equal(await statusOf({ [name]: '127.0.0.1' }), 401, name)
    if (!other) continue
    const everywhere = httpServer(needs, surfaceOf(needs))
    atEnd(t, () => everywhere.close())
    await everywhere.listen({ host: other.address, port: 0 })
    const { port } = everywhere.server.address() as AddressInfo
    const host = other.family === 'IPv6' ? `[${other.address}]` : other.address
    assert.equal(await statusOf({}, `http://${host}:${port}`), 401, 'another address than loopback')
  }
})

eachDatabase(({ engine, open }) => {
  test(`/ready queries the store once a second, however many strangers ask, and whatever deadline they send (${engine})`, async (t) => {
    const database = await open(t)
    let pings = 0
    // At once: a real one on a slow machine takes longer than /ready waits for it.
    const ping = async () => {
      pings++
    }
    database.ping = ping
    const { url, clock } = await startTestService(t, database)
    const before = pings
    const ask = async () => (await fetch(`${url}/ready`, { headers: { 'x-ringfence-deadline-ms': '100' } })).status
    const statuses = async () => [...(await Promise.all(Array.from({ length: 50 }, ask))), await ask()]
    assert.deepEqual(await statuses(), Array(51).fill(200))
    assert.equal(pings - before, 1)
    clock.advance({ seconds: 1 })
    assert.deepEqual(await statuses(), Array(51).fill(200))
    assert.equal(pings - before, 2)
    database.ping = () => Promise.reject(new Error('the disk is full'))
    assert.equal(await ask(), 200)
    clock.advance({ seconds: 1 })
    assert.equal(await ask(), 503)
    database.ping = ping
    clock.advance({ hours: -26 })
    assert.equal(await ask(), 200, 'a clock that is set back prolongs no answer')
  })
})

test('counts who comes by a translator by the IPv4 address inside, which admits nobody', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t), {
    settings: { ...behindProxy, wrongCredentialsPerMinute: 3, nat64Prefixes: '2a00:64::/96' },
  })
  const { post, parts: needs, tenantId } = service
  const from = (address: string) => guess(service, { 'x-forwarded-for': address, clientId: 'rfc_unknown' })
  const sameClient = [
    '64:ff9b::102:304',
    '1.2.3.4',
    '2002:102:304::7',
    '::ffff:1.2.3.4',
    '2a00:64::102:304, , 127.0.0.1',
  ]
  assert.deepEqual(await statusesOf(5, (index) => from(sameClient[index]!)), [401, 401, 401, 429, 429])
  assert.equal(await from('64:ff9b::506:708'), 401)
  assert.equal(await from('1.2.3.5, , 127.0.0.1'), 401, 'an empty element is not the proxy')
  const restrictions = { scopes: null, allowedIps: '8.8.4.4', expiresAt: null, role: null }
  const only = await needs.clients.createClient(tenantId, 'restricted', restrictions)
  for (const [address, status] of [
    ['8.8.4.4', 200],
    ['64:ff9b::808:404', 403],
    ['2002:808:404::1', 403],
    ['2a00:64::808:404', 403],
  ] as const)
    assert.equal((await post(path, number, { ...only, 'x-forwarded-for': address })).status, status, address)
})
