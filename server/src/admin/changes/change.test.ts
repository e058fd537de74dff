import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type AdminEndpoint, adminEndpoints as e } from '@ringfence/contract'
import { handle } from '../../core/rows.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { httpServer } from '../../http/server.ts'
import { bind } from '../../http/surface.ts'
import type { Parts } from '../../parts.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { auditLinesAfter } from '../store/audit-lines.ts'
import { adminClient, callAdmin } from '../testing.ts'
import { answerVersion, refuseOtherVersion } from '../versions.ts'

const role = { name: 'mules', permissions: [] }
const list = { name: 'mules', kind: 'phoneNumber', purpose: 'block' }
const entries = [{ value: '917020141726' }]
const withKey = (key: string) => ({ 'idempotency-key': key })

const linesOf = async ({ parts: needs, tenantId }: TestService) =>
  (await auditLinesAfter(needs.database, { tenantId, after: 0, limit: 100 })).map(({ action }) => action)

/** A record with a version, as any endpoint with `ifMatch` has one: here the number of tenants and their name. */
async function startVersioned(t: TestContext, service: TestService, isCompared = true) {
  const { parts: needs, tenantId } = service
  const versionIn = async (tx: Queryable) => {
    const [row] = await tx.query<{ name: string }>('select name from tenant where id = $1', [tenantId])
    return row!.name
  }
  const definition = { ...e.createRole, ifMatch: true } as const satisfies AdminEndpoint
  const rename = handle(definition, ({ name }, call) =>
    needs.database.transaction(async (tx) => {
      if (isCompared) refuseOtherVersion(call, await versionIn(tx))
      await tx.query('update tenant set name = $2 where id = $1', [tenantId, name])
      answerVersion(call, name)
      return { ...role, name } as never
    }),
  )
  const read = handle(e.listRoles, async (_, call) => {
    answerVersion(call, await versionIn(needs.database))
    return { roles: [], permissions: [] }
  })
  const server = httpServer(needs, bind<Parts>([rename, read], needs))
  await server.listen({ host: '127.0.0.1', port: 0 })
  atEnd(t, () => server.close())
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('a change that is repeated with its Idempotency-Key has the same answer, and happens once'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'admin')
    const first = await call('createList', list, withKey('one'))
    assert.equal(first.status, 200)
    service.clock.advance({ hours: 23 })
    const again = await call('createList', list, withKey('one'))
    assert.deepEqual([again.status, again.body], [200, first.body])
    assert.deepEqual(await linesOf(service), ['createList'])
    assert.equal((await call('createList', list, withKey('two'))).status, 409)

    const reused = await call('createList', { ...list, name: 'other' }, withKey('one'))
    assert.deepEqual([reused.status, reused.body.type], [409, '/problems/idempotency-key-reused'])
    assert.equal(
      (await call('addListEntries', { name: 'mules', entries }, withKey('one'))).status,
      200,
      'its own endpoint',
    )
    const other = await adminClient(service, 'analyst')
    assert.equal((await other('createList', list, withKey('one'))).body.type, '/problems/list-exists', 'its own caller')
    assert.equal((await call('createList', list, withKey('?'))).status, 400)

    service.clock.advance({ hours: 1 })
    assert.equal((await call('createList', list, withKey('one'))).body.type, '/problems/list-exists', 'after a day')
  })

  test(it('a change that was refused can be tried again with its key'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'admin')
    const add = () => call('addListEntries', { name: 'mules', entries }, withKey('one'))
    assert.equal((await add()).status, 404)
    await call('createList', list)
    assert.equal((await add()).status, 200)
  })

  test(
    it('of one change that is sent several times at once, one happens and all have its answer or can ask again'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const call = await adminClient(service, 'admin')
      const answers = await Promise.all(Array.from({ length: 6 }, () => call('createList', list, withKey('one'))))
      const made = answers.filter(({ status }) => status === 200)
      assert.ok(made.length >= 1)
      for (const { status, body } of answers)
        assert.ok(status === 200 || ['list-exists', 'idempotency-key-in-use'].some((name) => body.type.endsWith(name)))
      assert.deepEqual(await linesOf(service), ['createList'])
      assert.equal((await call('createList', list, withKey('one'))).status, 200)
    },
  )

  test(it('when the server died before it stored the answer, the change does not happen again'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const call = await adminClient(service, 'admin')
    await call('createList', list)
    await call('removeListEntries', { name: 'mules', values: ['917020141726'] })
    await call('addListEntries', { name: 'mules', entries }, withKey('one'))
    await database.query('update admin_call set sealed = null')
    const before = await linesOf(service)
    const again = await call('addListEntries', { name: 'mules', entries }, withKey('one'))
    assert.deepEqual([again.status, again.body.type], [409, '/problems/idempotency-key-in-use'])
    assert.deepEqual(await linesOf(service), before)
  })

  test(
    it('a change needs the version that its caller has read; a stale one says the present version and loses nothing'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const url = await startVersioned(t, service)
      const { clientId, clientSecret } = await service.parts.clients.createClient(service.tenantId, 'admin', {
        ...{ scopes: 'admin', allowedIps: null, expiresAt: null, role: 'admin' },
      })
      const call = (name: 'createRole' | 'listRoles', fields: object, headers = {}) =>
        callAdmin(url, name, fields, { clientId, clientSecret, ...headers })
      const rename = (name: string, ifMatch?: string) =>
        call('createRole', { ...role, name }, ifMatch === undefined ? {} : { 'if-match': ifMatch })
      const etag = async () => (await call('listRoles', {})).headers.get('etag')

      assert.equal(await etag(), '"test"')
      const missing = await rename('a')
      assert.deepEqual([missing.status, missing.body.type], [428, '/problems/version-missing'])
      const first = await rename('a', '"test"')
      assert.deepEqual([first.status, first.headers.get('etag')], [200, '"a"'])

      const stale = await rename('b', '"test"')
      assert.deepEqual([stale.status, stale.body.type, stale.body.version], [412, '/problems/version-changed', 'a'])
      assert.equal(stale.headers.get('etag'), '"a"')
      assert.match(stale.body.detail, /present version is a, and nothing/)
      assert.equal(await etag(), '"a"')
      assert.equal((await rename('b', 'W/"a"')).status, 200, 'behind a proxy that compresses')
      assert.equal((await rename('c', '"a", "b"')).status, 200, 'one of several')
      assert.equal((await rename('d', '*')).status, 200)
      for (const malformed of ['d', '"', '""', '"d', '"a b"', Array(20).fill('"d"').join()])
        assert.equal((await rename('e', malformed)).status, 400, malformed)
      const lines = await linesOf(service)
      assert.deepEqual(lines, Array(4).fill('createRole'), 'refusals have no line')

      const both = await Promise.all(['x', 'y', 'z'].map((name) => rename(name, '"d"')))
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412, 412])
      const repeated = { 'idempotency-key': 'one', 'if-match': (await etag())! }
      const [once, twice] = [await call('createRole', role, repeated), await call('createRole', role, repeated)]
      assert.deepEqual([once.status, twice.status, twice.headers.get('etag')], [200, 200, '"mules"'])
    },
  )

  test(it('a handler that forgets to compare the version fails its tests'), async (t) => {
    const service = await startTestService(t, await open(t))
    const url = await startVersioned(t, service, false)
    const restrictions = { scopes: 'admin', allowedIps: null, expiresAt: null, role: 'admin' }
    const client = await service.parts.clients.createClient(service.tenantId, 'admin', restrictions)
    const { clientId, clientSecret } = client
    const answer = await callAdmin(url, 'createRole', role, { clientId, clientSecret, 'if-match': '"test"' })
    assert.equal(answer.status, 500)
  })
})
