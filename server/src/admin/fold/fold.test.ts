import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import type { NewEvent } from '../../core/event-recorder.ts'
import type { Database } from '../../core/storage/database.ts'
import { checksCalled, decisionCalls, intercepted, operatorWithin } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { ordinaryFacts, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { countActivity, dropOldActivity, recountActivity } from '../overview/count-activity.ts'
import { eraseSubject } from '../privacy/erase.ts'
import { exportSubject } from '../privacy/export.ts'
import { openContent } from './entity-content.ts'

const rules = [
  { id: 'look', name: 'Large payment', when: 'params.amount > 1000', action: 'REVIEW', score: 40 },
  { id: 'stop', name: 'Far too large', when: 'params.amount > 9000', action: 'BLOCK', score: 90 },
]

interface Counted {
  span: string
  kind: string
  action: string
  operation: string
  app: string
  country: string
  name: string
  amount: number
  total: number
}

async function start(
  t: Parameters<typeof startTestService>[0],
  database: Database,
  options: Parameters<typeof startTestService>[2] = {},
) {
  const service = await startTestService(t, database, options)
  const { decide, publish } = decisionCalls(service)
  await publish(rules as never)
  const { clock, parts, post, tenantId } = service
  const pay = async (amount: number, more: object = {}): Promise<Decision> => {
    const { status, body } = await decide({
      ...{ action: 'PAYMENT', userId: 'asha', params: { amount, currency: 'INR' } },
      ...more,
    })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  return {
    service,
    pay,
    async label(label: object) {
      const { body } = await post(endpoints.labelReports.path, { labels: [label] })
      assert.equal(body.accepted, 1, JSON.stringify(body))
    },
    async fold() {
      clock.advance({ seconds: 30 })
      await countActivity(parts)
    },
    /** Of days, without what is 0. */
    counts: async (kind: string): Promise<Record<string, number>> =>
      Object.fromEntries(
        (await countsIn(database, 'day'))
          .filter((row) => row.kind === kind && row.amount !== 0)
          .map(({ action, name, amount }) => [`${action} ${name}`.trim(), amount]),
      ),
    async entities() {
      const keys = await parts.tenantKeyring.keysOf(tenantId)
      const rows = await database.query<Parameters<typeof openContent>[0] & Record<string, number>>(
        `select kind, hash, decisions, refused, bad_labels as "bad", good_labels as "good", shared, sealed from entity`,
      )
      return Object.fromEntries(
        rows.map((row) => {
          const { decisions, refused, bad, good, shared } = row
          const counts = { decisions, refused, bad, good, shared }
          const numbers = Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Number(value)]))
          return [`${row.kind} ${openContent(row, keys)!.value}`, numbers]
        }),
      )
    },
  }
}

const countsIn = (database: Database, span: string): Promise<Counted[]> =>
  database.query<Counted & Record<string, string>>(
    `select span, kind, action, operation, app, country, name, cast(amount as integer) as amount,
            cast(total as integer) as total from performance_count where span = $1
      order by kind, action, operation, app, country, name, starts_at`,
    [span],
  )

const reportOn = async (service: TestService) => {
  const sdk = await sdkClient(service)
  const { requestId } = await sdk.analyse(ordinaryFacts)
  const { dfrId } = (await sdk.post(endpoints.pushFingerprint.path, sdk.pushBody(requestId))).body
  return { dfrId, appId: sdk.app.id }
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('counts decisions by operation, app and country, each once, though three servers count'), async (t) => {
    const database = await open(t)
    const { service, pay, fold } = await start(t, database)
    const { dfrId, appId } = await reportOn(service)
    const { device } = await pay(1, { dfrId })
    await pay(1500, { userId: 'ben' })
    await pay(9500, { action: 'TRANSFER' })
    service.clock.advance({ seconds: 30 })
    await Promise.all([countActivity(service.parts), countActivity(service.parts), countActivity(service.parts)])
    await fold()
    const country = device!.ipDetails.country ?? ''
    for (const span of ['hour', 'day'])
      assert.deepEqual(
        (await countsIn(database, span))
          .filter(({ kind }) => kind === 'decision')
          .map(({ amount, ...row }) => {
            assert.equal(amount, 1)
            return [row.action, row.operation, row.app, row.country]
          }),
        [
          ['ALLOW', 'PAYMENT', appId, country],
          ['BLOCK', 'TRANSFER', '', ''],
          ['REVIEW', 'PAYMENT', '', ''],
        ],
      )
  })

  test(it('counts the others when the page of one tenant cannot be counted'), async (t) => {
    const database = await open(t)
    const { service, pay } = await start(t, database)
    await pay(1)
    await service.parts.tenantKeyring.createTenant('another')
    service.clock.advance({ seconds: 30 })
    // Whichever of the two tenants is first.
    let reads = 0
    const failingFirst = Object.create(database, {
      query: {
        value: (...asked: Parameters<Database['query']>) => {
          if (asked[0].includes('from activity_progress') && reads++ === 0) throw new Error('a page fails')
          return database.query(...asked)
        },
      },
    })
    await assert.rejects(countActivity({ ...service.parts, database: failingFirst }), /a page fails/)
    assert.ok(reads > 1)
    await countActivity(service.parts)
    assert.equal((await countsIn(database, 'day')).filter(({ kind }) => kind === 'decision').length, 1)
  })

  test(it('counts the label of a decision that became known last, with its rules and its amount'), async (t) => {
    const database = await open(t)
    const { pay, label, fold, counts, entities } = await start(t, database)
    const { decisionId } = await pay(1500.5, { phoneNumber: '917020141726' })
    const [early, late] = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z']
    await label({ decisionId, outcome: 'fraud', knownAt: early })
    await fold()
    assert.deepEqual(await counts('label'), { 'REVIEW fraud': 1 })
    assert.deepEqual(await counts('firedBad'), { 'REVIEW look': 1 })
    assert.deepEqual(await counts('paidBad'), { 'REVIEW INR': 1 })
    assert.equal((await countsIn(database, 'day')).find(({ kind }) => kind === 'paidBad')?.total, 150050)
    await label({ decisionId, outcome: 'legitimate', knownAt: late })
    await label({ decisionId, outcome: 'abuse', knownAt: early })
    await fold()
    assert.deepEqual(await counts('label'), { 'REVIEW legitimate': 1 })
    assert.deepEqual(await counts('firedBad'), {})
    assert.deepEqual(await counts('firedGood'), { 'REVIEW look': 1 })
    const { 'number 917020141726': number, 'user asha': user } = await entities()
    assert.deepEqual(number, { decisions: 1, refused: 1, bad: 0, good: 1, shared: 1 })
    assert.deepEqual(user, { decisions: 1, refused: 1, bad: 0, good: 1, shared: 0 })
  })

  test(
    it('gives a label of a report to its decision and its device, and a label of a stopped one to no user'),
    async (t) => {
      const { service, pay, label, fold, counts, entities } = await start(t, await open(t))
      const { dfrId } = await reportOn(service)
      const { device } = await pay(9500, { dfrId })
      await label({ dfrId, outcome: 'chargeback' })
      await fold()
      assert.deepEqual(await counts('label'), { 'BLOCK chargeback': 1 })
      const all = await entities()
      assert.equal(all[`device ${device!.deviceId}`]?.bad, 1)
      assert.equal(all['user asha']?.bad, 0, 'an attacked account is no bad one')
    },
  )

  test(it('counts a passed challenge, and a review with its time, on the day of the decision'), async (t) => {
    const database = await open(t)
    const { service, pay, fold, counts } = await start(t, database)
    const { parts, tenantId, clock } = service
    const { decisionId } = await pay(1500)
    clock.advance({ hours: 30 })
    const happened = (type: string, data: object) => ({ type, data, orderedBy: decisionId }) as unknown as NewEvent
    await parts.database.batch(
      await parts.events.statements(tenantId, [
        happened('decision.review.resolved', { decisionId, outcome: 'approved' }),
        happened('decision.challenge.passed', { decisionId }),
      ]),
    )
    await fold()
    assert.deepEqual(await counts('reviewed'), { 'REVIEW approved': 1 })
    assert.deepEqual(await counts('overturned'), { 'REVIEW look': 1 })
    assert.deepEqual(await counts('passed'), { REVIEW: 1 })
    const days = await database.query('select distinct starts_at from performance_count where span = $1', ['day'])
    assert.equal(days.length, 1)
    assert.equal((await countsIn(database, 'day')).find(({ kind }) => kind === 'reviewed')?.total, 30 * 3600)
  })

  test(it('counts calls of operators with their time and cost, and no stored answer'), async (t) => {
    const database = await open(t)
    const costs = { currency: 'EUR', prices: { sandbox: { simSwap: 12_000, otherwise: 5 } } }
    const { service, pay, fold } = await start(t, database, {
      edit: (parts) => ({ ...operatorWithin(30_000)(parts), costs }),
      settings: { simSwapReuseSeconds: 600 },
    })
    const checked = { phoneNumber: '917020141726', checks: ['simSwap', 'portability'] }
    service.sandbox.faults.switchOn({ kind: 'slow', delayMs: 150, route: '/sim-swap/v2/check', times: 1 })
    await pay(1, checked)
    await pay(1, checked)
    service.sandbox.faults.switchOn({ kind: 'slow', delayMs: 60_000, route: '/sim-swap/v2/check', times: 1 })
    const deadline = holdTimers(t, 1_500)
    const late = pay(1, { ...checked, phoneNumber: '917020141727', checks: ['simSwap'], deadlineMs: 1_500 })
    await until(() => checksCalled(service) === 2)
    deadline.fire()
    await late
    await fold()
    const sums = await countsIn(database, 'day')
    const checks = sums.filter(({ kind }) => kind === 'check')
    assert.deepEqual(
      checks.map(({ name, action, amount, total }) => [name, action, amount, total]),
      [
        // The sandbox has no stored answers of who serves a number.
        ['portability SANDBOX_SOUTH', 'answered', 2, 0],
        ['simSwap SANDBOX_SOUTH', 'answered', 1, 12_005],
        ['simSwap SANDBOX_SOUTH', 'timeout', 1, 12_005],
      ],
    )
    const times = sums.filter(({ kind, name }) => kind === 'latency' && name.startsWith('simSwap'))
    assert.deepEqual(
      times.map(({ amount }) => amount),
      [1],
    )
    assert.ok(Number(times[0]!.action) >= 150, `${times[0]!.action} ms, though the operator waited 150 ms`)
  })

  test(it('a rebuild makes the same counts and entities, and leaves days that the log no longer has'), async (t) => {
    const database = await open(t)
    const { service, pay, label, fold, entities } = await start(t, database)
    const { parts, tenantId, clock } = service
    const { decisionId: first } = await pay(1500, { userId: 'long-ago' })
    await fold()
    clock.advance({ hours: 24 * 40 })
    const { dfrId } = await reportOn(service)
    const { decisionId } = await pay(2500, { dfrId, phoneNumber: '917020141726', checks: ['simSwap'] })
    await pay(1, { dfrId, userId: 'ben' })
    await label({ decisionId, outcome: 'fraud' })
    await label({ decisionId: first, outcome: 'fraud' })
    await label({ decisionId, outcome: 'chargeback' })
    await fold()
    await dropOldActivity(parts)
    const before = { counts: await countsIn(database, 'day'), entities: await entities() }
    assert.equal(before.counts.filter(({ kind }) => kind === 'label').length, 3)
    assert.equal(before.counts.filter(({ kind }) => kind === 'latency').length, 1)
    await database.query("update performance_count set amount = 77 where kind = 'decision' and action = 'ALLOW'")
    await recountActivity(tenantId, parts)
    assert.deepEqual({ counts: await countsIn(database, 'day'), entities: await entities() }, before)
    await label({ decisionId: first, outcome: 'legitimate' })
    await fold()
    const labels = (await countsIn(database, 'day')).filter(({ kind, amount }) => kind === 'label' && amount !== 0)
    assert.deepEqual(labels.map(({ name }) => name).toSorted(), ['chargeback', 'legitimate'])
  })

  test(
    it('an erased person has no row, not even from a page that was read before; what stays keeps its label'),
    async (t) => {
      const database = await open(t)
      const { service, pay, label, fold, counts, entities } = await start(t, database)
      const { parts, tenantId, clock } = service
      const { dfrId } = await reportOn(service)
      const { device, decisionId } = await pay(1, { dfrId, phoneNumber: '917020141726' })
      await pay(1, { dfrId, userId: 'ben' })
      await label({ decisionId, outcome: 'fraud' })
      await fold()
      const id = `device ${device!.deviceId}`
      assert.deepEqual((await entities())[id], { decisions: 2, refused: 0, bad: 1, good: 0, shared: 2 })
      await pay(1, { dfrId })
      clock.advance({ seconds: 30 })
      const erase = () =>
        eraseSubject(
          { tenantId, subject: { kind: 'userId', value: 'asha' }, by: 'maya', reason: 'asked', keepListEntries: false },
          parts,
        )
      let isErased = false
      const slow = intercepted(parts.database, {
        async batch(sql) {
          if (isErased || !sql.some((each) => each.includes('into entity '))) return
          isErased = true
          await erase()
        },
      })
      await countActivity({ ...parts, database: slow })
      await fold()
      assert.ok(isErased)
      const all = await entities()
      assert.deepEqual(Object.keys(all).toSorted(), [id, 'user ben'].toSorted(), 'the number had no other event')
      assert.deepEqual(all[id], { decisions: 2, refused: 0, bad: 1, good: 0, shared: 1 })
      assert.deepEqual(await counts('label'), { 'ALLOW fraud': 1 })
    },
  )

  test(it('an export of a person has the row, and that of somebody else does not'), async (t) => {
    const { service, pay, fold } = await start(t, await open(t))
    await pay(1)
    await pay(9500, { userId: 'ben' })
    await fold()
    const { parts, tenantId } = service
    const records = []
    for await (const record of exportSubject(tenantId, { kind: 'userId', value: 'ben' }, parts))
      if (record.kind === 'entity') records.push(record.record)
    assert.equal(records.length, 1)
    assert.partialDeepStrictEqual(records[0], { kind: 'user', value: 'ben', decisions: 1, refused: 1 })
  })

  test(it('counts values beyond the limit as other'), async (t) => {
    const database = await open(t)
    const { service, pay, fold } = await start(t, database)
    const { tenantHash } = await import('../../core/storage/short-keys.ts')
    for (let i = 0; i < 50; i++)
      await database.query('insert into counted_value (tenant_hash, dimension, value) values ($1, $2, $3)', [
        ...[tenantHash(service.tenantId), 'operation', `OPERATION_${i}`],
      ])
    await pay(1, { action: 'OPERATION_7' })
    await pay(1, { action: 'ONE_MORE' })
    await fold()
    const counted = (await countsIn(database, 'day')).filter(({ kind }) => kind === 'decision')
    assert.deepEqual(counted.map(({ operation }) => operation).toSorted(), ['OPERATION_7', 'other'])
  })

  test(it('stores hours for 90 days, days for two years, and entities as long as their last event'), async (t) => {
    const database = await open(t)
    const { service, pay, fold, entities } = await start(t, database)
    const { parts, clock } = service
    await pay(1, { phoneNumber: '917020141726' })
    await fold()
    const spans = async () =>
      (await database.query<{ span: string }>('select distinct span from performance_count order by span')).map(
        ({ span }) => span,
      )
    clock.advance({ hours: 24 * 29 })
    await dropOldActivity(parts)
    assert.equal(Object.keys(await entities()).length, 2)
    clock.advance({ hours: 24 * 2 })
    await dropOldActivity(parts)
    assert.deepEqual(await entities(), {})
    assert.deepEqual(await database.query('select * from entity_link'), [])
    assert.deepEqual(await spans(), ['day', 'hour'])
    clock.advance({ hours: 24 * 60 })
    await dropOldActivity(parts)
    assert.deepEqual(await spans(), ['day'])
    clock.advance({ hours: 24 * 641 })
    await dropOldActivity(parts)
    assert.deepEqual(await spans(), [])
  })

  test(it('a decision writes nothing for counts and entities'), async (t) => {
    const written: string[] = []
    const database = intercepted(await open(t), { batch: (sql) => void written.push(...sql) })
    const { pay } = await start(t, database)
    written.length = 0
    await pay(1500, { phoneNumber: '917020141726' })
    const tables = written.flatMap((sql) => sql.match(/(?:insert into|update|delete from) (\w+)/)?.[1] ?? [])
    assert.deepEqual(
      [...new Set(tables)].filter((table) => !/^(decision|event)$/.test(table)),
      [],
    )
  })
})
