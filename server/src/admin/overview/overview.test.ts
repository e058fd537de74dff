import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Overview } from '@ringfence/contract'
import Value from 'typebox/value'
import type { NewEvent } from '../../core/event-recorder.ts'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { personWith } from '../people/test-person.ts'
import { adminClient } from '../testing.ts'
import { countActivity, dropOldActivity, recountActivity } from './count-activity.ts'

const rules = [
  { id: 'look', name: 'Large payment', when: 'params.amount > 1000', action: 'REVIEW', score: 40 },
  { id: 'stop', name: 'Far too large', when: 'params.amount > 9000', action: 'BLOCK', score: 90 },
]

const signedIn = (type: 'sign_in.started' | 'sign_in.completed'): NewEvent =>
  ({
    type,
    data: { signInId: 'c1f0b7a3e7d94f0e8f5a2b6c9d3e4f10', appId: 'app', channel: 'OTP', method: 'SMS' },
    orderedBy: 'sign-in',
  }) as unknown as NewEvent

const happen = async ({ parts: needs, tenantId }: TestService, ...events: NewEvent[]) =>
  needs.database.batch(await needs.events.statements(tenantId, events))

async function start(service: TestService) {
  const { decide, publish } = decisionCalls(service)
  const call = await adminClient(service, 'viewer')
  return {
    call,
    publish: () => publish(rules as never),
    async decide(amount: number) {
      const { status, body } = await decide({ action: 'PAYMENT', userId: 'asha', params: { amount } })
      assert.equal(status, 200, JSON.stringify(body))
    },
    async read(hours: number): Promise<Overview> {
      const to = service.clock.now() + 60_000
      const range = { from: new Date(to - hours * 3_600_000).toISOString(), to: new Date(to).toISOString() }
      const { status, body } = await call('readOverview', range)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([...Value.Errors(Overview, body)], [])
      return body
    },
  }
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(
    it('rules that wait for approval need the attention of whoever may approve them, until it is decided'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const maya = await personWith(service, 'admin', 'Maya')
      const ravi = await personWith(service, 'owner', 'Ravi')
      const ana = await personWith(service, 'analyst', 'Ana')
      const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }
      const waiting = async ({ call }: typeof maya) => {
        const { status, body } = await call('readOverview', range)
        assert.equal(status, 200, JSON.stringify(body))
        assert.deepEqual([...Value.Errors(Overview, body)], [])
        return (body as Overview).attention.filter(({ kind }) => kind === 'publication-waiting')
      }
      assert.deepEqual(await waiting(ravi), [])
      const text = 'rules:\n  - { id: a, name: A, when: newDevice, action: WARN, score: 1 }\n'
      const { version } = (await ana.call('saveRuleDraft', { text, basedOn: 0 })).body
      const since = new Date(service.clock.now()).toISOString()
      const { number } = (await maya.call('requestPublication', { version, note: 'new devices' })).body
      assert.deepEqual(await waiting(ravi), [{ kind: 'publication-waiting', name: '', count: 1, since }])
      assert.deepEqual(await waiting(maya), [], 'nobody approves what they asked for')
      assert.deepEqual(await waiting(ana), [], 'an analyst does not approve')
      await ravi.call('approvePublication', { number: String(number) })
      assert.deepEqual(await waiting(ravi), [])
    },
  )

  test(it('counts each event once, however many servers count at the same time'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, clock } = service
    const { decide, publish, read } = await start(service)
    await publish()
    for (const amount of [1, 2, 1500, 9500, 9600]) await decide(amount)
    await happen(service, signedIn('sign_in.started'), signedIn('sign_in.started'), signedIn('sign_in.completed'))
    await countActivity(needs)
    assert.deepEqual((await read(1)).decisions, {}, 'an event may still be committed before these')
    clock.advance({ seconds: 30 })
    await Promise.all([countActivity(needs), countActivity(needs), countActivity(needs)])
    await countActivity(needs)
    const expected = { ALLOW: 2, REVIEW: 1, BLOCK: 2 }
    for (const hours of [0.25, 1, 6, 24, 7 * 24, 30 * 24]) {
      const overview = await read(hours)
      assert.deepEqual(overview.decisions, expected, `${hours} hours`)
      assert.deepEqual(
        overview.steps.map(({ decisions }) => decisions),
        [expected],
        `${hours} hours`,
      )
      assert.deepEqual(overview.rules, [
        { name: 'look', count: 3 },
        { name: 'stop', count: 2 },
      ])
      assert.deepEqual(overview.signIns, [
        { channel: 'OTP', method: 'SMS', started: 2, completed: 1, failed: 0, refused: 0 },
      ])
      assert.equal(overview.reviews.open, 1)
    }
    clock.advance({ seconds: 60 })
    await decide(1)
    clock.advance({ seconds: 30 })
    await countActivity(needs)
    assert.deepEqual((await read(1)).decisions, { ...expected, ALLOW: 3 })
    assert.equal((await read(1)).steps.length, 2)
  })

  test(it('counts pages of events, also those that were there before the first count'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, clock, tenantId } = service
    const { read } = await start(service)
    const many = Array.from({ length: 1100 }, () => signedIn('sign_in.started'))
    await happen(service, ...many)
    clock.advance({ hours: 30 })
    await happen(service, signedIn('sign_in.started'))
    clock.advance({ seconds: 30 })
    await countActivity(needs)
    assert.deepEqual((await read(1)).signIns[0]?.started, 1)
    assert.deepEqual((await read(48)).signIns[0]?.started, 1101)
    await recountActivity(tenantId, needs)
    assert.deepEqual((await read(48)).signIns[0]?.started, 1101)
  })

  test(it('stores minutes for a day, and hours as long as events'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { eventDays: 30 } })
    const { parts: needs, clock } = service
    const { read } = await start(service)
    await happen(service, signedIn('sign_in.started'))
    clock.advance({ seconds: 30 })
    await countActivity(needs)
    const spans = async () =>
      (await needs.database.query<{ span: string }>('select span from activity_count order by span')).map(
        ({ span }) => span,
      )
    assert.deepEqual(await spans(), ['hour', 'minute'])
    clock.advance({ hours: 27 })
    await dropOldActivity(needs)
    assert.deepEqual(await spans(), ['hour'])
    assert.equal((await read(7 * 24)).signIns[0]?.started, 1)
    clock.advance({ hours: 24 * 30 })
    await dropOldActivity(needs)
    assert.deepEqual(await spans(), [])
  })

  test(it('shows nothing of another tenant'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, clock } = service
    const other = await needs.tenantKeyring.createTenant('other')
    await happen({ ...service, tenantId: other.id }, signedIn('sign_in.started'))
    clock.advance({ seconds: 30 })
    await countActivity(needs)
    assert.deepEqual((await (await start(service)).read(1)).signIns, [])
  })
})

test('says how many reviews have waited for more than a day', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { decide, publish, read } = await start(service)
  await publish()
  await decide(1500)
  service.clock.advance({ hours: 23 })
  await decide(1600)
  assert.deepEqual((await read(1)).attention, [])
  service.clock.advance({ hours: 2 })
  const { attention, reviews } = await read(1)
  assert.deepEqual(attention, [{ kind: 'reviews-overdue', name: '', count: 1 }])
  assert.equal(reviews.open, 2)
})

test('refuses a range that ends before it begins, is too long, or is no range', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { call } = await start(service)
  for (const [range, detail] of [
    [{ from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' }, /from must be before to/],
    [{ from: '2026-09-01T00:00:00Z', to: '2026-11-01T00:00:00Z' }, /at most 31 days/],
    [{ from: 'yesterday', to: '2026-11-01T00:00:00Z' }, /from/],
    [{ to: '2026-11-01T00:00:00Z' }, /from/],
  ] as const) {
    const { status, body } = await call('readOverview', range)
    assert.equal(status, 400, JSON.stringify(range))
    assert.match(body.detail, detail)
  }
})

test('says what upstreams, data and webhooks are like, and shows a role without these permissions nothing of them', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { read } = await start(service)
  await service.post('/v1/telecom/sim-swap-check', { phoneNumber: '917020141726' })
  const { operators } = await read(1)
  assert.ok(operators.some(({ name, calls, medianMs }) => name === 'sandbox' && calls > 0 && medianMs! > 0))
  const support = await adminClient(service, 'support')
  const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }
  const { body } = await support('readOverview', range)
  assert.deepEqual([body.operators, body.data, body.attention], [[], [], []])
})
