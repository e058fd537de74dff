import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type DeviceReport, endpoints } from '@ringfence/contract'
import type { IssuedCredentials } from '../../clients/credentials.ts'
import type { Database } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { dropExpired } from './retention.ts'

const [bad, neighbour, elsewhere] = ['81.2.69.142', '81.2.69.7', '9.9.9.9']

async function start(t: TestContext, database: Database) {
  const service = await startTestService(t, database, { settings: { trustedProxies: '127.0.0.1' } })
  return { service, ...(await ofTenant(service, service.tenantId, service.credentials)) }
}

async function ofTenant(service: TestService, tenantId: string, credentials: IssuedCredentials) {
  const app = await createApp(service, {}, tenantId)

  async function session(address: string): Promise<{ dfrId: string; fraudScore: number | undefined }> {
    const client = await sdkClient(service, { app, headers: { 'x-forwarded-for': address } })
    const { dfrId } = await client.fingerprint()
    const { body } = await service.post(
      endpoints.deviceFingerprint.path,
      { dfrId, deviceType: 'WEB' },
      { ...credentials },
    )
    return { dfrId, fraudScore: (body as DeviceReport).ipDetails.fraudScore }
  }

  async function sessions(address: string, count: number): Promise<string[]> {
    const made: string[] = []
    for (let i = 0; i < count; i++) made.push((await session(address)).dfrId)
    return made
  }

  async function label(dfrIds: readonly string[], outcome: string): Promise<void> {
    const labels = dfrIds.map((dfrId) => ({ dfrId, outcome }))
    const { body } = await service.post(endpoints.labelReports.path, { labels }, { ...credentials })
    assert.equal(body.accepted, dfrIds.length)
  }

  return { sessions, label, score: async (address: string) => (await session(address)).fraudScore }
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('raises the fraudScore of an IP address with bad labels, and less of its neighbours'), async (t) => {
    const { sessions, label, score } = await start(t, await open(t))
    const dfrIds = await sessions(bad, 5)
    assert.equal(await score(bad), undefined, 'nothing is known without lists and labels')
    await label(dfrIds, 'chargeback')
    const found = [await score(bad), await score(neighbour), await score(elsewhere)]
    assert.deepEqual(found, [41, 11, 0])
    await label(dfrIds, 'chargeback')
    assert.equal(await score(bad), 41, 'a repeated label counts once')
    await label(dfrIds, 'legitimate')
    assert.equal(await score(bad), 0, 'a changed label replaces the previous one')
  })

  test(it('treats an IPv6 /64 as one subscriber, and a /48 as the neighbourhood'), async (t) => {
    const { sessions, label, score } = await start(t, await open(t))
    await label(await sessions('2a02:6b8:1:1::1', 5), 'fraud')
    assert.deepEqual(
      [await score('2a02:6b8:1:1:ffff::2'), await score('2a02:6b8:1:2::1'), await score('2a02:6b8:2:1::1')],
      [41, 11, 0],
    )
  })

  test(it('lets labels decay and expire, and stores no IP address in clear'), async (t) => {
    const database = await open(t)
    const { service, sessions, label, score } = await start(t, database)
    await label(await sessions(bad, 10), 'fraud')
    const fresh = (await score(bad)) ?? 0
    const rows = await database.query<{ hash: Uint8Array; prefix: Uint8Array }>(
      'select ip_hash as hash, ip_prefix_hash as prefix from ip_label',
    )
    assert.equal(rows.length, 10)
    const [{ hash, prefix }] = rows as [(typeof rows)[number]]
    assert.deepEqual([hash.length, prefix.length], [8, 8])

    service.clock.advance({ hours: 24 * 90 })
    const later = (await score(bad)) ?? 0
    assert.ok(fresh > later && later > 30, `${fresh}, then ${later}`)
    service.clock.advance({ hours: 24 * 91 })
    await dropExpired(service.parts)
    assert.deepEqual(await database.query('select dfr_id from ip_label'), [])
    service.clock.advance({ seconds: 10 })
    assert.equal(await score(bad), undefined)
  })

  test(it('ignores the labels of other tenants'), async (t) => {
    const { service, ...one } = await start(t, await open(t))
    const { tenantKeyring, clients: credentials } = service.parts
    const { id } = await tenantKeyring.createTenant('other')
    const other = await ofTenant(service, id, await credentials.createClient(id, 'other'))
    await one.label(await one.sessions(bad, 5), 'fraud')
    await other.label(await other.sessions(elsewhere, 1), 'legitimate')
    assert.deepEqual([await one.score(bad), await other.score(bad)], [41, 0])
  })

  test(it('gives no rate for a private IP address'), async (t) => {
    const { sessions, label, score } = await start(t, await open(t))
    await label(await sessions('10.1.2.3', 5), 'fraud')
    assert.equal(await score('10.1.2.3'), undefined)
  })
})
