import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { sdkClient } from '../testing/sdk-client.ts'
import { startTestService } from '../testing/test-service.ts'

eachDatabase(({ engine, open }) => {
  test(`accepts any RFC 3339 time as knownAt, and refuses other values with 400 (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { dfrId } = await (await sdkClient(service)).fingerprint()
    const label = (knownAt: unknown) =>
      service.post(endpoints.labelReports.path, { labels: [{ dfrId, outcome: 'fraud', knownAt }] })
    for (const knownAt of [
      '2016-12-31T23:59:60Z',
      '2017-01-01T05:29:60.5+05:30',
      '2016-12-31T23:59:60Z[Europe/Paris]',
      '2026-02-28t10:00:00z',
      '2026-02-28T10:00:00.123456789-11:30',
      '0000-01-01T00:00:00Z',
    ]) {
      const { status, body } = await label(knownAt)
      assert.deepEqual([status, body], [200, { accepted: 1, unknown: [] }], knownAt)
    }
    for (const knownAt of ['2026-02-30T10:00:00Z', '2026-02-28', '2026-02-28T10:00:60', '', null, 1772366400]) {
      assert.equal((await label(knownAt)).status, 400, String(knownAt))
    }
  })
})

const allowed = 'fraud, chargeback, accountTakeover, abuse, legitimate'
const forms =
  '{ dfrId: …, outcome: …, knownAt?: …, userId?: … } or { requestId: …, outcome: …, knownAt?: …, userId?: … } or { decisionId: …, outcome: …, knownAt?: …, userId?: … }: How the session of one report or decision turned out'

test('says which label is wrong, what was expected, and what was probably meant', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const fine = { dfrId: randomUUID(), outcome: 'fraud' }
  const messageOf = async (labels: unknown) => {
    const { status, body } = await service.post(endpoints.labelReports.path, { labels })
    assert.equal(status, 400)
    return body.errorMessage
  }
  for (const [wrong, message] of [
    [{ ...fine, outcome: 'chargebak' }, `labels.2.outcome must be one of ${allowed}; did you mean chargeback?`],
    [{ ...fine, outcome: 'odd' }, new RegExp(`^labels\\.2\\.outcome must be one of ${allowed}: `)],
    [{ requestId: 'x', outcome: 'fraud', knownAt: 'today' }, /^labels\.2\.knownAt must match format "date-time": /],
    [{ dfrId: '', outcome: 'fraud' }, /^labels\.2\.dfrId must not be empty/],
    [{ outcome: 'fraud' }, `labels.2 must be ${forms}`],
    [{ ...fine, requestId: 'x' }, 'labels.2.requestId is not a known key; allowed: dfrId, outcome, knownAt, userId'],
    [
      { ...fine, [`<b>${'x'.repeat(300)}`]: 1 },
      'labels.2.... is not a known key; allowed: dfrId, outcome, knownAt, userId',
    ],
  ] as const) {
    const given = await messageOf([fine, fine, wrong])
    if (typeof message === 'string') assert.equal(given, message)
    else assert.match(given, message)
  }
  assert.equal(await messageOf([]), 'labels must not be empty')
  assert.equal(await messageOf(Array(101).fill(fine)), 'labels must not have more than 100 items')
  assert.match(await messageOf('fraud'), /^labels must be an array/)
})

eachDatabase(({ engine, open }) => {
  test(`refuses a knownAt in the future, beyond five minutes of clock skew, and stores an earlier one as now (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { dfrId } = await (await sdkClient(service)).fingerprint()
    const skew = 5 * 60_000
    const post = (...knownAt: number[]) =>
      service.post(endpoints.labelReports.path, {
        labels: knownAt.map((at) => ({ dfrId, outcome: 'fraud', knownAt: new Date(at).toISOString() })),
      })
    const labels = () => service.parts.database.query<{ known_at: number }>('select known_at from report_label')
    const now = service.clock.now()
    const { status, body } = await post(now, now + skew + 1)
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body), ['requestId', 'errorMessage'])
    assert.equal(
      body.errorMessage,
      `labels.1.knownAt must not be in the future; the time here is ${new Date(now).toISOString()}, and 5 minutes of clock skew are allowed`,
    )
    assert.deepEqual(await labels(), [])
    assert.equal((await post(now + skew)).status, 200)
    assert.deepEqual(
      (await labels()).map(({ known_at }) => Number(known_at)),
      [now],
    )
  })
})
