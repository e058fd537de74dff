import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { endpoints, SecureInfoDetail } from '@ringfence/contract'
import Value from 'typebox/value'
import { mmdbBytes } from '../../ip/testing/mmdb-writer.ts'
import { tokenCalls } from '../../sign-in/tokens/testing.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { recorded } from '../testdata/recordings.ts'

/** An IP address that the test's file locates in India. */
const addressInIndia = '49.200.0.1'
/** One in Urumqi, where two clocks are lawful. */
const addressInUrumqi = '124.88.0.1'

/** What a backend gets about a recorded browser, whose IP address a trusted proxy sends. */
async function secureInfoOf(t: TestContext, recording: string, address: string, changes: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const ipCityFiles = join(folder, 'city.mmdb')
  const location = { accuracy_radius: 20, latitude: 12.97, longitude: 77.59, time_zone: 'Asia/Kolkata' }
  const china = { iso_code: 'CN', names: { en: 'China' } }
  const urumqi = { accuracy_radius: 20, latitude: 43.83, longitude: 87.62, time_zone: 'Asia/Urumqi' }
  const networks = {
    '49.200.0.0/16': { country: { iso_code: 'IN', names: { en: 'India' } }, location },
    '124.88.0.0/16': { country: china, location: urumqi },
  }
  await writeFile(ipCityFiles, mmdbBytes({ databaseType: 'City', builtAt: new Date('2026-03-01'), networks }))
  const database = await sqliteDatabases.open(t)
  const settings = { trustedProxies: '127.0.0.1', ipCityFiles }
  const service = await startTestService(t, database, { settings })
  const { facts, headers } = recorded(recording)
  const browser = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('sec-fetch')))
  const client = await sdkClient(service, {
    headers: { ...(browser as Record<string, string>), 'x-forwarded-for': address },
  })
  const { status, body } = await client.post(endpoints.secure.path, client.engineBody({ ...facts, ...changes }))
  assert.equal(status, 200, JSON.stringify(body))
  const { secure_info, device_info } = (await tokenCalls(service).secureInfo(body.token)).body
  assert.deepEqual([...Value.Errors(SecureInfoDetail, secure_info)], [])
  return { ...(secure_info as SecureInfoDetail), browserInfo: device_info.browserInfo }
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

test('secure_info takes each lawful clock of a place for the clock of the place', async (t) => {
  for (const [timezone, timezoneOffset, expected] of [
    ['Asia/Shanghai', -480, false],
    ['Asia/Urumqi', -360, false],
    ['Asia/Tokyo', -540, true],
  ] as const) {
    const { vpn } = await secureInfoOf(t, 'chromium-ordinary', addressInUrumqi, { timezone, timezoneOffset })
    assert.deepEqual([vpn?.result, vpn?.methods.timezoneMismatch], [expected, expected], timezone)
  }
})

test('device_info has no frozen version, and the version of the browser from its own token', async (t) => {
  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)'
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
  const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
  const android = 'Mozilla/5.0 (Linux; U; Android 13; en-US; SM-A536E) AppleWebKit/537.36 (KHTML, like Gecko)'
  for (const [userAgent, facts, expected] of [
    [`${iphone} ${webKit} Version/26.0 Mobile/15E148 Safari/604.1`, { platform: 'iPhone' }, ['iOS', '26.0', 'iPhone']],
    [`${mac} ${webKit} Version/26.0 Safari/605.1.15`, { platform: 'MacIntel' }, ['iPadOS', '26.0', 'iPad']],
    [`${android} Version/4.0 UCBrowser/13.7.8.1323 Mobile Safari/537.36`, {}, ['Android', '13', 'mobile']],
  ] as const) {
    const changes = { ...facts, userAgent, maxTouchPoints: 5 }
    const { browserInfo } = await secureInfoOf(t, 'webkit-ordinary', addressInIndia, changes)
    assert.deepEqual([browserInfo.os, browserInfo.osVersion, browserInfo.device], expected, userAgent)
    const version = userAgent.includes('UCBrowser') ? '13.7.8.1323' : '26.0'
    assert.equal(browserInfo.browserFullVersion, version, userAgent)
  }
})
