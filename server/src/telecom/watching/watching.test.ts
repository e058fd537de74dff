// Does a watched number become an event when it changes, once, within the budget, on one server or two, and after a restart?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, Watch } from '@ringfence/contract'
import { operators } from '@ringfence/sandbox'
import Value from 'typebox/value'
import { eraseSubject } from '../../admin/privacy/erase.ts'
import { exportSubject } from '../../admin/privacy/export.ts'
import { contextOf } from '../../events/sealed-event.ts'
import { maintain } from '../../maintenance.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { startRoutedService } from '../routing/testing.ts'
import { numberOfWatches } from '../store/number-watches.ts'
import { watchPoller } from './poller.ts'

const { path } = endpoints.watchNumber
const number = '917020141726'
const hourMs = 3_600_000

async function changesOf({ parts: needs, tenantId }: TestService) {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const events = await needs.database.query<{ id: Uint8Array; sealed: Uint8Array }>(
    "select id, sealed from event where type = 'telecom.number_changed' order by id",
  )
  return events.map(({ id, sealed }) => JSON.parse(keys.open(sealed, contextOf(id))))
}

const read = async ({ url, credentials }: TestService, watchId: string) => {
  const response = await fetch(`${url}${path}/${watchId}`, { headers: { ...credentials } })
  return { status: response.status, body: (await response.json()) as Watch & { errorCode?: string } }
}

const swapNow = ({ sandbox, clock }: TestService, digits = number) =>
  sandbox.lines.change(digits, { latestSimChange: new Date(clock.now()).toISOString() })

/** New watches are due at once. */
async function baseline(service: TestService) {
  service.clock.advance({ seconds: 301 })
  const poller = watchPoller(service.parts)
  const polled = await poller.round()
  return { poller, polled }
}

eachDatabase(({ engine, open }) => {
  test(`the first poll only notes how things are; a swap after it is one event (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { simSwapReuseSeconds: 86_400 } })
    swapNow(service)
    const { status, body } = await service.post(path, { phoneNumber: number, checks: ['simSwap'], reference: 'c 1' })
    assert.equal(status, 200)
    assert.equal(body.checks[0].state, 'pending')
    assert.ok(Value.Check(Watch, body), JSON.stringify(body))
    const { poller } = await baseline(service)
    t.after(() => poller.close())
    assert.deepEqual(await changesOf(service), [])
    const [afterFirst] = (await read(service, body.watchId)).body.checks
    assert.deepEqual([afterFirst?.state, afterFirst?.pollIntervalSeconds], ['watching', 21_600])
    assert.equal(afterFirst?.lastCheckedAt, new Date(service.clock.now()).toISOString())

    service.clock.advance({ hours: 2 })
    swapNow(service)
    // Somebody asks, and the answer is stored.
    await service.post('/v1/telecom/sim-swap-check', { phoneNumber: number, maxAge: 1 })
    service.clock.advance({ hours: 8 })
    await poller.round()
    const [change, ...more] = await changesOf(service)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [change.check, change.phoneNumber, change.watchId, change.reference, change.by, change.source],
      ['simSwap', number, body.watchId, 'c 1', 'poll', 'sandbox'],
    )
    assert.equal(change.noticedAt, new Date(service.clock.now()).toISOString())
    assert.deepEqual(await service.parts.telecom.answers.known(service.tenantId, number), [])

    // A restart: another poller of the same store.
    const next = watchPoller(service.parts)
    t.after(() => next.close())
    for (let day = 0; day < 4; day++) {
      service.clock.advance({ hours: 10 })
      await next.round()
    }
    assert.equal((await changesOf(service)).length, 1)
  })

  test(`a new watch is checked at once, and a swap between the two is one event (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const early = '917020141727'
    await service.post(path, { phoneNumber: early, checks: ['simSwap'] })
    const poller = watchPoller(service.parts)
    t.after(() => poller.close())
    assert.equal(await poller.round(), 1)
    // The service is down for hours after these calls, of which one adds a check.
    swapNow(service)
    await service.post(path, { phoneNumber: number, checks: ['simSwap'] })
    await service.post(path, { phoneNumber: early, checks: ['portability'] })
    service.clock.advance({ hours: 1 })
    swapNow(service)
    service.clock.advance({ hours: 2 })
    for (let i = 0; i < 5; i++) {
      await poller.round()
      service.clock.advance({ hours: 8 })
    }
    assert.deepEqual(
      (await changesOf(service)).map(({ check, phoneNumber }) => [check, phoneNumber]),
      [['simSwap', number]],
    )
  })

  test(`a swap that the operator learns after a poll, and dates before it, is one event (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    await service.post(path, { phoneNumber: number, checks: ['simSwap', 'deviceSwap'] })
    const { poller } = await baseline(service)
    t.after(() => poller.close())
    service.clock.advance({ hours: 6 })
    await poller.round()
    const latestSimChange = new Date(service.clock.now() - 1.5 * hourMs).toISOString()
    service.sandbox.lines.change(number, { latestSimChange })
    for (let i = 0; i < 9; i++) {
      service.clock.advance({ hours: 6 })
      await poller.round()
    }
    assert.deepEqual(
      (await changesOf(service)).map(({ check, by }) => [check, by]),
      [['simSwap', 'poll']],
    )
  })

  test(`a portability source that always fails hides no port, and two ports in a day are two events (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), {
      edit: (parts) => ({
        ...parts,
        portabilitySources: {
          // Nothing listens there.
          broken: { ...parts.portabilitySources.sandbox!, baseUrl: 'http://127.0.0.1:1' } as { type: string },
          ...parts.portabilitySources,
        },
      }),
      settings: { watchPortabilitySeconds: 3600 },
    })
    const { body } = await service.post(path, { phoneNumber: number, checks: ['portability'] })
    const { poller } = await baseline(service)
    t.after(() => poller.close())
    assert.equal((await read(service, body.watchId)).body.checks[0]?.state, 'watching')
    const { operator: first } = service.sandbox.lines.at(number)
    const second = operators.find(({ id, offersChecks }) => id !== first!.id && offersChecks)!
    for (const operator of [second, first!]) {
      service.sandbox.lines.change(number, { operator })
      service.clock.advance({ hours: 2 })
      await poller.round()
    }
    service.clock.advance({ hours: 2 })
    await poller.round()
    assert.deepEqual(
      (await changesOf(service)).map((change) => [change.previousOperator, change.operator]),
      [
        [first!.name, second.name],
        [second.name, first!.name],
      ],
    )
  })

  test(`a clock that was ahead and is set back stops no watch (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { body } = await service.post(path, { phoneNumber: number, checks: ['simSwap'], ttlSeconds: 366 * 86_400 })
    const { poller } = await baseline(service)
    t.after(() => poller.close())
    service.clock.advance({ hours: 200 * 24 })
    await poller.round()
    service.clock.advance({ hours: -200 * 24 + 1 })
    await poller.round()
    const [check] = (await read(service, body.watchId)).body.checks
    assert.ok(Date.parse(check!.nextCheckAt) < service.clock.now() + 12 * hourMs, check!.nextCheckAt)
    service.clock.advance({ hours: 2 })
    swapNow(service)
    service.clock.advance({ hours: 12 })
    await poller.round()
    assert.equal((await changesOf(service)).length, 1)
  })

  test(`two servers poll each number once (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const numbers = Array.from({ length: 30 }, (_, i) => `9170201417${String(i + 10)}`)
    for (const phoneNumber of numbers) await service.post(path, { phoneNumber, checks: ['simSwap'] })
    service.clock.advance({ seconds: 301 })
    service.sandbox.calls.clear()
    const servers = [watchPoller(service.parts), watchPoller(service.parts)]
    t.after(() => Promise.all(servers.map((server) => server.close())))
    const polled = await Promise.all(servers.map((server) => server.round()))
    assert.equal(polled[0]! + polled[1]!, 30)
    const calls = service.sandbox.calls.last(1000).filter(({ path: called }) => called === '/sim-swap/v2/check')
    assert.equal(calls.length, 30)
  })

  test(`an overloaded operator of one tenant slows down no other tenant (${engine})`, async (t) => {
    const service = await startRoutedService(t, await open(t), {
      routing: { operators: { '001-01': [{ connector: 'acme' }], '001-02': [{ connector: 'hub' }] } },
    })
    const tenant = await service.parts.tenantKeyring.createTenant('other')
    const other = { id: tenant.id, ...(await service.parts.clients.createClient(tenant.id, 'other')) }
    const own = { id: service.tenantId, ...service.credentials }
    // The tenant whose turn is last has the overloaded operator.
    const [healthy, overloaded] = own.id < other.id ? [own, other] : [other, own]
    const candidates = Array.from({ length: 300 }, (_, i) => `91702014${2000 + i}`)
    const numbersOf = (id: string) =>
      candidates.filter((digits) => service.sandbox.lines.at(digits).operator?.id === id).slice(0, 20)
    for (const [operator, { id: _, ...client }] of [
      ['001-01', healthy],
      ['001-02', overloaded],
    ] as const) {
      const numbers = numbersOf(operator)
      assert.equal(numbers.length, 20)
      for (const phoneNumber of numbers) await service.post(path, { phoneNumber, checks: ['simSwap'] }, { ...client })
    }
    service.upstreams.hub.faults.switchOn({ kind: 'status', status: 429, route: '/sim-swap/v2/check' })
    const statesOf = async ({ id: _, ...client }: typeof own) => {
      const { body } = await service.post(`${path}/list`, { limit: 100 }, { ...client })
      const states = (body as { watches: Watch[] }).watches.map(({ checks }) => checks[0]!.state)
      return Object.fromEntries(
        ['watching', 'failing'].map((state) => [state, states.filter((s) => s === state).length]),
      )
    }
    const { poller } = await baseline(service)
    t.after(() => poller.close())
    assert.deepEqual(await statesOf(healthy), { watching: 20, failing: 0 })
    const { failing } = await statesOf(overloaded)
    assert.ok(failing! > 0 && failing! < 20, `${failing} of 20: its operator gets a pause`)
    // The operator has recovered, and its circuit lets calls through again.
    service.upstreams.hub.faults.switchAllOff()
    for (let minute = 0; minute < 5; minute++) {
      service.clock.advance({ seconds: 150 })
      await poller.round()
    }
    assert.deepEqual(await statesOf(overloaded), { watching: 20, failing: 0 })
  })

  test(`a server that died while it polled loses its claim (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { body } = await service.post(path, { phoneNumber: number, checks: ['simSwap'] })
    service.clock.advance({ seconds: 301 })
    await service.parts.database.query('update number_watch set claim = $1, due_at = $2', [
      Buffer.alloc(16),
      service.clock.now() + 120_000,
    ])
    const poller = watchPoller(service.parts)
    t.after(() => poller.close())
    assert.equal(await poller.round(), 0)
    service.clock.advance({ seconds: 121 })
    assert.equal(await poller.round(), 1)
    assert.equal((await read(service, body.watchId)).body.checks[0]?.state, 'watching')
  })

  test(`a port, a moved eSIM and another subscriber are events of their own (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const moved = '917020140160'
    const recycled = '917020140162'
    await service.post(path, { phoneNumber: number, checks: ['portability'] })
    await service.post(path, { phoneNumber: moved, checks: ['deviceSwap'] })
    // The sandbox has a phone that always moved two hours ago, and a subscriber who came on 2026-03-01.
    service.clock.advance({ hours: -48 })
    await service.post(path, { phoneNumber: recycled, checks: ['numberRecycling'] })
    const { poller } = await baseline(service)
    t.after(() => poller.close())
    service.clock.advance({ hours: 48 })
    await poller.round()
    assert.deepEqual(await changesOf(service), [])
    const { operator, homeOperator } = service.sandbox.lines.at(number)
    const other = service.sandbox.lines.at('917020140156').operator
    const next = other!.id === operator!.id ? service.sandbox.lines.at('917020140156').homeOperator : other
    service.sandbox.lines.change(number, { operator: next!, homeOperator: homeOperator! })
    service.clock.advance({ hours: 400 })
    await poller.round()
    const changes = await changesOf(service)
    const port = changes.find(({ check }) => check === 'portability')
    assert.deepEqual([port.operator, port.previousOperator], [next!.name, operator!.name])
    assert.deepEqual(changes.map(({ check }) => check).sort(), ['deviceSwap', 'numberRecycling', 'portability'])
  })

  test(`the same number again adds checks and extends; another tenant sees nothing of it (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const first = await service.post(path, {
      phoneNumber: number,
      checks: ['simSwap'],
      ttlSeconds: 7200,
      reference: 'a',
    })
    const again = await service.post(path, { phoneNumber: number, checks: ['portability'], ttlSeconds: 3600 })
    assert.equal(again.body.watchId, first.body.watchId)
    assert.equal(again.body.expiresAt, first.body.expiresAt)
    assert.equal(again.body.reference, 'a')
    assert.deepEqual(
      again.body.checks.map(({ check }: { check: string }) => check),
      ['simSwap', 'portability'],
    )
    const tenant = await service.parts.tenantKeyring.createTenant('other')
    const other = await service.parts.clients.createClient(tenant.id, 'other')
    const asOther = { ...other } as Readonly<Record<string, string>>
    assert.deepEqual((await service.post(`${path}/list`, {}, asOther)).body, { watches: [] })
    assert.equal((await read({ ...service, credentials: other }, first.body.watchId)).status, 404)
    const watchId = first.body.watchId
    assert.deepEqual((await service.post(`${path}/delete`, { watchId }, asOther)).body, { deleted: false })
    assert.deepEqual((await service.post(`${path}/delete`, { watchId })).body, { deleted: true })
    assert.deepEqual((await service.post(`${path}/delete`, { watchId })).body, { deleted: false })
  })

  test(`an erased person is watched no more, and the export names the watch (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    await service.post(path, { phoneNumber: number, checks: ['simSwap'] })
    const subject = { kind: 'phoneNumber', value: number } as const
    const kinds: string[] = []
    for await (const { kind } of exportSubject(service.tenantId, subject, service.parts)) kinds.push(kind)
    assert.ok(kinds.includes('watch'))
    const { tenantId } = service
    const receipt = await eraseSubject(
      { tenantId, subject, by: 'test', reason: 'test', keepListEntries: false },
      service.parts,
    )
    assert.equal(receipt.erased.watch, 1)
    assert.equal(await numberOfWatches(service.parts.database, tenantId), 0)
  })
})

test('a list of watches is read in pages, or by number', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  for (let i = 10; i < 15; i++) await service.post(path, { phoneNumber: `9170201417${i}`, checks: ['simSwap'] })
  const seen: string[] = []
  for (let cursor: string | undefined; ; ) {
    const { body } = await service.post(`${path}/list`, { limit: 2, ...(cursor !== undefined && { cursor }) })
    seen.push(...body.watches.map(({ phoneNumber }: Watch) => phoneNumber))
    cursor = body.nextCursor
    if (cursor === undefined) break
  }
  assert.deepEqual(
    seen.toSorted(),
    ['10', '11', '12', '13', '14'].map((end) => `9170201417${end}`),
  )
  const one = await service.post(`${path}/list`, { phoneNumber: '917020141712' })
  assert.deepEqual(
    one.body.watches.map(({ phoneNumber }: Watch) => phoneNumber),
    ['917020141712'],
  )
})

test('a failing check is repeated later each time, and is never a change', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { body } = await service.post(path, { phoneNumber: number, checks: ['simSwap'] })
  const { poller } = await baseline(service)
  t.after(() => poller.close())
  service.sandbox.faults.switchOn({ kind: 'status', status: 503, route: '/sim-swap/v2/check' })
  service.clock.advance({ hours: 10 })
  const waits: number[] = []
  for (let i = 0; i < 4; i++) {
    await poller.round()
    const [check] = (await read(service, body.watchId)).body.checks
    assert.equal(check?.state, 'failing')
    const waitMs = Date.parse(check!.nextCheckAt) - service.clock.now()
    waits.push(waitMs)
    service.clock.advance({ ms: waitMs })
  }
  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  )
  assert.ok(waits[3]! >= 4 * waits[0]!)
  assert.deepEqual(await changesOf(service), [])
})

test('a number without an operator that answers is checked once a day', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { body } = await service.post(path, { phoneNumber: '917020140140', checks: ['simSwap', 'portability'] })
  const { poller } = await baseline(service)
  t.after(() => poller.close())
  const [swap, port] = (await read(service, body.watchId)).body.checks
  assert.deepEqual([swap?.state, port?.state], ['unsupported', 'watching'])
  assert.ok(Date.parse(swap!.nextCheckAt) - service.clock.now() >= 12 * hourMs)
})

test('a watch that has ended is not polled, is gone for its reader, and is deleted by maintenance', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { body } = await service.post(path, { phoneNumber: number, checks: ['simSwap'], ttlSeconds: 3600 })
  service.clock.advance({ hours: 2 })
  const poller = watchPoller(service.parts)
  t.after(() => poller.close())
  assert.equal(await poller.round(), 0)
  const gone = await read(service, body.watchId)
  assert.deepEqual([gone.status, gone.body.errorCode], [404, '70061'])
  await maintain({ ...service.parts, measureClock: async () => {} })
  assert.equal(await numberOfWatches(service.parts.database, service.tenantId), 0)
  assert.deepEqual(await changesOf(service), [])
})

test('refuses what it cannot watch, and more numbers than the tenant may', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t), { settings: { watchesPerTenant: 1 } })
  const refused: [object, RegExp][] = [
    [{ phoneNumber: number, checks: [] }, /checks/],
    [{ phoneNumber: number, checks: ['roaming'] }, /checks/],
    [{ phoneNumber: number, checks: ['simSwap'], expiresAt: '2026-03-01T12:00:00Z' }, /expiresAt must be/],
    [{ phoneNumber: number, checks: ['simSwap'], expiresAt: '2027-03-01T12:00:00Z', ttlSeconds: 3600 }, /not both/],
    [{ phoneNumber: number, checks: ['simSwap'], reference: 'a\u0007' }, /reference/],
  ]
  for (const [body, mistake] of refused) {
    const answer = await service.post(path, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(String(answer.body.description), mistake)
  }
  assert.equal((await service.post(path, { phoneNumber: '1', checks: ['simSwap'] })).body.errorCode, 'P7102')
  assert.equal((await service.post(`${path}/list`, { cursor: 'abc' })).status, 400)
  assert.equal((await service.post(path, { phoneNumber: number, checks: ['simSwap'] })).status, 200)
  assert.equal((await service.post(path, { phoneNumber: number, checks: ['deviceSwap'] })).status, 200)
  const more = await service.post(path, { phoneNumber: '917020141727', checks: ['simSwap'] })
  assert.deepEqual([more.status, more.body.errorCode], [409, '70062'])
})
