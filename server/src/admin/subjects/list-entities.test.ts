import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, ListedNumbers, ListedUsers } from '@ringfence/contract'
import Value from 'typebox/value'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { countActivity } from '../overview/count-activity.ts'
import { type AdminCaller, adminClient } from '../testing.ts'

const rules = [{ id: 'stop', name: 'Far too large', when: 'params.amount > 9000', action: 'BLOCK', score: 90 }]
const strange = ['<img src=x onerror=alert(1)>', 'مستخدم‏1', '👩‍👩‍👧', 'x'.repeat(200)]

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  const start = async (t: Parameters<typeof startTestService>[0]) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    await publish(rules as never)
    return {
      service,
      analyst: await adminClient(service, 'analyst'),
      decide: async (userId: string, amount: number, phoneNumber?: string) => {
        const { status, body } = await decide({ userId, params: { amount }, ...(phoneNumber && { phoneNumber }) })
        assert.equal(status, 200, JSON.stringify(body))
        return String(body.decisionId)
      },
      async fold() {
        service.clock.advance({ seconds: 30 })
        await countActivity(service.parts)
      },
    }
  }
  const usersOf = async (call: AdminCaller, request: object): Promise<ListedUsers> => {
    const { status, body } = await call('listUsers', request)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([...Value.Errors(ListedUsers, body)], [])
    return body
  }
  const idsOf = ({ rows }: ListedUsers) => rows.map(({ userId }) => userId)

  test(it('lists the riskiest first, those of today, the shared ones, and all in pages'), async (t) => {
    const { service, analyst, decide, fold } = await start(t)
    const bad = await decide('bad', 1, '917020141726')
    await decide('refused', 9500, '917020141726')
    for (const userId of strange) await decide(userId, 1)
    await service.post(endpoints.labelReports.path, { labels: [{ decisionId: bad, outcome: 'fraud' }] })
    await fold()
    const riskiest = await usersOf(analyst, {})
    assert.deepEqual(idsOf(riskiest), ['bad', 'refused'])
    assert.partialDeepStrictEqual(riskiest.rows[0], { decisions: 1, refused: 0, badLabels: 1, state: { level: 'bad' } })
    assert.deepEqual(
      idsOf(await usersOf(analyst, { filter: 'newToday' })).toSorted(),
      ['bad', 'refused', ...strange].toSorted(),
    )
    const shared = await analyst('listNumbers', { filter: 'shared' })
    assert.deepEqual([...Value.Errors(ListedNumbers, shared.body)], [])
    assert.partialDeepStrictEqual(shared.body.rows, [
      { phoneNumber: '917020141726', shared: 2, state: { level: 'bad' } },
    ])
    const pages: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await usersOf(analyst, { filter: 'all', limit: 2, ...(cursor && { cursor }) })
      pages.push(...idsOf(page))
      cursor = page.nextCursor
      if (!cursor) break
    }
    assert.deepEqual(pages.toSorted(), ['bad', 'refused', ...strange].toSorted())
    const { nextCursor } = await usersOf(analyst, { filter: 'all', limit: 2 })
    assert.equal((await analyst('listUsers', { filter: 'newToday', cursor: nextCursor })).status, 400)
    service.clock.advance({ hours: 25 })
    assert.deepEqual(idsOf(await usersOf(analyst, { filter: 'newToday' })), [])
  })

  test(it('finds a value exactly for every role, by its first characters only for roles that see it'), async (t) => {
    const { service, analyst, decide, fold } = await start(t)
    await decide('asha', 1, '917020141726')
    await decide('ashok', 1, '917020142848')
    await fold()
    const viewer = await adminClient(service, 'viewer')
    assert.deepEqual(idsOf(await usersOf(viewer, { userId: 'asha' })), ['asha'])
    assert.deepEqual(idsOf(await usersOf(viewer, { userId: 'ash' })), [])
    const found = await viewer('listNumbers', { phoneNumber: '+91 70201 41726' })
    assert.deepEqual(
      found.body.rows.map(({ phoneNumber }: { phoneNumber: string }) => phoneNumber),
      ['********1726'],
    )
    const { status, body } = await viewer('listNumbers', { beginsWith: '9170' })
    assert.equal(status, 403)
    assert.match(body.type, /permission-missing/)
    assert.deepEqual(idsOf(await usersOf(analyst, { beginsWith: 'ash' })).toSorted(), ['asha', 'ashok'])
    assert.deepEqual(idsOf(await usersOf(analyst, { beginsWith: 'asho' })), ['ashok'])
    const numbers = await analyst('listNumbers', { beginsWith: '+91 70201 42' })
    assert.deepEqual(
      numbers.body.rows.map(({ phoneNumber }: { phoneNumber: string }) => phoneNumber),
      ['917020142848'],
    )
  })

  test(
    it('counts labels of many decisions by one call with one audit line, and refuses a role that may not'),
    async (t) => {
      const { service, analyst, decide, fold } = await start(t)
      const ids = [await decide('asha', 1), await decide('asha', 2), await decide('ravi', 3)]
      await fold()
      const labels = ids.map((decisionId) => ({ decisionId, outcome: 'chargeback' }))
      const viewer = await adminClient(service, 'viewer')
      assert.equal((await viewer('label', { labels })).status, 403)
      assert.deepEqual((await analyst('label', { labels })).body, { accepted: 3, unknown: [] })
      await fold()
      const { rows } = await usersOf(analyst, {})
      assert.deepEqual(
        rows.map(({ userId, badLabels }) => [userId, badLabels]),
        [
          ['asha', 2],
          ['ravi', 1],
        ],
      )
      const owner = await adminClient(service, 'owner')
      const { lines } = (await owner('listAudit', { action: 'label' })).body
      assert.equal(lines.length, 1)
    },
  )

  test(it('shows nothing of another tenant, and a tenant with nothing no rows'), async (t) => {
    const { service, analyst, decide, fold } = await start(t)
    const other = await service.parts.tenantKeyring.createTenant('other')
    const elsewhere = await adminClient(service, 'analyst', { tenantId: other.id })
    await decide('asha', 9500)
    await fold()
    assert.deepEqual(await usersOf(elsewhere, {}), { rows: [] })
    assert.deepEqual(await usersOf(elsewhere, { userId: 'asha' }), { rows: [] })
    assert.deepEqual(idsOf(await usersOf(analyst, {})), ['asha'])
  })
})
