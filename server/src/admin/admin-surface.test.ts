import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  type AdminEndpoint,
  type AdminEndpointName,
  adminEndpoints,
  failures,
  Problem,
  permissionNames,
  roleNames,
  roles,
} from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { surface } from '../features.ts'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { adminClient, callAdmin } from './testing.ts'

const all = Object.entries<AdminEndpoint>(adminEndpoints) as [AdminEndpointName, AdminEndpoint][]
const ofActors = all.filter(([, { permission }]) => permission !== 'anyone')
const { open } = sqliteDatabases

/** Fields with which each path exists; a record with these ids does not. */
const ids = {
  deviceId: randomUUID(),
  decisionId: randomUUID(),
  dfrId: '0'.repeat(32),
  name: 'nothing',
  version: '77',
  webhookId: 'whk_nothing',
  sessionId: 'nothing',
  appId: 'rfa_nothing',
  clientId: 'rfc_nothing',
  personId: randomUUID(),
  invitationId: 'nothing',
}

const fieldsOf = (path: string) =>
  Object.fromEntries(Object.entries(ids).filter(([field]) => path.includes(`{${field}}`)))

test('every endpoint of the admin API has a row with its path and permission, and every permission an endpoint', () => {
  const declared = all.map(([, { method, path, permission }]) => [method, path, permission])
  assert.deepEqual(
    surface
      .flatMap(({ method, path, ...row }) =>
        'admission' in row && row.admission !== undefined ? [[method, path, row.admission]] : [],
      )
      .toSorted(),
    declared.toSorted(),
  )
  // What it allows is in each answer (masking/mask-answer.ts).
  const used = new Set([...all.map(([, { permission }]) => permission), 'personalData.read'])
  assert.deepEqual(
    permissionNames.filter((name) => !used.has(name)),
    [],
  )
})

test('a problem that an endpoint names is a failure with its status', () => {
  for (const [name, { refusals }] of all) {
    for (const [status, { samples }] of Object.entries(refusals)) {
      if (status === '500') continue
      for (const sample of samples) {
        const failure = sample.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
        assert.equal(Reflect.get(failures, failure)?.status, Number(status), `${name}: ${sample}`)
      }
    }
  }
})

test('each role may call exactly the endpoints of its permissions', async (t) => {
  const service = await startTestService(t, await open(t))
  for (const role of roleNames) {
    const call = await adminClient(service, role)
    for (const [name, { path, permission }] of ofActors) {
      const { status, body } = await call(name, fieldsOf(path))
      const allowed = permission === 'signedIn' || (roles[role].permissions as readonly string[]).includes(permission)
      assert.equal(
        status === 403 && body.type !== '/problems/person-required',
        !allowed,
        `${role}: ${name} ${status} ${JSON.stringify(body)}`,
      )
      assert.ok(status !== 401 && status < 500, `${role}: ${name} ${status}`)
      if (allowed) continue
      assert.deepEqual(
        [body.type, body.detail],
        ['/problems/permission-missing', `Your role does not allow this: ${role} lacks ${permission}`],
      )
    }
  }
})

test('a stranger, a wrong secret, a client without a role and one without the scope get a problem and nothing else', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { appRateBurst: 1000 } })
  const { url } = service
  const withoutRole = await adminClient(service, null, { scopes: null })
  const withoutScope = await adminClient(service, 'owner', { scopes: 'telecom' })
  const expected = [
    [(name: AdminEndpointName, fields: object) => callAdmin(url, name, fields), 401, 'not-signed-in'],
    [
      (name: AdminEndpointName, fields: object) =>
        callAdmin(url, name, fields, { clientId: service.credentials.clientId, clientSecret: 'rfs_wrong' }),
      401,
      'credentials-invalid',
    ],
    [withoutRole, 403, 'client-restricted'],
    [withoutScope, 403, 'client-restricted'],
  ] as const
  for (const [name, { path }] of ofActors.filter(([, { caller }]) => caller === 'admin')) {
    for (const [call, status, problem] of expected) {
      const answer = await call(name, fieldsOf(path))
      assert.deepEqual([answer.status, answer.body.type], [status, `/problems/${problem}`], name)
      assert.deepEqual([...Value.Errors(Problem, answer.body)], [])
      assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
      assert.equal(answer.body.requestId, answer.headers.get('x-request-id'))
    }
    service.clock.advance({ seconds: 120 })
  }
})

eachDatabase(({ engine, open: openEngine }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('every read answers in the shape of the contract'), async (t) => {
    const service = await startTestService(t, await openEngine(t))
    const call = await adminClient(service, 'owner')
    await call('createList', { name: 'mules', kind: 'phoneNumber', purpose: 'block' })
    const decided = await service.post('/v1/decisions', { action: 'LOGIN', phoneNumber: '917020141726' })
    const fields = { decisionId: decided.body.decisionId, name: 'mules', version: 'live' }
    for (const [name, sent] of [
      ['me', {}],
      ['readOverview', { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }],
      ['searchEvents', {}],
      ['readDecision', { decisionId: fields.decisionId }],
      ['listReviews', { limit: 5, state: 'open' }],
      ['listUserDevices', { userId: 'ana' }],
      ['listRuleVersions', {}],
      ['readRuleHistory', {}],
      ['readRules', { version: 'live' }],
      ['readRules', { version: '0' }],
      ['describeLists', {}],
      ['readList', { name: 'mules', limit: 10 }],
      ['lookUpList', { name: 'mules', value: '917020141726' }],
      ['listApps', {}],
      ['listClients', {}],
      ['listWebhooks', {}],
      ['readSystem', {}],
      ['listAudit', {}],
      ['exportAudit', {}],
      ['verifyAudit', {}],
      ['listPeople', {}],
      ['listInvitations', {}],
    ] as [AdminEndpointName, object][]) {
      const { status, body } = await call(name, sent)
      assert.equal(status, 200, `${name} ${JSON.stringify(body)}`)
      assert.deepEqual([...Value.Errors(adminEndpoints[name].answer as TSchema, body)], [], name)
    }
  })

  test(it('a limit that is not a number is refused, and so is a cursor of another search'), async (t) => {
    const service = await startTestService(t, await openEngine(t))
    const call = await adminClient(service, 'viewer')
    for (const [fields, detail] of [
      [{ limit: 'many' }, /limit/],
      [{ limit: '1e2' }, /limit/],
      [{ limit: 101 }, /limit/],
      [{ cursor: 'bm90aGluZw' }, /cursor/],
      [{ state: 'closed' }, /state/],
    ] as const) {
      const { status, body } = await call('listReviews', fields)
      assert.equal(status, 400, JSON.stringify(fields))
      assert.match(body.detail, detail)
    }
  })

  test(it('ids of another tenant are unknown'), async (t) => {
    const service = await startTestService(t, await openEngine(t))
    const other = await service.parts.tenantKeyring.createTenant('other')
    const [own, foreign] = [
      await adminClient(service, 'owner'),
      await adminClient(service, 'owner', { tenantId: other.id }),
    ]
    const decided = await service.post('/v1/decisions', { action: 'LOGIN', phoneNumber: '917020141726' })
    await own('createList', { name: 'mules', kind: 'phoneNumber', purpose: 'block' })
    const { decisionId } = decided.body
    assert.equal((await own('readDecision', { decisionId })).status, 200)
    assert.equal((await foreign('readDecision', { decisionId })).status, 404)
    assert.equal((await foreign('readList', { name: 'mules' })).status, 404)
    assert.deepEqual((await foreign('searchEvents')).body.events, [])
    assert.deepEqual((await foreign('label', { labels: [{ decisionId, outcome: 'fraud' }] })).body, {
      accepted: 0,
      unknown: [decisionId],
    })
    const clients = (await foreign('listClients')).body.clients as { name: string }[]
    assert.deepEqual(
      clients.map(({ name }) => name),
      ['admin'],
    )
  })
})
