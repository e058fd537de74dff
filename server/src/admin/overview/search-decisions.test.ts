import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, FoundDecisions, type Performance, type SearchDecisionsRequest } from '@ringfence/contract'
import Value from 'typebox/value'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { adminClient } from '../testing.ts'
import { countActivity } from './count-activity.ts'

const rules = [
  { id: 'look', name: 'Large payment', when: 'params.amount > 1000', action: 'REVIEW', score: 40 },
  { id: 'warn', name: 'Small payment', when: 'params.amount < 10', action: 'WARN', score: 10 },
]
const numbers = { IN: '917020141726', DE: '4915112345678' } as const
const hourMs = 3_600_000

interface Made {
  readonly id: string
  readonly at: number
  readonly operation: string
  readonly country: string
  readonly rule: string | undefined
  readonly action: string
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  async function start(t: Parameters<typeof startTestService>[0]) {
    const service = await startTestService(t, await open(t))
    const { clock, parts } = service
    const { decide, publish } = decisionCalls(service)
    await publish(rules as never)
    const viewer = await adminClient(service, 'viewer')
    const page = async (request: SearchDecisionsRequest): Promise<FoundDecisions> => {
      const { status, body } = await viewer('searchDecisions', request)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([...Value.Errors(FoundDecisions, body)], [])
      return body
    }
    return {
      ...{ service, viewer, page },
      async make(operation: string, country: 'IN' | 'DE' | '', amount: number): Promise<Made> {
        const number = country && { phoneNumber: numbers[country] }
        const { body } = await decide({ action: operation, userId: 'asha', ...number, params: { amount } })
        const at = clock.now()
        clock.advance({ seconds: 1 })
        const rule = amount > 1000 ? 'look' : amount < 10 ? 'warn' : undefined
        return { id: body.decisionId, at, operation, country, rule, action: body.action }
      },
      async fold() {
        clock.advance({ seconds: 30 })
        await countActivity(parts)
      },
      async all(filters: SearchDecisionsRequest): Promise<string[]> {
        const found: string[] = []
        for (let cursor: string | undefined; ; ) {
          const { events, nextCursor } = await page({ ...filters, ...(cursor !== undefined && { cursor }) })
          found.push(...events.map(({ data }) => String(data.decisionId)))
          if (nextCursor === undefined) return found
          cursor = nextCursor
        }
      },
    }
  }

  test(
    it('finds exactly the decisions that a figure counts, by every filter and in pages, counted or not yet'),
    async (t) => {
      const { service, make, fold, all, viewer } = await start(t)
      const made: Made[] = []
      const round = async () => {
        for (const [operation, country, amount] of [
          ...([
            ['PAYMENT', 'IN', 2000],
            ['PAYMENT', 'DE', 5],
            ['LOGIN', '', 500],
          ] as const),
          ...([
            ['LOGIN', 'IN', 3000],
            ['PAYMENT', '', 500],
          ] as const),
        ])
          made.push(await make(operation, country, amount))
      }
      await round()
      service.clock.advance({ hours: 50 })
      made.push(await make('SIGNUP', 'DE', 1))
      service.clock.advance({ hours: 30 })
      await round()
      await fold()
      made.push(await make('PAYMENT', 'DE', 2000), await make('SIGNUP', '', 1))
      const [middle, now] = [made[5]!.at, service.clock.now()]
      const isoOf = (at: number) => new Date(at).toISOString()
      const periods = [{}, { from: isoOf(middle) }, { to: isoOf(middle) }, { from: isoOf(middle), to: isoOf(now) }]
      const searches = [undefined, 'PAYMENT', 'LOGIN', 'NONE', ''].flatMap((operation) =>
        [undefined, 'IN', 'DE', ''].flatMap((country) =>
          [undefined, 'look', 'warn', 'none'].map((rule) => ({
            ...(operation !== undefined && { operation }),
            ...(country !== undefined && { country }),
            ...(rule !== undefined && { rule }),
          })),
        ),
      )
      for (const [i, search] of searches.entries()) {
        const period: { from?: string; to?: string } = periods[i % periods.length]!
        const action = i % 3 === 2 ? ('REVIEW' as const) : undefined
        const expected = made.filter(
          (each) =>
            (search.operation ?? each.operation) === each.operation &&
            (search.country ?? each.country) === each.country &&
            (search.rule ?? each.rule) === each.rule &&
            (action ?? each.action) === each.action &&
            each.at >= Date.parse(period.from ?? isoOf(0)) &&
            each.at < Date.parse(period.to ?? isoOf(now)),
        )
        const filters = { ...search, ...period, ...(action && { action }), limit: (i % 4) + 1 }
        assert.deepEqual(await all(filters), expected.map(({ id }) => id).toReversed(), JSON.stringify(filters))
      }
      await fold()
      const { body } = await viewer('readPerformance', { days: 7, operation: 'PAYMENT' })
      for (const { at, figures } of (body as Performance).steps) {
        const to = new Date(Date.parse(at) + 24 * hourMs).toISOString()
        for (const action of ['ALLOW', 'WARN', 'REVIEW'] as const) {
          const found = await all({ operation: 'PAYMENT', action, from: at, to })
          assert.equal(found.length, figures.decisions[action] ?? 0, `${at} ${action}`)
        }
      }
    },
  )

  test(it('names the label that became known last, and nothing of another tenant'), async (t) => {
    const { service, make, fold, page } = await start(t)
    const [bad, good, unknown] = [
      await make('PAYMENT', '', 2000),
      await make('PAYMENT', '', 3000),
      await make('PAYMENT', '', 4000),
    ]
    const label = (decisionId: string, outcome: string) =>
      service.post(endpoints.labelReports.path, { labels: [{ decisionId, outcome }] })
    await label(bad.id, 'legitimate')
    service.clock.advance({ seconds: 1 })
    await label(bad.id, 'chargeback')
    await label(good.id, 'legitimate')
    await fold()
    const { events } = await page({ rule: 'look' })
    assert.deepEqual(
      events.map(({ data, label }) => [data.decisionId, label]),
      [
        [unknown.id, undefined],
        [good.id, 'legitimate'],
        [bad.id, 'chargeback'],
      ],
    )
    const other = await service.parts.tenantKeyring.createTenant('other')
    const stranger = await adminClient(service, 'owner', { tenantId: other.id })
    assert.deepEqual((await stranger('searchDecisions', { rule: 'look' })).body.events, [])
  })

  test(it('finds a rare rule without reading the hours in which it did not fire'), async (t) => {
    const { service, make, fold, page } = await start(t)
    const rare = await make('PAYMENT', '', 2000)
    for (let hour = 0; hour < 5; hour++) {
      service.clock.advance({ hours: 7 })
      for (let i = 0; i < 4; i++) await make('LOGIN', '', 500)
    }
    await fold()
    const opened: number[] = []
    const { database } = service.parts
    const query = database.query.bind(database)
    t.mock.method(database, 'query', async (sql: string, params: never) => {
      const rows = await query(sql, params)
      if (/from \(select \* from event|from event where/.test(sql) && /sealed/.test(sql)) opened.push(rows.length)
      return rows
    })
    const { events } = await page({ rule: 'look' })
    assert.deepEqual(
      events.map(({ data }) => data.decisionId),
      [rare.id],
    )
    assert.equal(
      opened.reduce((sum, rows) => sum + rows, 0),
      1,
    )
  })

  test(it('refuses a cursor of other filters, and a period that ends before it begins'), async (t) => {
    const { make, fold, page, viewer } = await start(t)
    for (let i = 0; i < 3; i++) await make('PAYMENT', '', 2000)
    await fold()
    const { nextCursor } = await page({ rule: 'look', limit: 1 })
    assert.ok(nextCursor)
    for (const wrong of [
      { rule: 'warn', limit: 1, cursor: nextCursor },
      { rule: 'look', from: '2026-02-02T00:00:00Z', to: '2026-02-01T00:00:00Z' },
      { rule: '' },
      { action: 'DENY' },
      { country: 'x'.repeat(101) },
    ])
      assert.equal((await viewer('searchDecisions', wrong)).status, 400, JSON.stringify(wrong))
  })
})
