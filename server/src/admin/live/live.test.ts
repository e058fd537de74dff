import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { consoleCookie } from '@ringfence/contract'
import type { NewEvent } from '../../core/event-recorder.ts'
import { openDatabase } from '../../core/storage/open-database.ts'
import { intercepted } from '../../decisions/testing.ts'
import { atEnd, type Ending } from '../../testing/at-end.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { personWith } from '../people/test-person.ts'
import { everyMs } from './live-feed.ts'
import { mostStreamsOfActor, mostStreamsOfTenant } from './live-streams.ts'

interface Message {
  readonly id: string
  readonly type: string
  readonly data: { readonly tokenId?: string; readonly action?: string }
}

/** A client with a role, and streams in its name. */
async function watcher({ parts: needs, tenantId }: TestService, role: 'viewer' | 'analyst' = 'viewer') {
  const restrictions = { scopes: 'admin', allowedIps: null, expiresAt: null, role }
  const credentials = { ...(await needs.clients.createClient(tenantId, 'watcher', restrictions)) }
  return (t: Ending, { url }: TestService, query = '', headers = {}) =>
    openStream(t, `${url}/admin/v1/events/live${query}`, { ...credentials, ...headers })
}

async function openStream(t: Ending, url: string, headers: Record<string, string>) {
  const aborting = new AbortController()
  const response = await fetch(url, { headers, signal: aborting.signal })
  atEnd(t, async () => aborting.abort())
  const reader = response.status === 200 ? response.body!.getReader() : undefined
  const decoder = new TextDecoder()
  let text = ''
  const messages: Message[] = []
  /** False when the stream has ended. */
  async function more(): Promise<boolean> {
    const { done, value } = await reader!.read()
    if (done) return false
    text += decoder.decode(value, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const id = lines.find((line) => line.startsWith('id: '))?.slice(4)
      if (id === undefined) continue
      const data = JSON.parse(lines.find((line) => line.startsWith('data: '))!.slice(6))
      assert.equal(data.id, id)
      messages.push(data)
    }
    return true
  }
  if (reader) await more()
  return {
    response,
    /** The next messages, in their order. */
    async next(count: number): Promise<Message[]> {
      while (messages.length < count) assert.ok(await more(), `ended after ${messages.length} of ${count}`)
      return messages.splice(0, count)
    },
    /** Resolves when the service ends the stream. */
    async ended(): Promise<void> {
      while (await more());
    },
    leave: () => aborting.abort(),
  }
}

const revoked = (tokenId: string): NewEvent => ({ type: 'token.revoked', data: { tokenId }, orderedBy: tokenId })
const decided = (action: 'ALLOW' | 'BLOCK'): NewEvent => ({
  type: 'decision.created',
  data: { decisionId: 'd', action, score: 1, verdict: 'Allowed: no rule fired.', reasons: [], rules: [] },
  orderedBy: 'decision d',
  outcome: action,
})

async function happen({ parts: needs, tenantId }: TestService, ...events: NewEvent[]): Promise<void> {
  for (const event of events) await needs.database.batch(await needs.events.statements(tenantId, [event]))
}

/** Servers of the first one's tenant, which share a store. */
async function servers(t: Ending, at: string): Promise<[TestService, TestService]> {
  const settings = { masterKey: randomBytes(32).toString('base64') }
  const started: TestService[] = []
  for (let server = 0; server < 2; server++) {
    const database = await openDatabase(at)
    atEnd(t, () => database.close())
    started.push(await startTestService(t, database, { settings }))
  }
  const [first, second] = started as [TestService, TestService]
  return [first, { ...second, tenantId: first.tenantId }]
}

const tokens = (messages: readonly Message[]) => messages.map(({ data }) => data.tokenId)

eachDatabase(({ engine, open, place }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('sends what happens on every server, and to each stream what it filters by'), async (t) => {
    const [first, second] = await servers(t, await place(t))
    const watch = await watcher(first)
    await happen(first, revoked('before'))
    const [all, blocks] = [await watch(t, first), await watch(t, second, '?types=decision.*&outcome=BLOCK')]
    assert.equal(all.response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    await happen(first, revoked('t1'), decided('ALLOW'))
    await happen(second, revoked('t2'), decided('BLOCK'))
    assert.deepEqual(new Set(tokens(await all.next(4))), new Set(['t1', 't2', undefined]))
    assert.deepEqual((await blocks.next(1))[0]!.data.action, 'BLOCK')
  })

  test(it('resumes on another server after the last event that the caller has'), async (t) => {
    const [first, second] = await servers(t, await place(t))
    const watch = await watcher(first)
    const stream = await watch(t, first)
    await happen(first, revoked('t1'))
    const [last] = await stream.next(1)
    stream.leave()
    const missed = Array.from({ length: 450 }, (_, i) => `missed ${i}`)
    for (const { clock } of [first, second]) clock.advance({ seconds: 600 })
    await happen(first, ...missed.map(revoked))
    const resumed = await watch(t, second, '', { 'last-event-id': last!.id })
    assert.deepEqual(tokens(await resumed.next(450)), missed)
    await happen(first, revoked('t2'))
    assert.deepEqual(tokens(await resumed.next(1)), ['t2'])
  })

  test(it('sends an event that was committed after others with a later id, and each one once'), async (t) => {
    const service = await startTestService(t, await open(t))
    const stream = await (await watcher(service))(t, service)
    const { parts: needs, tenantId, clock } = service
    const late = await needs.events.statements(tenantId, [revoked('late')])
    clock.advance({ seconds: 2 })
    await happen(service, revoked('t1'))
    assert.deepEqual(tokens(await stream.next(1)), ['t1'])
    await needs.database.batch(late)
    assert.deepEqual(tokens(await stream.next(1)), ['late'])
    await happen(service, revoked('t2'))
    assert.deepEqual(tokens(await stream.next(1)), ['t2'])
  })

  test(it('who leaves while a stream begins takes no place'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { token } = await personWith(service, 'viewer', 'Vera')
    const [cookie, { hostname, port }] = [`${consoleCookie}=${token}`, new URL(service.url)]
    for (let times = 0; times < 3 * mostStreamsOfActor; times++) {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(`GET /admin/v1/events/live HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\n\r\n`)
      socket.destroy()
      await wait(10) // the request must arrive before the end of its connection is noticed
    }
    const reopened = async () =>
      (await openStream(t, `${service.url}/admin/v1/events/live`, { cookie })).response.status
    await until(async () => (await reopened()) === 200)
  })

  test(it('masks personal data for a role that may not see them'), async (t) => {
    const service = await startTestService(t, await open(t))
    const seen = async (role: 'analyst' | 'viewer') => {
      const stream = await (await watcher(service, role))(t, service)
      const event = decided('BLOCK')
      await happen(service, { ...event, data: { ...event.data, phoneNumber: '917020141726' } } as NewEvent)
      const [message] = await stream.next(1)
      return (message!.data as { phoneNumber?: string }).phoneNumber
    }
    assert.equal(await seen('analyst'), '917020141726')
    assert.equal(await seen('viewer'), '********1726')
  })

  test(it('shows nothing of another tenant, and ends when the client is revoked'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const other = await needs.tenantKeyring.createTenant('other')
    const restrictions = { scopes: 'admin', allowedIps: null, expiresAt: null, role: 'viewer' as const }
    const client = await needs.clients.createClient(tenantId, 'watcher', restrictions)
    const stream = await openStream(t, `${service.url}/admin/v1/events/live`, { ...client })
    await happen({ ...service, tenantId: other.id }, revoked('foreign'))
    await happen(service, revoked('own'))
    assert.deepEqual(tokens(await stream.next(1)), ['own'])
    await needs.clients.revoke(client.clientId)
    service.clock.advance({ seconds: 2 })
    await stream.ended()
  })
})

test('a caller has a bounded number of streams, and another one when one has ended', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const watch = await watcher(service)
  const streams = []
  for (let i = 0; i < mostStreamsOfActor; i++) streams.push(await watch(t, service))
  const refused = await watch(t, service)
  assert.equal(refused.response.status, 429)
  assert.ok(Number(refused.response.headers.get('retry-after')) > 0)
  const other = await (await watcher(service))(t, service)
  assert.equal(other.response.status, 200)
  streams[0]!.leave()
  while ((await watch(t, service)).response.status !== 200);
})

test('a tenant has a bounded number of streams, and the others still watch', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const streams = []
  for (let i = 0; i < mostStreamsOfTenant; i += mostStreamsOfActor) {
    const watch = await watcher(service)
    for (let tab = 0; tab < mostStreamsOfActor; tab++) streams.push(await watch(t, service))
  }
  assert.deepEqual(new Set(streams.map(({ response }) => response.status)), new Set([200]))
  const another = await watcher(service)
  assert.equal((await another(t, service)).response.status, 429)
  const other = await service.parts.tenantKeyring.createTenant('other')
  const foreign = await watcher({ ...service, tenantId: other.id })
  assert.equal((await foreign(t, service)).response.status, 200)
  streams[0]!.leave()
  while ((await another(t, service)).response.status !== 200);
})

test('a stream that is open misses nothing, however slowly the store answered', async (t) => {
  let isSlow = true
  const database = intercepted(await sqliteDatabases.open(t), {
    async query(sql) {
      if (isSlow && sql.startsWith('select id from event')) await wait(300)
    },
  })
  const service = await startTestService(t, database)
  const stream = await (await watcher(service))(t, service)
  isSlow = false
  await happen(service, revoked('t1'))
  assert.deepEqual(tokens(await stream.next(1)), ['t1'])
})

test('watchers of a tenant share one query, and there is none when nobody watches', async (t) => {
  let queries = 0
  const database = intercepted(await sqliteDatabases.open(t), {
    query(sql) {
      if (sql.startsWith('select id from event')) queries++
    },
  })
  const service = await startTestService(t, database)
  const {
    admin: { liveStreams },
  } = service.parts
  const watch = await watcher(service)
  const looks = holdTimers(t, everyMs)
  const streams = [await watch(t, service), await watch(t, service), await watch(t, service)]
  const [before, seconds] = [queries, 3]
  for (let second = 1; second <= seconds; second++) {
    await happen(service, revoked(`t${second}`))
    await until(() => looks.waiting() === 1)
    looks.fire()
    for (const stream of streams) await stream.next(1)
  }
  assert.equal(queries - before, seconds, 'for three streams')
  for (const stream of streams) stream.leave()
  // The next look, and the end of the feed unless somebody comes back.
  await until(() => looks.waiting() === 2)
  looks.fire()
  await until(() => liveStreams.feed.tenants() === 0)
  assert.equal(looks.waiting(), 0)
})

test('refuses filters that no event can match, and a last event that is no id', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const watch = await watcher(service)
  for (const [query, field] of [
    ['?types=decision.unknown', /types/],
    ['?types=decision.created,', /types/],
    ['?outcome=A%20B', /outcome/],
    ['?lastEventId=1', /lastEventId/],
  ] as const) {
    const { response } = await watch(t, service, query)
    assert.equal(response.status, 400, query)
    assert.match(((await response.json()) as { detail: string }).detail, field)
  }
})
