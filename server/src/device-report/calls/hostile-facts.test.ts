import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { AndroidFacts, endpoints, readSamples } from '@ringfence/contract'
import { readFacts, type Shape } from '../../device/analysis/read-facts.ts'
import { readUpdateInfo } from '../../device/analysis/update-info.ts'
import { analysisOf } from '../../device/store/find-analysis.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { createApp, ordinaryFacts, sdkClient, shopOrigin } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'

const { open } = sqliteDatabases
const { path } = endpoints.intelligence

const stored = async (service: TestService, requestId: string) => {
  const analysis = await analysisOf({ requestId }, service, service.parts)
  assert.ok(analysis)
  return analysis
}

test('drops and names facts of wrong types, of the prototype and with lone surrogates', () => {
  const hostile = JSON.parse(`{
    "userAgent": 7, "language": null, "languages": "en", "screen": { "width": "1920" }, "vendor": "\\ud800",
    "mediaQueries": { "__proto__": "x" }, "plugins": ["\\udfff"], "fonts": { "length": 3 },
    "platform": "Win32", "__proto__": { "isAdmin": true }, "constructor": {}, "factOfANewerSdk": [1]
  }`)
  const { facts, malformedFacts } = readFacts(hostile)
  assert.deepEqual(facts, { platform: 'Win32' })
  assert.deepEqual(malformedFacts.toSorted(), [
    '__proto__',
    'constructor',
    'fonts',
    'language',
    'languages',
    'mediaQueries',
    'plugins',
    'screen',
    'userAgent',
    'vendor',
  ])
  assert.equal(Reflect.get({}, 'isAdmin'), undefined)
})

test('reads only the facts of the session’s platform', () => {
  const facts = readSamples().IosFacts?.everything as Record<string, unknown>
  assert.deepEqual(readFacts(facts, 'IOS'), { facts, malformedFacts: [], unknownFacts: 0 })
  const read = readFacts({ ...facts, userAgent: 'x', location: { latitude: 91 }, proxy: 'on', timezone: 1 }, 'IOS')
  assert.deepEqual(read.malformedFacts.toSorted(), ['location', 'proxy', 'timezone'])
  assert.equal(read.facts.userAgent, undefined)
  assert.deepEqual(Object.keys(readFacts(facts, 'WEB').facts).toSorted(), [
    'devicePixelRatio',
    'language',
    'languages',
    'locale',
    'screen',
    'timezone',
    'timezoneOffset',
  ])
})

test('reads only the known parts of a fact, with their types', async (t) => {
  const parts = { networkInterfaces: { scopedTunnels: 'utun3', routableTunnels: [] }, screen: { width: 1, depth: {} } }
  assert.deepEqual(readFacts(parts, 'ANDROID').facts, {
    networkInterfaces: { routableTunnels: [] },
    screen: { width: 1 },
  })
  const workerScope = { userAgent: 'x', facts: JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) }
  const mediaQueries = { 'any-pointer': 'fine' }
  assert.deepEqual(readFacts({ workerScope, mediaQueries }).facts, { workerScope: { userAgent: 'x' }, mediaQueries })

  const service = await startTestService(t, await open(t))
  const app = await createApp(service)
  const ios = readSamples().IosFacts!.everything as object
  for (const platform of ['ANDROID', 'IOS'] as const) {
    const client = await sdkClient(service, { app, platform })
    assert.equal((await client.post(path, client.engineBody({ ...ios, ...parts }))).status, 200)
  }
})

/** A value with texts and lists that are `more` longer than its schema allows. */
function longValue(shape: Shape, more: number): unknown {
  if (shape.maxLength !== undefined) return 'x'.repeat(shape.maxLength + more)
  if (shape.items) return Array((shape.maxItems ?? 0) + more).fill(longValue(shape.items, more) ?? 80)
  if (!shape.properties) return undefined
  const parts = Object.entries(shape.properties).map(([name, part]) => [name, longValue(part, more)])
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined))
}

test('cuts texts and lists of an Android phone to the lengths of the contract, so that none costs the rest of its fact', () => {
  const facts = Object.entries(AndroidFacts.properties as Readonly<Record<string, Shape>>)
  const ofParts = facts.filter(([, { properties, items }]) => properties || items)
  assert.ok(ofParts.length > 15)
  for (const [name, shape] of ofParts) {
    const longest = longValue(shape, 0)
    const read = readFacts({ [name]: longValue(shape, 3) }, 'ANDROID')
    assert.deepEqual(read, { facts: { [name]: longest }, malformedFacts: [], unknownFacts: 0 }, name)
  }
  const display = 'sdk_gphone64_x86_64-userdebug 15 AE3A.240806.005 12228598 dev-keys'
  const { deviceModel } = readFacts({ deviceModel: { brand: 'google', systemBuild: display } }, 'ANDROID').facts
  assert.deepEqual(deviceModel, { brand: 'google', systemBuild: display.slice(0, 64) })
  const odd = { appIntegrity: { version: `${'x'.repeat(63)}\u{1f642}` } }
  assert.deepEqual(readFacts(odd, 'ANDROID').facts, { appIntegrity: { version: 'x'.repeat(63) } })
})

test('never cuts an id, since half of it would be that of another device', () => {
  for (const name of ['androidId', 'drmId'])
    assert.deepEqual(readFacts({ [name]: 'a'.repeat(129) }, 'ANDROID'), {
      facts: {},
      malformedFacts: [name],
      unknownFacts: 0,
    })
})

test('drops and names impossible numbers, such as 1e+300 bytes', () => {
  const phone = { memory: { totalBytes: 1e21 }, diskSpace: { totalBytes: 2 ** 53 }, screen: { nativeWidth: -1 } }
  for (const platform of ['IOS', 'ANDROID'] as const) {
    const malformedFacts = Object.keys({ ...phone, devicePixelRatio: 1e300, timezoneOffset: -1e300 })
    const read = readFacts({ ...phone, devicePixelRatio: 1e300, timezoneOffset: -1e300 }, platform)
    assert.deepEqual(read, { facts: {}, malformedFacts, unknownFacts: 0 })
  }
  const browser = { screen: { width: 2 ** 31 }, devicePixelRatio: -1, timezoneOffset: 1441 }
  assert.deepEqual(readFacts(browser), { facts: {}, malformedFacts: Object.keys(browser), unknownFacts: 0 })
  const largest = { screen: { width: 2 ** 31 - 1, availLeft: -1920 }, devicePixelRatio: 0.25, timezoneOffset: -840 }
  assert.deepEqual(readFacts(largest), { facts: largest, malformedFacts: [], unknownFacts: 0 })
})

test('reads every fact of an ordinary browser unchanged', () => {
  assert.deepEqual(readFacts(ordinaryFacts), { facts: ordinaryFacts, malformedFacts: [], unknownFacts: 0 })
})

test('4.7.2 drops unknown keys and invalid enum strings of updateInfo', () => {
  assert.deepEqual(
    readUpdateInfo({
      userId: 'u',
      phoneNumber: 917020141726,
      phoneInputType: 'COPY_PASTED',
      otpInputType: 'GOOGLE_HINT',
      userEventType: 'login',
      merchantId: null,
      additionalInput: { orderId: 'A-17', amount: 7, nested: {} },
      unknown: 'x',
    }),
    { userId: 'u', phoneInputType: 'COPY_PASTED', additionalInput: { orderId: 'A-17' } },
  )
})

test('stores the verdicts of an analysis, but not the facts themselves', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { trustedProxies: '127.0.0.1' } })
  const client = await sdkClient(service, { headers: { 'x-forwarded-for': '8.8.8.8', 'accept-language': 'en-GB' } })
  const { requestId } = await client.analyse(
    { ...ordinaryFacts, vendor: 7, canvas: { geometry: 'drawn-by-the-test', text: 'x' } },
    { updateInfo: { userEventType: 'LOGIN' }, unknownField: 1 },
  )
  const analysis = await stored(service, requestId)
  const { evidence, deviceInfo, updateInfo, packageName, network, judgement } = analysis
  assert.deepEqual([evidence.malformedFacts, deviceInfo.vendor, deviceInfo.language], [['vendor'], undefined, 'en-GB'])
  assert.equal(evidence.now, service.clock.now())
  for (const forgotten of ['drawn-by-the-test', client.sessionToken, 'sec-ch-ua']) {
    assert.ok(!JSON.stringify(analysis).includes(forgotten), forgotten)
  }
  assert.equal(network?.ip, '8.8.8.8')
  assert.equal(network?.ipLocation.country?.code, 'US')
  assert.deepEqual([updateInfo, packageName], [{ userEventType: 'LOGIN' }, shopOrigin])
  assert.equal(typeof judgement.verdicts, 'object')
})

test('returns 413 for a large body, and 400 for broken JSON or a wrong field', async (t) => {
  const service = await startTestService(t, await open(t))
  const client = await sdkClient(service)
  const large = await client.post(path, client.engineBody({ userAgent: 'x'.repeat(300_000) }))
  assert.deepEqual([large.status, large.body.errorMessage], [413, 'The body may have at most 262144 bytes'])
  const fits = client.engineBody({ ...ordinaryFacts, notOurs: Array(4).fill('x'.repeat(50_000)) })
  const deep = JSON.stringify(client.engineBody({ deep: 1 })).replace(
    '"deep":1',
    `"deep":${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  )
  for (const broken of ['{', deep, JSON.stringify(client.engineBody()).slice(0, -1), '"\ud800"', '']) {
    const { status, body } = await client.post(path, broken)
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body), ['requestId', 'errorMessage'])
    assert.notEqual(body.requestId, '')
  }
  const text = ': The id that the SDK generates for each analysis'
  for (const [field, value, message] of [
    ['requestId', 'short', `must match pattern "^[A-Za-z0-9-]{16,64}$"${text}`],
    ['requestId', '../../../../etc/passwd', `must match pattern "^[A-Za-z0-9-]{16,64}$"${text}`],
    ['challenge', undefined, /^challenge is missing/],
    ['platform', 'web', 'must be one of WEB, IOS, ANDROID; did you mean WEB?'],
    ['platform', undefined, 'is missing; it must be one of WEB, IOS, ANDROID'],
    ['tsId', 7, 'must be a string: The id of the session, `<UUID>-<epoch seconds>`'],
    ['inId', '', 'must not be empty: The id of the installation, `<UUID>-<epoch seconds>`'],
    ['facts', null, /^facts must be an object: /],
    ['facts', [], /^facts must be an object: /],
    ['updateInfo', 'x', /^updateInfo must be an object: /],
  ] as const) {
    const { status, body } = await client.post(path, client.engineBody({}, { [field]: value }))
    assert.equal(status, 400)
    if (typeof message === 'string') assert.equal(body.errorMessage, `${field} ${message}`)
    else assert.match(body.errorMessage, message)
  }
  assert.equal((await client.post(path, fits)).status, 200, 'and none of them took the challenge')
})

test('recognises a browser by its signed token, and records a forged one', async (t) => {
  const service = await startTestService(t, await open(t))
  const client = await sdkClient(service)
  const first = await client.post(path, client.engineBody({}))
  const { deviceToken, nextChallenge } = first.body
  assert.match(deviceToken, /^[0-9a-f-]{36}\.[0-9a-z]+\.-\.[A-Za-z0-9_-]{43}$/)
  const cookie = first.headers.get('set-cookie') ?? ''
  assert.match(cookie, /^ringfence_device_[0-9a-f]{8}=[^;]+; Max-Age=34560000; Path=\/sdk\/v1; HttpOnly; SameSite=Lax$/)
  const [pair = ''] = cookie.split(';')
  assert.equal(pair.split('=')[1], deviceToken)

  const stranger = await service.parts.tenantKeyring.createTenant('stranger')
  const foreignApp = await createApp(service, {}, stranger.id)
  const foreign = (await (await sdkClient(service, { app: foreignApp })).analyse()).deviceToken ?? ''
  const deviceId: string = deviceToken.slice(0, 36)
  const forged = deviceToken.replace(/^./, (digit: string) => (digit === 'a' ? 'b' : 'a'))

  let challenge = nextChallenge
  const ask = async (facts: object, headers: Record<string, string> = {}) => {
    // Another installation each time: first visits of one installation at once are one device.
    const body = client.engineBody(facts, { challenge, inId: `${randomUUID()}-1770000000` })
    const { body: answer } = await client.post(path, body, headers)
    challenge = answer.nextChallenge
    const { deviceId: known, deviceInfo, evidence } = await stored(service, body.requestId)
    assert.equal(deviceInfo.deviceId, known)
    return { token: answer.deviceToken, known, noticed: evidence.deviceToken }
  }
  const same = { token: deviceToken, known: deviceId, noticed: 'known' }
  assert.deepEqual(await ask({ deviceToken }), same)
  assert.deepEqual(await ask({}, { cookie: `theme=dark; ${pair}` }), same)
  assert.deepEqual(await ask({ deviceToken: 'nonsense' }, { cookie: pair }), { ...same, noticed: 'forged' })
  for (const wrong of [forged, foreign, `${deviceId}.`, 'x', '']) {
    const { token, known, noticed } = await ask({ deviceToken: wrong })
    assert.equal(noticed, 'forged', wrong)
    assert.ok(![deviceId, foreign.split('.')[0]].includes(known))
    assert.notEqual(token, wrong)
  }
  const none = await ask({})
  assert.equal(none.noticed, undefined)
})

test('sets a __Host- cookie over HTTPS, and no token for an iOS app', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { baseUrl: 'https://id.example' } })
  const web = await sdkClient(service)
  const { headers } = await web.post(path, web.engineBody({}))
  const cookie = headers.get('set-cookie') ?? ''
  assert.match(cookie, /^__Host-ringfence_device_[0-9a-f]{8}=.*; Path=\/; HttpOnly; SameSite=None; Secure$/)
  const [pair = ''] = cookie.split(';')
  // One of before the prefix is followed, unless the browser has both.
  for (const sent of [
    pair,
    pair.replace('__Host-', ''),
    `${pair.replace('__Host-', '').replace(/=.*/, '=x')}; ${pair}`,
  ]) {
    const again = await sdkClient(service, { app: web.app })
    const { body } = await again.post(path, again.engineBody({}), { cookie: sent })
    assert.equal(body.deviceToken, pair.slice(pair.indexOf('=') + 1))
  }
  const ios = await sdkClient(service, { platform: 'IOS', app: web.app })
  const answer = await ios.post(path, ios.engineBody({}))
  assert.deepEqual([answer.status, answer.body.deviceToken, answer.headers.get('set-cookie')], [200, undefined, null])
})

test('returns 401 after 15 minutes, for a disabled app and for another origin', async (t) => {
  const service = await startTestService(t, await open(t))
  const client = await sdkClient(service)
  const statusOf = async (headers = {}) => {
    const { status, body } = await client.post(path, client.engineBody(), headers)
    return [status, body.errorMessage]
  }
  const invalid = [401, 'The session token is missing, unknown or expired; initialize the SDK again']
  assert.deepEqual(await statusOf({ authorization: '' }), invalid)
  assert.deepEqual(await statusOf({ authorization: `Basic ${client.sessionToken}` }), invalid)
  const mistyped = client.sessionToken.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))
  assert.deepEqual(await statusOf({ authorization: `Bearer ${mistyped}` }), invalid)
  assert.deepEqual(await statusOf({ appId: 'rfa_other' }), invalid)
  assert.deepEqual(await statusOf({ origin: 'https://evil.example' }), [
    401,
    'The app does not list the origin of this page',
  ])
  service.clock.advance({ seconds: 15 * 60 })
  assert.deepEqual(await statusOf(), invalid)
  service.clock.advance({ seconds: -1 })
  assert.equal((await statusOf())[0], 200)
  await service.parts.apps.disable(client.app.id)
  assert.deepEqual(await statusOf(), [401, 'This app is disabled'])
})
