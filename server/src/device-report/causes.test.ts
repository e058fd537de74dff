import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  AndroidFacts,
  DeviceReport,
  endpoints,
  type Facts,
  IosFacts,
  readSamples,
  type SecureInfoDetail,
  WebFacts,
} from '@ringfence/contract'
import Value from 'typebox/value'
import { secureInfoDetail } from '../device/analysis/views.ts'
import { type Cause, causes } from '../device/testdata/causes/index.ts'
import { recorded } from '../device/testdata/recordings.ts'
import { updateLists } from '../ip/lists/update-lists.ts'
import { mmdbBytes } from '../ip/testing/mmdb-writer.ts'
import { readLists } from '../ip/testing/read-lists.ts'
import { login, tokenCalls } from '../sign-in/tokens/testing.ts'
import { eachDatabase, type TestDatabases } from '../testing/databases.ts'
import { createApp, sdkClient, shopBundleId, shopOrigin, shopPackageName } from '../testing/sdk-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { reportDefaults } from './fields.ts'

const samples = readSamples()
const sampleOf: Record<Cause['platform'], Facts> = {
  WEB: {},
  IOS: samples.IosFacts!.everything as IosFacts,
  ANDROID: samples.AndroidFacts!.everything as AndroidFacts,
}
const schemas = { WEB: WebFacts, IOS: IosFacts, ANDROID: AndroidFacts }
const packages = { WEB: shopOrigin, IOS: shopBundleId, ANDROID: shopPackageName }
const all = Object.entries(causes)

/** An IP address that the test's file locates in India, for the recording that was made elsewhere. */
const addressInIndia = '49.200.0.1'

/** A service behind a proxy, with the lists that the causes quote, and an app under each name that they use. */
async function start(t: TestContext, { open }: TestDatabases) {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const location = { accuracy_radius: 20, latitude: 12.97, longitude: 77.59, time_zone: 'Asia/Kolkata' }
  const networks = { '49.200.0.0/16': { country: { iso_code: 'IN', names: { en: 'India' } }, location } }
  const ipCityFiles = join(folder, 'city.mmdb')
  await writeFile(ipCityFiles, mmdbBytes({ databaseType: 'City', builtAt: new Date('2026-03-01'), networks }))
  const settings = { trustedProxies: '127.0.0.1', tcpFingerprintHeader: 'x-tcp-fp', ipCityFiles, appRateBurst: 1000 }
  const service = await startTestService(t, await open(t), { settings })
  await mkdir(join(folder, 'lists'))
  const listed = all.flatMap(([name, { listed }]) => (listed ? [{ name, ...listed }] : []))
  for (const { name, line } of listed) await writeFile(join(folder, 'lists', name), `${line}\n`)
  const lists = Object.fromEntries(
    listed.map(({ name, kind }) => [name, { kind, url: `file://${join(folder, 'lists', name)}` }]),
  )
  const updates = await updateLists({ dataFolder: service.parts.settings.dataFolder, lists, now: service.clock.now() })
  assert.ok(updates.every(({ entries }) => entries > 0))
  await readLists(service)
  const named = (platform: Cause['platform']) => [
    packages[platform],
    ...new Set(all.flatMap(([, each]) => (each.platform === platform && each.publishedAs ? [each.publishedAs] : []))),
  ]
  const app = await createApp(service, {
    bundleIds: named('IOS'),
    packageNames: named('ANDROID'),
    settings: {
      additionalDataFields: ['orderId'],
      androidCertificates: sampleOf.ANDROID.appIntegrity?.certificates,
    },
  })
  return { service, app }
}

/** What a backend reads of one device without history, by the names of the causes. */
async function shownBy(
  { service, app }: Awaited<ReturnType<typeof start>>,
  { platform, recording, facts: changes, headers = {}, listed, publishedAs, params }: Omit<Cause, 'shows' | 'source'>,
): Promise<Record<string, unknown>> {
  const evidence = recording === undefined ? undefined : recorded(recording)
  const browser = Object.entries(evidence?.headers ?? {}).filter(([name]) => !name.startsWith('sec-fetch'))
  const address = listed?.address ?? (evidence?.network ? addressInIndia : '203.0.113.7')
  const facts = { ...(evidence?.facts ?? sampleOf[platform]), ...changes }
  assert.ok(Value.Check(schemas[platform], facts), 'the facts are those of the contract')
  const client = await sdkClient(service, {
    app,
    platform,
    packageName: publishedAs ?? packages[platform],
    headers: { ...(Object.fromEntries(browser) as Record<string, string>), 'x-forwarded-for': address, ...headers },
  })
  const { requestId, dfrId } = await client.fingerprint(facts, params)
  const { status, body } = await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: platform })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Value.Errors(DeviceReport, body), [])
  return { ...body, ...detectorsOf(await secureInfoOf(service, requestId)) }
}

async function secureInfoOf(service: TestService, requestId: string): Promise<SecureInfoDetail> {
  const tokens = tokenCalls(service)
  const { status, body } = await tokens.secureInfo(await tokens.issue({ ...login, requestId }))
  assert.equal(status, 200, JSON.stringify(body))
  return body.secure_info
}

function detectorsOf({ vpn, ...others }: SecureInfoDetail): Record<string, unknown> {
  const { methods, ...parts } = vpn!
  return Object.fromEntries([
    ...Object.entries(others).map(([name, value]) => [`secure_info.${name}`, value]),
    ...Object.entries({ ...parts, ...methods }).map(([name, value]) => [`secure_info.vpn.${name}`, value]),
  ])
}

/** What is read about a device of which nothing is known. */
const unknown: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(Object.keys(DeviceReport.properties).map((field) => [field, undefined])),
  ...reportDefaults,
  ...detectorsOf(secureInfoDetail({ platform: 'WEB', judgement: { verdicts: {}, reasons: {}, versions: {} } })),
}

test('every field of the report and every detector of secure info is shown by a cause', () => {
  const shown = new Set<string>(all.flatMap(([, { shows }]) => shows))
  assert.deepEqual(
    Object.keys(unknown).filter((field) => !shown.has(field)),
    [],
  )
  assert.deepEqual(
    [...shown].filter((field) => !Object.hasOwn(unknown, field)),
    [],
  )
})

eachDatabase((databases) => {
  test(`each cause shows its fields, and an ordinary device does not (${databases.engine})`, async (t) => {
    const place = await start(t, databases)
    const ofPhone = (platform: 'IOS' | 'ANDROID') => shownBy(place, { platform, happened: '', seen: 'here' })
    const ordinary = { IOS: await ofPhone('IOS'), ANDROID: await ofPhone('ANDROID') }
    const ordinaryBrowser = await shownBy(place, causes.firstVisit!)
    for (const field of causes.firstVisit!.shows)
      assert.notDeepEqual(ordinaryBrowser[field], unknown[field], `an ordinary browser shows ${field}`)
    for (const [name, cause] of all.filter(([name]) => name !== 'firstVisit')) {
      const [shown, before] = [await shownBy(place, cause), { WEB: ordinaryBrowser, ...ordinary }[cause.platform]]
      for (const field of cause.shows) {
        assert.notDeepEqual(shown[field], unknown[field], `${name} shows ${field}`)
        assert.notDeepEqual(shown[field], before[field], `only ${name} shows ${field}`)
      }
    }
  })
})
