// Does a restricted client do only what it may? Every endpoint of a backend, with each scope, from other IP addresses, and after its end.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Endpoint, endpoints, pathWith, type Scope, scopes } from '@ringfence/contract'
import { pino } from 'pino'
import { parseConnectionAddress } from '../core/address/address.ts'
import { openKeyring } from '../core/crypto/open-keyring.ts'
import { surface } from '../features.ts'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { Credentials } from './credentials.ts'
import { refuseUnlessAllowed, restrictionsOf } from './restrictions.ts'
import type { ClientRestrictions } from './store/clients.ts'

const free: ClientRestrictions = { scopes: null, allowedIps: null, expiresAt: null, role: null }
const { open } = sqliteDatabases
const backend = Object.values<Endpoint>(endpoints).filter(({ caller }) => caller === 'client')
const names = Object.keys(scopes) as Scope[]
const { path: simSwap } = endpoints.simSwapCheck
const number = { phoneNumber: '917020141726' }

const clientOf = ({ parts: needs, tenantId }: TestService, restrictions: Partial<ClientRestrictions>) =>
  needs.clients.createClient(tenantId, 'restricted', { ...free, ...restrictions })

test('every endpoint of a backend has a scope, every scope has an endpoint, and no other call takes credentials', () => {
  assert.deepEqual([...new Set(backend.map(({ scope }) => scope))].sort(), [...names].sort())
  for (const row of surface.filter((row) => row.kind === 'endpoint'))
    assert.equal(row.scope !== undefined, row.caller === 'client', row.path)
})

test('a client with one scope may make its calls and no others, with the error of the endpoint', async (t) => {
  const service = await startTestService(t, await open(t))
  for (const scope of names) {
    const only = await clientOf(service, { scopes: scope })
    for (const { method, path: template, errorFormat, sends, scope: needed } of backend) {
      const path = pathWith(template, randomUUID())
      const get = async () => {
        const response = await fetch(service.url + path, { headers: { ...only } })
        return { status: response.status, body: await response.json() }
      }
      const { status, body } =
        method === 'GET' ? await get() : await service.post(path, { limit: 0, name: 0 }, { ...only })
      if (needed === scope) {
        // Of a record that does not exist, or outside of a sandbox; JSON is not lines.
        const isOfSandbox = template === endpoints.readShownMessages.path
        const refused = sends ? 415 : isOfSandbox || (method === 'GET' && path !== template) ? 404 : 400
        assert.equal(status, refused, `${scope}: ${path}`)
        continue
      }
      const text = `The client may not make this call: it lacks the scope ${needed}`
      assert.equal(status, 403, `${scope}: ${path}`)
      assert.equal(body.errorMessage ?? body.error_description ?? body.description ?? body.message, text, errorFormat)
    }
  }
  const two = await clientOf(service, { scopes: 'telecom tokens' })
  assert.equal((await service.post(simSwap, number, { ...two })).status, 200)
  assert.equal((await service.post(endpoints.validateToken.path, {}, { ...two })).status, 400)
  assert.equal((await service.post(endpoints.labelReports.path, {}, { ...two })).status, 403)
})

test('credentials of a form are restricted as those of headers are', async (t) => {
  const { url, ...service } = await startTestService(t, await open(t))
  const only = await clientOf({ url, ...service }, { scopes: 'telecom' })
  for (const { path } of [endpoints.secureInfo, endpoints.userInfo, endpoints.exchangeCode]) {
    const form = { client_id: only.clientId, client_secret: only.clientSecret, token: 'x', code: 'x' }
    assert.equal((await fetch(url + path, { method: 'POST', body: new URLSearchParams(form) })).status, 403, path)
  }
})

test('a client with IP addresses may call only from them, as trusted proxies report them', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { trustedProxies: '127.0.0.1' } })
  const only = await clientOf(service, { allowedIps: '10.1.0.0/16 2001:db8::/32' })
  const statusFrom = async (address: string) =>
    (await service.post(simSwap, number, { ...only, 'x-forwarded-for': address })).status
  for (const allowed of ['10.1.2.3', '2001:db8::7', '::ffff:10.1.0.1']) assert.equal(await statusFrom(allowed), 200)
  for (const other of ['10.2.0.1', '2001:db9::1', '127.0.0.1', '10.1.2.3, 10.2.0.1'])
    assert.equal(await statusFrom(other), 403, other)
  const { body } = await service.post(simSwap, number, { ...only, 'x-forwarded-for': '10.2.0.1' })
  assert.equal(body.description, 'The client may not make this call: not from this IP address')
  const wrong = await service.post(simSwap, number, { ...only, clientSecret: 'rfs_x', 'x-forwarded-for': '10.2.0.1' })
  assert.deepEqual([wrong.status, wrong.body.errorCode], [401, '70002'], 'restrictions show only to who has the secret')
})

test('a client with IP addresses is refused when the address of the caller is not known', () => {
  const restrictions = restrictionsOf({ ...free, allowedIps: '10.1.0.0/16' })!
  for (const unknown of [undefined, '10.2.0.1', '64:ff9b::a01:ff', '2002:a01:ff::1', '::a01:ff'])
    assert.throws(
      () =>
        refuseUnlessAllowed(
          restrictions,
          'telecom',
          unknown === undefined ? undefined : parseConnectionAddress(unknown)!,
        ),
      { failure: 'clientRestricted' },
    )
  refuseUnlessAllowed(restrictions, 'telecom', parseConnectionAddress('10.1.0.255')!)
  refuseUnlessAllowed(restrictions, 'telecom', parseConnectionAddress('::ffff:10.1.0.255')!)
})

test('calls from other IP addresses use up no rate limit: a stolen secret cannot stop its owner', async (t) => {
  const settings = { trustedProxies: '127.0.0.1', clientRatePerSecond: 5 }
  const service = await startTestService(t, await open(t), { settings })
  const only = await clientOf(service, { allowedIps: '10.1.0.0/16' })
  const from = (address: string) => service.post(simSwap, number, { ...only, 'x-forwarded-for': address })
  for (let call = 0; call < 8; call++) assert.equal((await from('10.2.0.1')).status, 403)
  assert.equal((await from('10.1.0.1')).status, 200)
})

test('a client ends at its time, at once', async (t) => {
  const service = await startTestService(t, await open(t))
  const only = await clientOf(service, { expiresAt: service.clock.now() + 1000 })
  assert.equal((await service.post(simSwap, number, { ...only })).status, 200)
  service.clock.advance({ ms: 999 })
  assert.equal((await service.post(simSwap, number, { ...only })).status, 200)
  service.clock.advance({ ms: 1 })
  const { status, body } = await service.post(simSwap, number, { ...only })
  assert.deepEqual([status, body.errorCode, body.message], [401, '70014', 'Client credentials have expired'])
  assert.equal((await service.post(simSwap, number)).status, 200, 'a client without restrictions keeps everything')
})

eachDatabase(({ engine, open }) => {
  test(`changed restrictions hold at once here, within a second on other servers, and for rotated secrets (${engine})`, async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const { clock, parts: needs } = service
    const log = pino({ level: 'silent' })
    const elsewhere = new Credentials({ database, keyring: await openKeyring(database, needs.settings), clock, log })
    const first = await clientOf(service, {})
    const scopesOf = async (where: typeof elsewhere, { clientId, clientSecret }: typeof first) =>
      (await where.verify(clientId, clientSecret)).restrictions?.scopes
    assert.deepEqual([await scopesOf(elsewhere, first), await scopesOf(needs.clients, first)], [undefined, undefined])
    await needs.clients.restrict(first.clientId, { ...free, scopes: 'labels' })
    assert.deepEqual(await scopesOf(needs.clients, first), new Set(['labels']))
    clock.advance({ ms: 1001 })
    assert.deepEqual(await scopesOf(elsewhere, first), new Set(['labels']))
    const second = await elsewhere.rotate(first.clientId)
    assert.deepEqual(await scopesOf(elsewhere, second), new Set(['labels']))
    await elsewhere.restrict(first.clientId, free)
    assert.deepEqual(await scopesOf(elsewhere, second), undefined)
    await elsewhere.revoke(first.clientId)
    await assert.rejects(elsewhere.restrict(first.clientId, free), /is revoked/)
  })
})
