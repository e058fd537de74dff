import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AdminEndpoint,
  adminEndpoints,
  consoleCookie,
  type Endpoint,
  endpoints,
  pathWith,
} from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService, type TestAnswer, type TestService } from '../testing/test-service.ts'
import { csrfTokenOf } from './people/sessions.ts'
import { auditLinesAfter } from './store/audit-lines.ts'
import { adminClient } from './testing.ts'
import { adminPerson, sessionOfPerson } from './testing-person.ts'

const shared = Object.entries<AdminEndpoint>(adminEndpoints).filter(([, { caller }]) => caller === 'client')
const list = { name: 'mules', kind: 'phoneNumber', purpose: 'block' }
const value = '917020141726'
const entries = [{ value, note: 'called by Asha' }]

async function sessionHeaders(service: TestService, role: string, tenantId?: string) {
  const token = await sessionOfPerson(service, role, tenantId)
  return { cookie: `${consoleCookie}=${token}`, 'x-ringfence-csrf': csrfTokenOf(token) }
}

/** As it is sent, without the credentials of a client. */
async function send({ url }: TestService, { path, method }: Endpoint | AdminEndpoint, headers: object, body: object) {
  const sent = { 'content-type': 'application/json', ...headers } as Record<string, string>
  const response = await fetch(url + pathWith(path, 'x'), {
    method,
    headers: sent,
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as TestAnswer['body'] }
}

const linesOf = async ({ parts, tenantId }: TestService) =>
  auditLinesAfter(parts.database, { tenantId, after: 0, limit: 100 })

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('a person calls endpoints of clients in the own name, once for each key, with an audit line'), async (t) => {
    const service = await startTestService(t, await open(t))
    const maya = await adminPerson(service, 'analyst')
    const key = { 'idempotency-key': 'one' }
    const created = await maya('createList', { ...list, by: 'somebody else' }, key)
    assert.equal(created.status, 200)
    assert.deepEqual((await maya('createList', { ...list, by: 'another one' }, key)).body, created.body)
    assert.equal((await maya('createList', list)).body.type, '/problems/list-exists')
    assert.equal((await maya('addListEntries', { name: 'mules', entries, by: 'somebody else' })).status, 200)
    const page = await maya('readList', { name: 'mules' })
    assert.deepEqual([page.body.entries[0].value, page.body.entries[0].by], [value, 'Maya'])
    const lines = await linesOf(service)
    assert.deepEqual(
      lines.map(({ action, actor }) => [action, actor.startsWith('person:')]),
      [
        ['createList', true],
        ['addListEntries', true],
      ],
    )
    assert.doesNotMatch(
      JSON.stringify((await (await adminPerson(service, 'owner'))('listAudit')).body),
      /somebody else/,
    )
  })

  test(
    it('without permission, CSRF token or the same origin, a person is refused in the format of the endpoint'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const owner = await sessionHeaders(service, 'owner')
      const reader = await sessionHeaders(service, 'viewer')
      const { cookie } = owner
      assert.ok(shared.length > 0)
      for (const [name, endpoint] of shared) {
        const refusedAs = async (headers: object, status: number, errorCode: string) => {
          const answer = await send(service, endpoint, headers, list)
          assert.deepEqual([answer.status, answer.body.errorCode], [status, errorCode], name)
          const { body } = endpoint.refusals[status]!
          assert.deepEqual([...Value.Errors(body as TSchema, answer.body)], [], name)
          assert.match(answer.headers.get('content-type')!, /^application\/json/)
        }
        if (endpoint.effect === 'write') await refusedAs(reader, 403, '70103')
        await refusedAs({ cookie }, 403, '70104')
        await refusedAs({ ...owner, 'x-ringfence-csrf': 'A'.repeat(43) }, 403, '70104')
        await refusedAs({ ...owner, origin: 'https://evil.example' }, 403, '70104')
        await refusedAs({ ...owner, 'sec-fetch-site': 'cross-site' }, 403, '70104')
        await refusedAs({ ...owner, 'sec-fetch-site': 'same-site' }, 403, '70104')
        await refusedAs({ cookie: `${consoleCookie}=unknown`, 'x-ringfence-csrf': 'A' }, 401, '70101')
        await refusedAs({ cookie: `${consoleCookie}=` }, 401, '70001')
      }
      assert.deepEqual((await send(service, endpoints.describeLists, owner, {})).body, { lists: [] }, 'nothing changed')
      const refused = (await linesOf(service)).filter(({ action }) => action === 'refused')
      assert.ok(refused.length > 0, 'who is known has a line')
    },
  )

  test(it('a role without personal data gets masked answers, and a client gets them as they are'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { maskedSearchesPerDay: 2 } })
    const ana = await adminPerson(service, 'analyst')
    await ana('createList', list)
    await ana('addListEntries', { name: 'mules', entries })
    const viewer = await adminPerson(service, 'viewer')
    const masked = JSON.stringify((await viewer('readList', { name: 'mules' })).body)
    assert.doesNotMatch(masked, /917020141726|Asha/)
    const found = await viewer('lookUpList', { name: 'mules', value })
    assert.deepEqual([found.status, found.body.inList], [200, true])
    assert.doesNotMatch(JSON.stringify(found.body), /917020141726|Asha/)
    assert.equal((await viewer('lookUpList', { name: 'mules', value: '917020141727' })).status, 200)
    const third = await viewer('lookUpList', { name: 'mules', value: '917020141728' })
    assert.deepEqual([third.status, third.body.type], [429, '/problems/searches-used-up'])
    const { body } = await service.post(endpoints.readList.path, { name: 'mules' })
    assert.deepEqual([body.entries[0].value, body.entries[0].note], [value, 'called by Asha'])
    assert.equal((await service.post(endpoints.lookUpList.path, { name: 'mules', value: '917020141728' })).status, 200)
  })

  test(it('a client with the scope calls as a backend; one with a role alone calls in its role'), async (t) => {
    const service = await startTestService(t, await open(t))
    await service.post(endpoints.createList.path, list)
    await service.post(endpoints.addListEntries.path, { name: 'mules', entries, by: 'nightly job' })
    const { body } = await service.post(endpoints.readList.path, { name: 'mules' })
    assert.equal(body.entries[0].by, 'nightly job')
    assert.deepEqual(await linesOf(service), [], 'a backend has no audit lines')
    const viewer = await adminClient(service, 'viewer')
    assert.doesNotMatch(JSON.stringify((await viewer('readList', { name: 'mules' })).body), /917020141726|Asha/)
    const refused = await viewer('deleteList', { name: 'mules' })
    assert.deepEqual([refused.status, refused.body.type], [403, '/problems/permission-missing'])
    const analyst = await adminClient(service, 'analyst')
    assert.equal((await analyst('removeListEntries', { name: 'mules', values: [value] })).status, 200)
    assert.deepEqual(
      (await linesOf(service)).map(({ action }) => action),
      ['refused', 'removeListEntries'],
    )
    for (const scopes of ['admin', 'telecom'])
      assert.equal((await (await adminClient(service, null, { scopes }))('describeLists')).status, 403, scopes)
    const noAdmin = await adminClient(service, 'owner', { scopes: 'telecom' })
    assert.equal((await noAdmin('describeLists')).body.type, '/problems/client-restricted')
    const byScope = await adminClient(service, 'viewer', { scopes: 'admin lists' })
    assert.match(JSON.stringify((await byScope('deleteList', { name: 'mules' })).body), /"deleted":true/)
  })

  test(
    it('a cookie beside credentials of a client counts for nothing, and at no other endpoint of clients'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const owner = await sessionHeaders(service, 'owner')
      const { credentials } = service
      for (const sent of [
        { clientId: credentials.clientId },
        { clientSecret: credentials.clientSecret },
        { clientId: '' },
      ])
        assert.equal((await send(service, endpoints.describeLists, { ...owner, ...sent }, {})).body.errorCode, '70001')
      const wrong = { ...credentials, clientSecret: `${credentials.clientSecret}x` }
      assert.equal((await send(service, endpoints.describeLists, { ...owner, ...wrong }, {})).body.errorCode, '70002')
      assert.equal((await send(service, endpoints.createList, { ...owner, ...credentials }, list)).status, 200)
      assert.deepEqual(await linesOf(service), [], 'the client has called')
      const ofClients = Object.entries<Endpoint>(endpoints).filter(([, each]) => each.caller === 'client')
      for (const [name, endpoint] of ofClients.filter(([, each]) => !('permission' in each)))
        assert.equal((await send(service, endpoint, owner, {})).status, 401, name)
    },
  )

  test(it('a person reaches the lists of a tenant in which they have a role, and no others'), async (t) => {
    const service = await startTestService(t, await open(t))
    await service.post(endpoints.createList.path, list)
    const { id } = await service.parts.tenantKeyring.createTenant('other')
    const foreign = await sessionHeaders(service, 'owner', id)
    assert.deepEqual((await send(service, endpoints.describeLists, foreign, {})).body, { lists: [] })
    assert.equal((await send(service, endpoints.readList, foreign, { name: 'mules' })).status, 404)
    const named = { ...foreign, 'x-ringfence-tenant': service.tenantId }
    const refused = await send(service, endpoints.describeLists, named, {})
    assert.deepEqual([refused.status, refused.body.errorCode], [404, '70105'])
  })
})
