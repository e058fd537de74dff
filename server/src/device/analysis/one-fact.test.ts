import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { DevicePlatform } from '@ringfence/contract'
import {
  AndroidFacts,
  type DeviceReport,
  endpoints,
  type Facts,
  IosFacts,
  type SecureInfoDetail,
  WebFacts,
} from '@ringfence/contract'
import Value from 'typebox/value'
import type { App } from '../../apps/app.ts'
import type { ReportBasis } from '../../device-report/basis.ts'
import { basisOf } from '../../device-report/basis.ts'
import { updateLists } from '../../ip/lists/update-lists.ts'
import { mmdbBytes } from '../../ip/testing/mmdb-writer.ts'
import { readLists } from '../../ip/testing/read-lists.ts'
import { login, tokenCalls } from '../../sign-in/tokens/testing.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { type Addition, attestingCalls } from '../attestation/testing/attesting-calls.ts'
import { newPhoneKey } from '../attestation/testing/attesting-phone.ts'
import { weights } from '../scores/weights.ts'
import { findAnalysis } from '../store/device-analyses.ts'
import { dfrIdOf } from '../store/find-analysis.ts'
import { openRecord } from '../store/record.ts'
import { type Case, cases, hostOnList, places, sampleOf } from '../testdata/single-changes.ts'

/** A service with its own IP data behind a proxy, and the app of the samples. */
async function start(t: TestContext): Promise<{ service: TestService; app: App }> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const networks = Object.fromEntries(
    Object.values(places).map(({ block, timeZone, country }) => [
      `${block}.0/24`,
      {
        country: { iso_code: country },
        location: { latitude: 1, longitude: 1, time_zone: timeZone, accuracy_radius: 20 },
      },
    ]),
  )
  const ipCityFiles = join(folder, 'city.mmdb')
  await writeFile(ipCityFiles, mmdbBytes({ databaseType: 'City', builtAt: new Date('2026-03-01'), networks }))
  const settings = { trustedProxies: '127.0.0.1', tcpFingerprintHeader: 'x-tcp-fp', ipCityFiles, appRateBurst: 1000 }
  const service = await startTestService(t, await sqliteDatabases.open(t), { settings })
  const lists = Object.fromEntries(
    (['tor', 'openProxy', 'vpnServer'] as const).map((kind) => [kind, { kind, url: `file://${join(folder, kind)}` }]),
  )
  for (const kind of Object.keys(lists) as (keyof typeof hostOnList)[]) {
    await writeFile(
      join(folder, kind),
      Object.values(places)
        .map(({ block }) => `${block}.${hostOnList[kind]}\n`)
        .join(''),
    )
  }
  await updateLists({ dataFolder: service.parts.settings.dataFolder, lists, now: service.clock.now() })
  await readLists(service)
  const androidCertificates = sampleOf.ANDROID.appIntegrity?.certificates ?? []
  return { service, app: await createApp(service, { settings: { androidCertificates } }) }
}

interface Answers {
  readonly report: DeviceReport
  readonly secure: SecureInfoDetail
  readonly contributions: ReportBasis['scores']['session']['contributions']
}

/** One session of a device without history: its report, its secure info, and the contributions to its score. */
async function answersTo(
  { service, app }: { service: TestService; app: App },
  platform: DevicePlatform,
  facts: Facts,
  { list = 'unlisted', headers = {}, attests }: Pick<Case, 'list' | 'headers' | 'attests'> = {},
): Promise<Answers> {
  const agent = platform === 'WEB' ? { 'user-agent': sampleOf.WEB.userAgent!, 'accept-language': 'en-GB' } : {}
  const forwarded = { 'x-forwarded-for': `${places[platform].block}.${hostOnList[list]}` }
  const client = await sdkClient(service, { app, platform, headers: { ...agent, ...forwarded, ...headers } })
  const call = client.engineBody(facts)
  const addition = attests ? await attesting(service, attests) : undefined
  const { requestId } = call
  const analysed = await client.post(endpoints.intelligence.path, { ...call, ...(await addition?.(call)) })
  assert.equal(analysed.status, 200, JSON.stringify(analysed.body))
  const { dfrId } = (await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))).body
  const { status, body } = await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: platform })
  assert.equal(status, 200, JSON.stringify(body))
  const keys = await service.parts.tenantKeyring.keysOf(service.tenantId)
  const row = { tenantId: service.tenantId, dfrId: dfrIdOf(requestId, keys) }
  const stored = await findAnalysis(service.parts.database, row, 0)
  const { scores } = basisOf(openRecord(stored!, keys, service.parts.compression).report!)
  const tokens = tokenCalls(service)
  const info = await tokens.secureInfo(await tokens.issue({ ...login, requestId }))
  assert.equal(info.status, 200, JSON.stringify(info.body))
  return { report: body, secure: info.body.secure_info, contributions: scores.session.contributions }
}

/** What the phone adds to its engine call. */
async function attesting(service: TestService, attests: NonNullable<Case['attests']>): Promise<Addition> {
  const { attested, played, publish, issuerSerial } = await attestingCalls(service)
  if (attests === 'controlled') {
    const appAccessRiskVerdict = { appsDetected: ['KNOWN_CONTROLLING'] }
    return played({ payload: { appIntegrity: {}, environmentDetails: { appAccessRiskVerdict } } })
  }
  const key = newPhoneKey()
  await publish({ [await issuerSerial(key)]: { status: 'REVOKED' } })
  return attested(key)
}

/** The verdicts in the report and in secure info, by name. */
function verdictsOf({ report, secure }: Answers): { report: Record<string, unknown>; secure: Record<string, unknown> } {
  const { factoryResetTime, newDevice: _, ...others } = report
  const flags = Object.entries(others).filter(([, value]) => typeof value === 'boolean')
  const { vpn, suspectScore: __, confidence: ___, factoryReset, incognito, ...detectors } = secure
  const methods = Object.entries(vpn?.methods ?? {}).map(([name, value]) => [`vpn.${name}`, value])
  return {
    report: { ...Object.fromEntries(flags), factoryResetTime },
    secure: {
      ...Object.fromEntries(Object.entries(detectors).map(([name, { result }]) => [name, result])),
      ...Object.fromEntries(methods),
      vpn: vpn?.result,
      incognito,
      factoryReset: factoryReset?.timestamp,
    },
  }
}

function differences(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => before[name] !== after[name]).toSorted()
}

const schemas = { WEB: WebFacts, IOS: IosFacts, ANDROID: AndroidFacts }

for (const platform of Object.keys(cases) as DevicePlatform[]) {
  test(`${platform}: changing one fact of the sample flips exactly its flag and its contribution to the score`, async (t) => {
    const place = await start(t)
    const sample = sampleOf[platform]
    assert.ok(Value.Check(schemas[platform], sample))
    for (const { beside = {}, changes = {}, list, headers, attests, ...expected } of cases[platform]) {
      const what = JSON.stringify({ ...changes, list, headers, attests })
      assert.ok(Value.Check(schemas[platform], { ...sample, ...beside, ...changes }), what)
      const before = await answersTo(place, platform, { ...sample, ...beside })
      const after = await answersTo(
        place,
        platform,
        { ...sample, ...beside, ...changes },
        { ...(list && { list }), ...(headers && { headers }), ...(attests && { attests }) },
      )
      assert.deepEqual([before.report.sessionRiskScore, before.secure.suspectScore], [0, { result: 0 }], what)
      const [was, is] = [verdictsOf(before), verdictsOf(after)]
      assert.deepEqual(
        { report: differences(was.report, is.report), secure: differences(was.secure, is.secure) },
        { report: expected.report.toSorted(), secure: expected.secure.toSorted() },
        what,
      )
      assert.deepEqual(
        after.contributions.map(({ source, weight }) => [source, weight]),
        expected.weighed.map((signal) => [signal, weights[signal].session]),
        what,
      )
      assert.deepEqual(after.secure.suspectScore, { result: expected.suspectScore ?? 0 }, what)
    }
  })
}

test('every weight fires for some change on some platform', () => {
  const weighed = new Set(Object.values(cases).flatMap((of) => of.flatMap((each) => each.weighed)))
  assert.deepEqual([...weighed].toSorted(), Object.keys(weights).toSorted())
})
