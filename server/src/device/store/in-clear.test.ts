import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, readSamples } from '@ringfence/contract'
import { pino } from 'pino'
import { forgetDevice } from '../../admin/privacy/device-record.ts'
import type { Database } from '../../core/storage/database.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { login } from '../../sign-in/tokens/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { newInstallationKey } from '../../testing/installation-key.ts'
import { createApp, ordinaryFacts, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { browserClient, ordinaryFacts as recordedFacts } from '../testdata/ordinary-report.ts'
import { openCompression } from './compression/compression.ts'

const { IosFacts, AndroidFacts } = readSamples()
const person = {
  userId: 'user-of-the-test',
  phoneNumber: '+91 70201 41726',
  merchantId: 'merchant-of-the-test',
  additionalInput: { note: 'note-of-the-test' },
}
const phone = { keychainId: { id: 'keychain-of-the-test' }, vendorId: 'vendor-of-the-test' }
const devices = {
  WEB: { ...ordinaryFacts, vendor: 'vendor-of-the-test' },
  IOS: { ...(IosFacts!.everything as object), ...phone },
  ANDROID: { ...(AndroidFacts!.everything as object), drmId: 'drm-of-the-test', androidId: 'android-of-the-test' },
}
const secrets = [
  /of-the-test/,
  /70201 ?41726/, // fewer digits may be in a random id
  /198\.51\.100\.77/,
  /Windows NT/,
  /iPhone15,2/,
  /Pixel 8/,
  /52\.5163/,
  /rf[bt]_\w{20}/, // bearer tokens of sessions, and tokens for backends
]

/** Everything that a store holds, bytes as Latin-1. */
async function contentOf(database: Database): Promise<string> {
  const tables = await database.query<{ name: string }>(
    database.engine === 'sqlite'
      ? "select name from sqlite_master where type = 'table'"
      : "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const rows = await Promise.all(tables.map(({ name }) => database.query(`select * from ${name}`)))
  const values = rows.flat().flatMap((row) => Object.values(row))
  return values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value)).join('\n')
}

eachDatabase(({ engine, open }) => {
  test(`an erased device is in no row of another one that resembles it or shares an id with it (${engine})`, async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database, { settings: { trustedProxies: '127.0.0.1' } })
    const app = await createApp(service)
    const visit = async (platform: 'WEB' | 'ANDROID', facts: object, ip: string, key = newInstallationKey()) => {
      service.clock.advance({ seconds: 20 })
      const options = { app, platform, headers: { 'x-forwarded-for': ip } }
      const isBrowser = platform === 'WEB'
      const client = await (isBrowser ? browserClient(service, { ...options, key }) : sdkClient(service, options))
      const { dfrId } = await client.fingerprint(facts)
      const include = { dfrId, deviceType: platform, include: ['identification'] }
      return (await service.post(endpoints.deviceFingerprint.path, include)).body
    }
    const memory = { deviceMemory: 8 }
    const alike = { ...recordedFacts, ...memory, workerScope: { ...recordedFacts.workerScope, ...memory } }
    for (const [platform, facts, others] of [
      ['WEB', recordedFacts, alike],
      ['ANDROID', devices.ANDROID, { ...devices.ANDROID, drmId: 'another one' }],
    ] as const) {
      const key = newInstallationKey()
      const erased = await visit(platform, facts, '203.0.113.40')
      const other = await visit(platform, others, '198.51.100.20', key)
      assert.equal(other.identification.likely?.deviceId, erased.deviceId, platform)
      const id = Buffer.from(uuidBytes(erased.deviceId)).toString('latin1')
      assert.ok((await contentOf(database)).includes(id), 'it was stored')
      await forgetDevice({ tenantId: service.tenantId, deviceId: erased.deviceId }, service.parts)
      const content = await contentOf(database)
      assert.ok(!content.includes(id) && !content.includes(erased.deviceId), platform)
      assert.equal(
        (await visit(platform, others, '198.51.100.20', key)).identification.by,
        platform === 'WEB' ? 'key' : 'token',
      )
    }
  })

  test(`writes nothing about a device or user in clear, to the database or the log (${engine})`, async (t) => {
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
    const database = await open(t)
    const service = await startTestService(t, database, { settings: { trustedProxies: '127.0.0.1' }, log })
    const app = await createApp(service)
    for (const [platform, facts] of Object.entries(devices)) {
      const headers = { 'x-forwarded-for': '198.51.100.77' }
      const client = await sdkClient(service, { app, platform: platform as keyof typeof devices, headers })
      const { requestId } = await client.analyse(facts, { updateInfo: person })
      const { dfrId } = (
        await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId, { a: 'param-of-the-test' }))
      ).body
      const { body } = await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: platform })
      assert.equal(body.ip, '198.51.100.77')
      await service.post(endpoints.labelReports.path, { labels: [{ dfrId, outcome: 'fraud' }] })
      assert.equal((await service.post(endpoints.issueToken.path, { ...login, requestId })).status, 200)
      for (const broken of ['{"userId":"user-of-the-test"', '{"requestId":"user-of-the-test"}']) {
        assert.equal((await client.post(endpoints.intelligence.path, broken)).status, 400)
      }
    }
    for (const { sealed } of await database.query<{ sealed: Uint8Array }>('select sealed from device_analysis')) {
      assert.throws(() => openCompression().expand(sealed), 'compact, and sealed')
    }
    const kept = await contentOf(database)
    assert.match(kept, new RegExp(app.id), 'the store was looked at')
    assert.match(lines.join(''), /\/sdk\/v1\/intelligence/, 'the log was looked at')
    for (const secret of secrets) {
      assert.ok(!secret.test(kept), `${secret} in the store`)
      assert.ok(!secret.test(lines.join('')), `${secret} in the log`)
    }
  })
})
