import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, readSamples, SdkConfig } from '@ringfence/contract'
import Value from 'typebox/value'
import { makeApiKey } from '../core/crypto/api-key.ts'
import { analysisOf } from '../device/store/find-analysis.ts'
import { androidPhone } from '../device/testdata/phones.ts'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import {
  createApp,
  type SdkClient,
  sdkClient,
  shopBundleId,
  shopOrigin,
  shopPackageName,
} from '../testing/sdk-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { apps } from './apps.ts'
import { changedSettings } from './changed-settings.ts'

const { path } = endpoints.sdkConfig
const samples = readSamples()

async function config(
  { url }: TestService,
  query: Record<string, string>,
  headers: Record<string, string> = {},
  method = 'GET',
) {
  const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, { method, headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('config starts a session of 15 minutes for a web site, an iOS app and an Android app'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service, { settings: { collect: { fonts: false, keychainId: false } } })
    for (const [platform, packageName] of [
      ['WEB', shopOrigin],
      ['IOS', shopBundleId],
      ['ANDROID', shopPackageName],
    ] as const) {
      const { status, body, headers } = await config(service, { packageName, platform }, { appId: app.id })
      assert.equal(status, 200)
      assert.deepEqual(Value.Errors(SdkConfig, body), [])
      assert.match(body.sessionId, /^[0-9a-f-]{36}-1772366400$/)
      assert.match(body.sessionToken, /^rfb_[\w-]{150,250}$/)
      assert.equal(body.expiresAt, '2026-03-01T12:15:00.000Z')
      assert.deepEqual([body.collect.fonts, body.collect.keychainId], [false, false])
      assert.equal(body.collect.diskSpace, { WEB: undefined, IOS: false, ANDROID: true }[platform])
      assert.equal(body.collect.userAgent, platform === 'WEB' ? true : undefined)
      assert.equal(body.collect.jailbreakTraces, platform === 'IOS' ? true : undefined)
      assert.equal(headers.get('cache-control'), 'no-store')
    }
  })

  test(
    it('returns 401 for a malformed or disabled app id or an unlisted package, and 404 for an unknown app'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const app = await createApp(service)
      const web = { packageName: shopOrigin, platform: 'WEB' }
      const refused = async (
        status: number,
        sample: string,
        query: Record<string, string>,
        headers: Record<string, string>,
      ) => {
        const answer = await config(service, query, headers)
        const { errorMessage } = samples.DeviceErrorBody![sample] as { errorMessage: string }
        assert.deepEqual(answer.body, { requestId: answer.headers.get('x-request-id'), errorMessage })
        assert.equal(answer.status, status)
      }
      await refused(401, 'app-id-malformed', web, {})
      await refused(401, 'app-id-malformed', web, { appId: `${app.id}x` })
      await refused(401, 'app-id-malformed', web, { appId: makeApiKey('rfc') })
      await refused(404, 'app-unknown', web, { appId: makeApiKey('rfa') })
      await refused(401, 'origin-unlisted', web, { appId: app.id, origin: 'https://evil.example' })
      await refused(401, 'origin-unlisted', web, { appId: app.id, origin: 'null' })
      const missing = await config(service, { platform: 'WEB' }, { appId: app.id })
      assert.deepEqual(
        [missing.status, missing.body.errorMessage],
        [400, 'packageName is missing: send the bundle id, package name, or origin of the page'],
      )
      const wrong = await config(service, { packageName: shopOrigin, platform: 'web' }, { appId: app.id })
      assert.equal(wrong.status, 400)
      assert.equal(wrong.body.errorMessage, 'platform must be one of WEB, IOS, ANDROID; did you mean WEB?')
      await service.parts.apps.disable(app.id)
      await refused(401, 'app-disabled', web, { appId: app.id })
    },
  )

  test(
    it('names the package that an app does not list, if it can be one, and the command that lists it'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { id: appId } = await createApp(service)
      const refused = async (platform: string, packageName: string, mistake: string, option: string) => {
        const { status, body, headers } = await config(service, { packageName, platform }, { appId })
        const todo = `. List it beside the others: npx ringfence apps update ${appId} ${option} ${option.split(' ')[0]} …`
        assert.deepEqual([status, body.errorMessage], [401, `The app does not list the ${mistake}${todo}`])
        assert.equal(headers.get('x-ringfence-notice'), null)
      }
      const debug = 'com.example.shop.debug'
      await refused('ANDROID', debug, `package name ${debug}`, `--package-name ${debug}`)
      await refused('IOS', shopPackageName, `bundle id ${shopPackageName}`, `--bundle-id ${shopPackageName}`)
      await refused('IOS', shopOrigin, 'bundle id that was sent', '--bundle-id …')
      await refused('ANDROID', 'a;rm -rf /', 'package name that was sent', '--package-name …')
      await refused('WEB', 'https://evil.example', 'origin https://evil.example', '--origin https://evil.example')
      await refused('WEB', 'https://evil.example/$(id)', 'origin that was sent', '--origin …')
      for (const host of ['$(reboot).example', 'a;reboot;.example', '`reboot`.example', "a'&&reboot&&'.example", 'a|b'])
        await refused('WEB', `https://${host}`, 'origin that was sent', '--origin …')
      for (const option of ['--help', '-rf', '--data.folder'])
        await refused('IOS', option, 'bundle id that was sent', '--bundle-id …')
      for (const option of ['--help', '-rf', 'rf', '1.2', `com.${'a'.repeat(252)}`])
        await refused('ANDROID', option, 'package name that was sent', '--package-name …')
    },
  )

  test(it('an app switches a fact off for versions of a system, and then no report of these lacks it'), async (t) => {
    const service = await startTestService(t, await open(t))
    const versions = ['ANDROID 8', 'ANDROID 14.1', 'IOS 17.4']
    const settings = {
      collect: { networkInterfaces: versions, diskSpace: versions, drmId: versions, androidId: versions },
    }
    const app = await createApp(service, { settings })
    const { drmId: _, androidId, networkInterfaces: ___, ...facts } = androidPhone().facts
    const lacking = async (client: SdkClient, sent: object) => {
      const { requestId } = await client.analyse(sent)
      const analysis = await analysisOf({ requestId }, service, service.parts)
      const verdict = analysis?.judgement.verdicts.missingFacts as { facts?: readonly string[] } | undefined
      return verdict?.facts
    }
    const all = ['networkInterfaces', 'drmId', 'androidId']
    for (const [platform, systemVersion, isCollected, missing] of [
      ['ANDROID', '8', false, undefined],
      ['ANDROID', '8.1.0', false, undefined],
      ['ANDROID', '14.1', false, undefined],
      ['ANDROID', '14', true, ['networkInterfaces']],
      ['ANDROID', '80', true, ['networkInterfaces']],
      ['ANDROID', undefined, true, ['networkInterfaces']],
      ['IOS', '17.4.1', false, undefined],
      ['IOS', '17.5', true, undefined],
    ] as const) {
      const client = await sdkClient(service, { app, platform, ...(systemVersion && { systemVersion }) })
      assert.equal(client.collect.networkInterfaces, isCollected, `${platform} ${systemVersion}`)
      assert.equal(client.collect.diskSpace, platform === 'ANDROID' && isCollected, 'versions switch nothing on')
      if (platform === 'IOS') continue
      const said = { ...facts, deviceModel: { ...facts.deviceModel, systemVersion } }
      assert.deepEqual(await lacking(client, { ...said, androidId }), missing, `${platform} ${systemVersion}`)
      const none = await lacking(client, said)
      assert.deepEqual(none, isCollected ? all : ['androidId'], 'a list excuses no phone from its last id')
      const forged = { ...facts, deviceModel: { ...facts.deviceModel, systemVersion: '14' } }
      const silent = { ...facts, deviceModel: { ...facts.deviceModel, systemVersion: undefined } }
      for (const other of [forged, ...(systemVersion ? [silent] : [])]) {
        assert.deepEqual(await lacking(client, other), all, 'facts of another version, or of none')
      }
    }
    const long = { packageName: shopPackageName, platform: 'ANDROID', systemVersion: '1'.repeat(65) }
    assert.equal((await config(service, long, { appId: app.id })).status, 400)
    for (const collect of [{ drmId: ['ANDROID'] }, { drmId: ['14'] }, { drmId: ['WEB 1'] }, { drmId: 'ANDROID 14' }])
      assert.throws(() => changedSettings({}, { collect }), /^Error: collect\.drmId/)
  })

  test(it('another server uses a change of an app within a second'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const client = await sdkClient(service)
    const query = { packageName: shopOrigin, platform: 'WEB' }
    const ask = () => config(service, query, { appId: client.app.id })
    assert.equal((await ask()).status, 200)
    await apps(database, service.clock).update({ ...client.app, origins: ['https://new.example'] })
    service.clock.advance({ seconds: 1 })
    assert.equal((await ask()).status, 401)
    assert.equal(
      (await config(service, { ...query, packageName: 'https://new.example' }, { appId: client.app.id })).status,
      200,
    )
  })
})

const { open } = sqliteDatabases

test('http://localhost:* allows any port of this machine and nothing else', async (t) => {
  const service = await startTestService(t, await open(t))
  const app = await createApp(service, { origins: ['http://localhost:*'] })
  const statusOf = async (packageName: string) =>
    (await config(service, { packageName, platform: 'WEB' }, { appId: app.id, origin: packageName })).status
  assert.equal(await statusOf('http://localhost:5173'), 200)
  assert.equal(await statusOf('http://localhost'), 200)
  for (const other of [
    'https://localhost:5173',
    'http://127.0.0.1:5173',
    'http://localhost.evil.example:80',
    'http://localhost:5173.evil.example',
    'http://localhost:*',
    'http://localhost:123456',
  ]) {
    assert.equal(await statusOf(other), 401, other)
  }
})

test('answers a preflight with 204 for an origin that any app lists, otherwise with 401', async (t) => {
  const service = await startTestService(t, await open(t))
  await createApp(service)
  const asks = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'appid' }
  const { status, headers, body } = await config(service, {}, { origin: shopOrigin, ...asks }, 'OPTIONS')
  assert.deepEqual([status, body], [204, undefined])
  assert.equal(headers.get('access-control-allow-origin'), shopOrigin)
  assert.equal(headers.get('access-control-allow-methods'), 'GET')
  assert.equal(headers.get('access-control-allow-credentials'), 'true')
  assert.match(headers.get('access-control-allow-headers') ?? '', /appid, authorization, content-type/)
  assert.equal(headers.get('vary'), 'Origin')
  for (const origin of ['https://evil.example', 'http://shop.example', 'https://shop.example:8443', 'null']) {
    const refused = await config(service, {}, { origin, ...asks }, 'OPTIONS')
    assert.equal(refused.status, 401)
    assert.equal(refused.headers.get('access-control-allow-origin'), null)
  }
  const plain = await config(service, {}, {}, 'OPTIONS')
  assert.deepEqual([plain.status, plain.headers.get('allow')], [405, 'GET, OPTIONS'])
  for (const method of ['HEAD', 'POST']) assert.equal((await config(service, {}, {}, method)).status, 405)
})

test('a page of a listed origin can read answers, refusals and x-request-id, and another page nothing', async (t) => {
  const service = await startTestService(t, await open(t))
  const app = await createApp(service)
  const foreign = await createApp(service, { origins: ['https://other.example'] })
  const query = { packageName: shopOrigin, platform: 'WEB' }
  for (const [appId, status] of [
    [app.id, 200],
    [makeApiKey('rfa'), 404],
    [foreign.id, 401],
  ] as const) {
    const answer = await config(service, query, { appId, origin: shopOrigin })
    assert.equal(answer.status, status)
    assert.equal(answer.headers.get('access-control-allow-origin'), shopOrigin)
    assert.equal(answer.headers.get('access-control-expose-headers'), 'x-request-id, retry-after')
    assert.equal(answer.headers.get('vary'), 'Origin')
  }
  const evil = await config(service, query, { appId: app.id, origin: 'https://evil.example' })
  assert.deepEqual([evil.status, evil.headers.get('access-control-allow-origin')], [401, null])
  assert.equal(evil.headers.get('vary'), 'Origin')
  const ofClient = await service.post(endpoints.simSwapCheck.path, {}, { origin: shopOrigin })
  assert.equal(ofClient.headers.get('access-control-allow-origin'), null, 'calls with a secret are not for browsers')
})

test('refuses a page whose origin is not one of the app, whichever platform it claims', async (t) => {
  const service = await startTestService(t, await open(t))
  const app = await createApp(service)
  // Another app lists this origin, so its pages can read the answers.
  const origin = 'https://other.example'
  await createApp(service, { origins: [origin] })
  for (const [platform, packageName] of [
    ['IOS', shopBundleId],
    ['ANDROID', shopPackageName],
  ] as const) {
    const answer = await config(service, { packageName, platform }, { appId: app.id, origin })
    assert.equal(answer.status, 401)
    assert.deepEqual(answer.body.errorMessage, 'The app does not list the origin of this page')
    const client = await sdkClient(service, { app, platform })
    const body = client.engineBody({})
    assert.equal((await client.post(endpoints.intelligence.path, body, { origin })).status, 401)
    assert.equal((await client.post(endpoints.signInStatus.path, { transactionId: 'x' }, { origin })).status, 401)
    assert.equal(
      (await client.post(endpoints.intelligence.path, body)).status,
      200,
      'an app is not a page and has no origin',
    )
  }
})

test('allows 50 calls at once per app and IP address, then returns 429 with Retry-After; other IP addresses and apps continue', async (t) => {
  const settings = { trustedProxies: '127.0.0.1', overloadDelayMs: 60_000 }
  const service = await startTestService(t, await open(t), { settings })
  const [app, other] = [await createApp(service), await createApp(service)]
  const ask = (from: string, appId = app.id) =>
    config(service, { packageName: shopOrigin, platform: 'WEB' }, { appId, 'x-forwarded-for': from })
  for (let count = 0; count < 50; count++) assert.equal((await ask('198.51.100.7')).status, 200)
  const limited = await ask('198.51.100.7')
  assert.deepEqual([limited.status, limited.body.errorMessage], [429, 'Rate limit exceeded'])
  assert.match(limited.headers.get('retry-after') ?? '', /^[1-5]$/)
  assert.equal(limited.headers.get('ratelimit-policy'), '"app";q=50;w=5')
  assert.equal((await ask('198.51.100.8')).status, 200)
  assert.equal((await ask('198.51.100.7', other.id)).status, 200)
  for (let count = 0; count < 50; count++) assert.equal((await ask(`2001:db8::${count}`)).status, 200)
  assert.equal((await ask('2001:db8::ffff')).status, 429, 'a subscriber has a whole /64')
  assert.equal((await ask('2001:db8:0:1::1')).status, 200)
})

test('iOS collects diskSpace only if the app switches it on', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  for (const [collect, expected] of [
    [{}, false],
    [{ diskSpace: true }, true],
  ] as const) {
    const app = await createApp(service, { settings: { collect } })
    const client = await sdkClient(service, { app, platform: 'IOS', packageName: shopBundleId })
    assert.equal(client.collect.diskSpace, expected)
  }
})
