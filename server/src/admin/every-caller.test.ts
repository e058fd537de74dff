// Does every endpoint of the admin API let in exactly who may? Each role in a session, each way to forge a request, each foreign tenant.
// The cases come from the contract, so a new endpoint is among them.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type AdminEndpoint, type AdminEndpointName, adminEndpoints, pathFields, roles } from '@ringfence/contract'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService, type TestAnswer, type TestService } from '../testing/test-service.ts'
import { browserOf, join } from './people/testing.ts'
import { adminClient } from './testing.ts'
import { adminPerson } from './testing-person.ts'

const all = Object.entries<AdminEndpoint>(adminEndpoints) as [AdminEndpointName, AdminEndpoint][]
const forActors = all.filter(([, { permission }]) => permission !== 'anyone')
const unlimited = { appRateBurst: 100_000, clientRatePerSecond: 10_000, overloadDelayMs: 60_000 } as const

/** Values that no record has. */
const unknown = (path: string): Record<string, string> =>
  Object.fromEntries(pathFields(path).map((field) => [field, field.endsWith('Id') ? randomUUID() : 'nothing']))

const problemOf = ({ status, body }: TestAnswer) => `${status} ${String(body?.type ?? '').replace('/problems/', '')}`

const personOf = (service: TestService, role: string) =>
  join(service, role, { name: `P ${role}`, email: `${role}@who.example`, password: 'correct horse battery staple' })

/** The roles that every tenant has, and one that it made. */
const ownRole = { name: 'fraud-lead', permissions: ['decisions.read', 'lists.write', 'people.read', 'people.write'] }
const everyRole: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(roles).map(([name, { permissions }]): [string, readonly string[]] => [name, permissions]),
  [ownRole.name, ownRole.permissions],
])

/** An id that no record has. */
const uuidv7 = '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e'
/** Differs from answer to answer. */
const unequal = { requestId: 0, id: 0 }

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(
    it('a person may call what the role allows, and nothing else; forged calls are refused whatever the role'),
    async (t) => {
      const service = await startTestService(t, await open(t), { settings: unlimited })
      await (await adminPerson(service, 'owner'))('createRole', ownRole)
      for (const [role, permissions] of everyRole) {
        const { browser } = await personOf(service, role)
        const keepsSession = forActors.filter(([name]) => name !== 'endSession')
        for (const [name, { path, method, permission }] of keepsSession) {
          const call = (headers: Record<string, string> = {}) => browser.call(name, unknown(path), headers)
          const allowed = permission === 'signedIn' || permissions.includes(permission)
          const answer = await call()
          assert.equal(
            problemOf(answer) === '403 permission-missing',
            !allowed,
            `${role}: ${name} ${problemOf(answer)}`,
          )
          assert.ok(answer.status !== 401 && answer.status < 500, `${role}: ${name} ${problemOf(answer)}`)
          const forged: Record<string, string>[] = [
            { 'sec-fetch-site': 'cross-site' },
            { origin: 'https://evil.example' },
          ]
          if (method === 'POST') forged.push({ 'x-ringfence-csrf': '' }, { 'x-ringfence-csrf': 'A'.repeat(43) })
          for (const headers of forged)
            assert.equal(
              problemOf(await call(headers)),
              '403 request-forged',
              `${role}: ${name} ${JSON.stringify(headers)}`,
            )
        }
      }
    },
  )

  test(
    it('without a session, with one that has ended, and for a tenant of somebody else, nothing is answered'),
    async (t) => {
      const service = await startTestService(t, await open(t), { settings: unlimited })
      const { browser } = await personOf(service, 'owner')
      const other = await service.parts.tenantKeyring.createTenant('other')
      const stranger = browserOf(service)
      for (const [name, { path, caller }] of forActors) {
        const fields = unknown(path)
        const problem = caller === 'client' ? 'credentials-missing' : 'not-signed-in'
        assert.equal(problemOf(await stranger.call(name, fields)), `401 ${problem}`, name)
        const foreign = await browser.call(name, fields, { 'x-ringfence-tenant': other.id })
        assert.equal(problemOf(foreign), '404 tenant-unknown', name)
      }
      service.clock.advance({ hours: 13 })
      for (const [name, { path }] of forActors)
        assert.equal(problemOf(await browser.call(name, unknown(path))), '401 not-signed-in', name)
    },
  )

  test(it('an id of another tenant is answered like one that nobody has'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: unlimited })
    const { browser, personId } = await personOf(service, 'owner')
    const { body } = await service.post('/v1/decisions', { action: 'LOGIN', phoneNumber: '917020141726' })
    await browser.call('createList', { name: 'mules', kind: 'phoneNumber', purpose: 'block' })
    await browser.call('createRole', { ...ownRole, name: 'mules' })
    const [session] = (await browser.call('listSessions')).body.sessions as { sessionId: string }[]
    const { body: app } = await browser.call('createApp', { name: 'web', origins: ['https://shop.example'] })
    const { body: client } = await browser.call('createClient', { name: 'checkout', scopes: ['lists'] })
    const { body: invited } = await browser.call('invite', { role: 'viewer' })
    const { body: webhook } = await browser.call('addWebhook', { url: 'https://hooks.shop.example', types: ['*'] })
    const owned: Record<string, string> = {
      decisionId: body.decisionId,
      name: 'mules',
      personId,
      sessionId: session!.sessionId,
      appId: app.appId,
      clientId: client.clientId,
      invitationId: invited.invitation.invitationId,
      webhookId: webhook.webhookId,
    }
    for (const [field, id] of Object.entries(owned)) assert.equal(typeof id, 'string', field)
    const { id: tenantId } = await service.parts.tenantKeyring.createTenant('other')
    const foreign = await adminClient(service, 'owner', { tenantId })
    const known = all.filter(([, { path }]) => pathFields(path).some((field) => field in owned))
    assert.ok(known.length >= 5)
    for (const [name, { path, ifMatch }] of known) {
      const headers: Record<string, string> = ifMatch ? { 'if-match': '*' } : {}
      const answerFor = async (ids: Record<string, string>) => {
        const { status, body: answer } = await foreign(name, { ...unknown(path), ...ids }, headers)
        return { status, ...answer, requestId: undefined }
      }
      const ofTheirs = Object.fromEntries(
        pathFields(path).flatMap((f) => (owned[f] === undefined ? [] : [[f, owned[f]]])),
      )
      const ofNobody = Object.fromEntries(Object.keys(ofTheirs).map((f) => [f, f === 'name' ? 'nobody' : randomUUID()]))
      assert.deepEqual(await answerFor(ofTheirs), await answerFor(ofNobody), name)
    }
    assert.equal((await browser.call('me')).status, 200)
  })

  test(it('an id of another tenant in a body is answered like one that nobody has, and changes nothing'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: unlimited })
    const owner = await adminClient(service, 'owner')
    const userId = 'u-1001'
    const { decisionId } = (await service.post('/v1/decisions', { action: 'LOGIN', userId })).body
    await owner('createList', { name: 'mules', kind: 'phoneNumber', purpose: 'block' })
    await owner('addListEntries', { name: 'mules', entries: [{ value: '917020141726' }] })
    await owner('saveRuleDraft', { rules: [], velocities: [] })
    const [event] = (await owner('searchEvents', { userId })).body.events as { id: string }[]
    const { id: tenantId } = await service.parts.tenantKeyring.createTenant('other')
    const foreign = await adminClient(service, 'owner', { tenantId })
    const reason = 'Ticket 4711'
    type Ids = { decisionId: string; eventId: string; userId: string; name: string; version: number }
    const theirs: Ids = { decisionId, eventId: event!.id, userId, name: 'mules', version: 1 }
    const nobodys: Ids = { ...{ decisionId: uuidv7, eventId: uuidv7, userId: 'u-none', name: 'nobody' }, version: 999 }
    const bodies: Partial<Record<AdminEndpointName, ((ids: Ids) => object)[]>> = {
      label: [(ids) => ({ labels: [{ decisionId: ids.decisionId, outcome: 'fraud' }] })],
      reveal: [
        (ids) => ({ kind: 'decision', id: ids.decisionId, reason }),
        (ids) => ({ kind: 'event', id: ids.eventId, reason }),
        (ids) => ({ kind: 'user', id: ids.userId, reason }),
      ],
      searchEvents: [(ids) => ({ userId: ids.userId })],
      readUser: [(ids) => ({ userId: ids.userId })],
      listUserDevices: [(ids) => ({ userId: ids.userId })],
      deleteUserDevices: [(ids) => ({ userId: ids.userId })],
      lookUpList: [(ids) => ({ name: ids.name, value: '917020141726' })],
      addListEntries: [(ids) => ({ name: ids.name, entries: [{ value: '917020141727' }] })],
      removeListEntries: [(ids) => ({ name: ids.name, values: ['917020141726'] })],
      previewListImport: [(ids) => ({ name: ids.name, lines: '917020141728' })],
      deleteList: [(ids) => ({ name: ids.name })],
      discardRuleDraft: [(ids) => ({ version: ids.version })],
      startRuleShadow: [(ids) => ({ version: ids.version })],
      previewPublication: [(ids) => ({ version: ids.version })],
      requestPublication: [(ids) => ({ version: ids.version })],
      startBacktest: [(ids) => ({ version: ids.version })],
    }
    for (const [name, cases] of Object.entries(bodies) as [AdminEndpointName, ((ids: Ids) => object)[]][]) {
      const { ifMatch } = adminEndpoints[name] as AdminEndpoint
      for (const bodyOf of cases) {
        const answerFor = async (ids: Ids) => {
          const { status, body: answer } = await foreign(name, bodyOf(ids), ifMatch ? { 'if-match': '*' } : {})
          let text = JSON.stringify({ status, ...answer, ...unequal })
          for (const [field, id] of Object.entries(ids)) text = text.replaceAll(String(id), field)
          return text
        }
        assert.equal(await answerFor(theirs), await answerFor(nobodys), name)
      }
    }
    const { entries } = (await owner('readList', { name: 'mules' })).body
    assert.deepEqual(
      entries.map(({ value }: { value: string }) => value),
      ['917020141726'],
    )
    assert.deepEqual((await owner('readDecision', { decisionId })).body.labels, [])
    assert.ok((await owner('searchEvents', { userId })).body.events.length > 0)
  })

  test(it('a body that is no object is no failure of the service, also where no field is needed'), async (t) => {
    const { url, parts: needs, tenantId } = await startTestService(t, await open(t), { settings: unlimited })
    const restrictions = { scopes: 'admin', allowedIps: null, expiresAt: null, role: 'owner' as const }
    const { clientId, clientSecret } = await needs.clients.createClient(tenantId, 'admin', restrictions)
    const headers = { clientId, clientSecret, 'content-type': 'application/json' }
    for (const [name, { path, method }] of all.filter(([, each]) => each.method === 'POST')) {
      for (const body of ['[]', '"x"', 'null', '0']) {
        const answer = await fetch(url + path.replaceAll(/\{\w+\}/g, 'x'), { method, headers, body })
        assert.ok(answer.status < 500, `${name} ${body}: ${answer.status}`)
      }
    }
  })
})
