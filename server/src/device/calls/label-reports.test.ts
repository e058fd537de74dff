import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'

eachDatabase(({ engine, open }) => {
  test(`knownAt is any time of RFC 3339, a leap second too; what is no time is 400 (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { dfrId } = await (await sdkClient(service)).fingerprint()
    const label = (knownAt: unknown) =>
      service.post(endpoints.labelReports.path, { labels: [{ dfrId, outcome: 'fraud', knownAt }] })
    for (const knownAt of [
      '2016-12-31T23:59:60Z',
      '2017-01-01T05:29:60.5+05:30',
      '2026-02-28t10:00:00z',
      '2026-02-28T10:00:00.123456789-11:30',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
    ]) {
      const { status, body } = await label(knownAt)
      assert.deepEqual([status, body], [200, { accepted: 1, unknown: [] }], knownAt)
    }
    for (const knownAt of ['2026-02-30T10:00:00Z', '2026-02-28', '2026-02-28T10:00:60', '', null, 1772366400]) {
      assert.equal((await label(knownAt)).status, 400, String(knownAt))
    }
  })
})

test('of many labels the error names the one that is wrong, and which part of it', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const fine = { dfrId: randomUUID(), outcome: 'fraud' }
  const named = async (wrong: object) => {
    const { status, body } = await service.post(endpoints.labelReports.path, { labels: [fine, fine, wrong] })
    assert.equal(status, 400)
    return body.errorMessage.replace(' is missing, or not what /docs says of it', '')
  }
  assert.equal(await named({ ...fine, outcome: 'odd' }), 'labels.2.outcome')
  assert.equal(await named({ requestId: 'x', outcome: 'fraud', knownAt: 'today' }), 'labels.2.knownAt')
  assert.equal(await named({ outcome: 'fraud' }), 'labels.2')
  assert.equal(await named({ ...fine, requestId: 'x' }), 'labels.2', 'both ids')
  assert.equal(await named({ ...fine, [`<b>${'x'.repeat(300)}`]: 1 }), 'labels.2')
})
