import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { endpoints, SecureInfoDetail } from '@ringfence/contract'
import Value from 'typebox/value'
import { mmdbBytes } from '../../ip/testing/mmdb-writer.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { tokenCalls } from '../../tokens/testing.ts'
import { recorded } from '../testdata/recordings.ts'

/** An IP address that the test's file locates in India. */
const addressInIndia = '49.200.0.1'

/** The secure info of a recorded browser, whose IP address a trusted proxy sends. */
async function secureInfoOf(t: TestContext, recording: string, address: string): Promise<SecureInfoDetail> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const ipCityFiles = join(folder, 'city.mmdb')
  const location = { accuracy_radius: 20, latitude: 12.97, longitude: 77.59, time_zone: 'Asia/Kolkata' }
  const networks = { '49.200.0.0/16': { country: { iso_code: 'IN', names: { en: 'India' } }, location } }
  await writeFile(ipCityFiles, mmdbBytes({ databaseType: 'City', builtAt: new Date('2026-03-01'), networks }))
  const database = await sqliteDatabases.open(t)
  const settings = { trustedProxies: '127.0.0.1', ipCityFiles }
  const service = await startTestService(t, database, { settings })
  const { facts, headers } = recorded(recording)
  const browser = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('sec-fetch')))
  const client = await sdkClient(service, {
    headers: { ...(browser as Record<string, string>), 'x-forwarded-for': address },
  })
  const { status, body } = await client.post(endpoints.secure.path, client.engineBody(facts))
  assert.equal(status, 200, JSON.stringify(body))
  const { secure_info } = (await tokenCalls(service).secureInfo(body.token)).body
  assert.deepEqual([...Value.Errors(SecureInfoDetail, secure_info)], [])
  return secure_info
}

test('secure_info returns the verdicts on an ordinary browser in another time zone than its IP address', async (t) => {
  const { bot, incognito, tampering, vpn, suspectScore } = await secureInfoOf(t, 'chromium-elsewhere', addressInIndia)
  assert.deepEqual(vpn, {
    result: true,
    originCountry: 'US',
    originTimezone: 'America/New_York',
    methods: { timezoneMismatch: true, publicVPN: false, auxiliaryMobile: false, osMismatch: false },
  })
  assert.deepEqual([bot, incognito, tampering], [{ result: 'notDetected' }, false, { result: false, anomalyScore: 0 }])
  assert.deepEqual(suspectScore, { result: 3 })
})

test('secure_info shows an automated browser as a bad bot', async (t) => {
  const { bot, vpn } = await secureInfoOf(t, 'playwright-automation-controlled-off', '10.1.2.3')
  assert.deepEqual(bot, { result: 'bad' })
  assert.deepEqual(
    vpn,
    {
      result: false,
      originCountry: 'unknown',
      originTimezone: 'unknown',
      methods: { timezoneMismatch: false, publicVPN: false, auxiliaryMobile: false, osMismatch: false },
    },
    'a private IP address has no location',
  )
})
