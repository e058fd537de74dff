import assert from 'node:assert/strict'
import { before } from 'node:test'
import { inEachBrowser } from './testing/browser-tests.ts'
import { appId } from './testing/fake-service.ts'
import { bundleSdk, type Failure, openInitialized, openSdkPage, setUp } from './testing/sdk-page.ts'

let script: string
before(async () => {
  script = await bundleSdk()
})

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const sdkId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}-\d{10}$/

/** `isTokenStored` in the page resolves when IndexedDB has the device token. */
const notingTokens = `globalThis.isTokenStored = new Promise((resolve) => {
  const { put } = IDBObjectStore.prototype
  IDBObjectStore.prototype.put = function (value, name) {
    if (name.startsWith('deviceToken.')) this.transaction.addEventListener('complete', () => resolve())
    return put.call(this, value, name)
  }
})`

/** Runs in the page. */
const failureOfFetch = () =>
  ringfence.fetchIntelligence().then(
    () => assert.fail('it did not fail'),
    ({ code, message, requestId, status }) => ({ code, message, requestId, status }) as Failure,
  )

inEachBrowser((test) => {
  test('4.7: initialize opens a session and sets isInitialized', async (t, browser) => {
    const page = await openSdkPage(t, browser, script)
    assert.equal(await page.evaluate(() => ringfence.isInitialized, null), false)
    const answers = await page.evaluate(
      (id) => Promise.all([ringfence.initialize(id), ringfence.initialize(id)]),
      appId,
    )
    assert.deepEqual(answers, [true, true])
    assert.equal(await page.evaluate(() => ringfence.isInitialized, null), true)
    assert.deepEqual(page.service.calls, [
      { name: 'device-fingerprint/config', body: { packageName: page.service.url, platform: 'WEB' }, text: '' },
    ])
    assert.deepEqual((await page.recorded()).events, [['initialized', { success: true }]])
  })

  test('initialize returns false for an unknown app and without a connection, and can be called again', async (t, browser) => {
    const page = await openSdkPage(t, browser, script)
    assert.equal(await page.evaluate(() => ringfence.initialize('rfa_other'), null), false)
    assert.equal(page.service.calls.length, 1)
    page.service.respondNext('device-fingerprint/config', 'breaks', 'breaks', 'breaks', 'breaks')
    assert.equal(await page.evaluate((id) => ringfence.initialize(id), appId), false)
    assert.equal(await page.evaluate(() => ringfence.isInitialized, null), false)
    assert.equal(await page.evaluate((id) => ringfence.initialize(id), appId), true)
    assert.equal(await page.evaluate(() => ringfence.isInitialized, null), true)
  })

  test('7.4: fetchIntelligence fails with notConfigured before initialize has succeeded', async (t, browser) => {
    const page = await openSdkPage(t, browser, script)
    const expected = { code: 'notConfigured', message: 'SDK not initialised', requestId: undefined, status: undefined }
    assert.deepEqual({ ...expected, ...(await page.evaluate(failureOfFetch, null)) }, expected)
    await page.evaluate(() => ringfence.initialize('rfa_other'), null)
    assert.deepEqual({ ...expected, ...(await page.evaluate(failureOfFetch, null)) }, expected)
  })

  test('4.7 rules 1 and 2: the engine call sends facts, the push sends params without reserved keys', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    const answer = await page.evaluate(
      () =>
        ringfence.fetchIntelligence(
          {
            orderId: 'o-1',
            cart: { lines: [1, null] },
            platform: 'IOS',
            data: 'mine',
            tsId: 't',
            inId: 'i',
            appId: 'a',
          },
          { userEventType: 'LOGIN', additionalInput: { a: 'b' } },
        ),
      null,
    )
    const [, engine, push] = page.service.calls
    const { requestId, facts, tsId, inId, challenge, proof, factsMissing, ...rest } = engine!.body
    assert.equal(engine!.name, 'intelligence')
    assert.match(tsId, sdkId)
    assert.match(inId, sdkId)
    assert.ok(challenge)
    assert.ok(facts.userAgent && facts.plugins && facts.screen)
    assert.equal('math' in facts, false, 'the service switched it off')
    const updateInfo = { userEventType: 'LOGIN', additionalInput: { a: 'b' } }
    assert.deepEqual(rest, { platform: 'WEB', sdkVersion: '0.1.0', updateInfo, carry: true })
    assert.deepEqual(Object.keys(proof), ['publicKey', 'signature'])
    assert.equal(factsMissing.blobStorage, 'unavailable', 'only WebKit has it')
    assert.equal('math' in factsMissing, false)
    assert.equal(push!.name, 'device-fingerprint')
    const reserved = {
      data: { requestId, analysis: `sealed-of-${requestId}` },
      status: 'SUCCESS',
      requestId,
      message: '',
      tsId,
      inId,
      platform: 'WEB',
      appId,
    }
    assert.deepEqual(push!.body, { orderId: 'o-1', cart: { lines: [1, null] }, ...reserved })
    assert.deepEqual(answer, { requestId, dfrId: `dfr-of-${requestId}` })
    assert.deepEqual((await page.recorded()).events.at(-1), ['fingerprinted', answer])
  })

  test('the push has no analysis when the service returns none', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    page.service.respondNext('intelligence', [200, { requestId: 'r', sessionId: 's', nextChallenge: 'n' }])
    await page.evaluate(() => ringfence.fetchIntelligence(), null)
    const [push] = page.service.callsTo('device-fingerprint')
    assert.deepEqual(Object.keys(push!.body.data), ['requestId'])
    assert.deepEqual(
      page.service.callsTo('intelligence').map(({ body }) => body.carry),
      [true],
    )
  })

  test('concurrent calls each use their own challenge', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    const answers = await page.evaluate(
      () => Promise.all([ringfence.fetchIntelligence(), ringfence.secure(), ringfence.fetchIntelligence()]),
      null,
    )
    assert.equal(answers[1], 'secure-token')
    const names = page.service.calls.map(({ name }) => name)
    assert.equal(names.filter((name) => name === 'device-fingerprint/config').length, 1)
    const sent = [...page.service.callsTo('intelligence'), ...page.service.callsTo('secure')]
    assert.equal(new Set(sent.map(({ body }) => body.challenge)).size, 3)
    assert.equal(new Set(sent.map(({ body }) => body.requestId)).size, 3)
  })

  test('the device token survives a reload and a cleared localStorage; the installation id survives a reload', async (t, browser) => {
    const page = await openSdkPage(t, browser, script, notingTokens)
    await page.evaluate((id) => ringfence.initialize(id).then(() => ringfence.fetchIntelligence()), appId)
    // The SDK waits for no copy of the token: a page that is left at once may not have stored this one.
    await page.evaluate(() => (globalThis as unknown as { isTokenStored: Promise<void> }).isTokenStored, null)
    await page.goto(page.service.url)
    await page.evaluate(setUp, null)
    await page.evaluate((id) => ringfence.initialize(id).then(() => ringfence.fetchIntelligence()), appId)
    await page.evaluate(() => localStorage.clear(), null)
    await page.goto(page.service.url)
    await page.evaluate(setUp, null)
    await page.evaluate((id) => ringfence.initialize(id).then(() => ringfence.fetchIntelligence()), appId)
    const [first, second, third] = page.service.callsTo('intelligence').map(({ body }) => body)
    assert.equal(first.inId, second.inId)
    assert.notEqual(second.inId, third.inId)
    const tokens = [first, second, third].map(({ facts }) => facts.deviceToken)
    assert.deepEqual(tokens, [undefined, 'device-token', 'device-token'])
  })

  test('a page without storage is fingerprinted', async (t, browser) => {
    const page = await openSdkPage(
      t,
      browser,
      script,
      `for (const name of ['localStorage', 'indexedDB']) Object.defineProperty(window, name, { get() { throw new Error(name) } })`,
    )
    await page.evaluate((id) => ringfence.initialize(id), appId)
    await page.evaluate(() => ringfence.fetchIntelligence().then(() => ringfence.fetchIntelligence()), null)
    const [first, second] = page.service.callsTo('intelligence').map(({ body }) => body)
    assert.equal(first.inId, second.inId)
    assert.deepEqual([first.facts.deviceToken, second.facts.deviceToken], [undefined, 'device-token'])
  })

  test('4.7 rule 3: each call is attempted four times, after 500, 1000 and 2000 ms, with the same body', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    page.service.respondNext('intelligence', [503, { requestId: 'r-9', errorMessage: 'Busy' }], 'breaks', [200, {}])
    page.service.respondNext(
      'device-fingerprint',
      [200, { status: 'ok' }],
      [500, null],
      [429, { errorMessage: 'Slowly' }],
    )
    const { dfrId } = await page.evaluate(() => ringfence.fetchIntelligence(), null)
    for (const name of ['intelligence', 'device-fingerprint']) {
      const texts = page.service.callsTo(name).map(({ text }) => text)
      assert.equal(texts.length, 4)
      assert.equal(new Set(texts).size, 1, name)
    }
    assert.equal(dfrId, `dfr-of-${page.service.callsTo('intelligence')[0]!.body.requestId}`)
    assert.deepEqual((await page.recorded()).waitsMs, [500, 1000, 2000, 500, 1000, 2000])
  })

  test('7.4: intelligenceError has the message and request id of the service after four attempts', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    const busy = [503, { requestId: 'r-9', errorMessage: 'Busy' }] as const
    page.service.respondNext('intelligence', busy, busy, busy, busy)
    const failure = await page.evaluate(failureOfFetch, null)
    assert.deepEqual(failure, { code: 'intelligenceError', message: 'Busy', requestId: 'r-9', status: 503 })
    const without = [200, {}] as const
    page.service.respondNext('device-fingerprint', without, without, without, without)
    const { code, message, requestId } = await page.evaluate(failureOfFetch, null)
    assert.deepEqual([code, message], ['intelligenceError', 'The response has no dfrId'])
    assert.equal(requestId, page.service.callsTo('intelligence').at(-1)?.body.requestId)
    assert.equal(page.service.callsTo('device-fingerprint').length, 4)
  })

  test('7.4: intelligenceError has the id of the request when the network fails', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    page.service.respondNext('intelligence', 'breaks', 'breaks', 'breaks', 'breaks')
    const { code, message, requestId } = await page.evaluate(failureOfFetch, null)
    assert.deepEqual([code, message], ['intelligenceError', 'The service could not be reached'])
    assert.equal(requestId, page.service.callsTo('intelligence').at(-1)?.body.requestId)
    page.service.forgetSessions()
    page.service.respondNext('device-fingerprint/config', 'breaks', 'breaks')
    const unopened = await page.evaluate(failureOfFetch, null)
    assert.deepEqual([unopened.code, unopened.message], [code, message])
    assert.match(unopened.requestId ?? '', uuid)
  })

  test('a refused call is not retried', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    page.service.respondNext('intelligence', [400, { requestId: 'r-1', errorMessage: 'facts is not an object' }])
    const failure = await page.evaluate(failureOfFetch, null)
    assert.deepEqual(failure, {
      code: 'intelligenceError',
      message: 'facts is not an object',
      requestId: 'r-1',
      status: 400,
    })
    assert.equal(page.service.callsTo('intelligence').length, 1)
  })

  test('an unknown session is renewed once, without a warning', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    page.service.forgetSessions()
    await page.evaluate(() => ringfence.fetchIntelligence(), null)
    const renewed = page.service.calls.map(({ name }) => name)
    assert.deepEqual(renewed, [
      'device-fingerprint/config',
      'intelligence',
      'device-fingerprint/config',
      'intelligence',
      'device-fingerprint',
    ])
    const { events, logged } = await page.recorded()
    assert.deepEqual(
      events.map(([name]) => name),
      ['initialized', 'fingerprinted'],
    )
    assert.deepEqual(logged, [])
    const refused = [401, { requestId: 'r-2', errorMessage: 'No' }] as const
    page.service.respondNext('intelligence', refused, refused)
    assert.deepEqual(await page.evaluate(failureOfFetch, null), {
      code: 'intelligenceError',
      message: 'No',
      requestId: 'r-2',
      status: 401,
    })
    assert.equal(await page.evaluate(() => ringfence.isInitialized, null), true)
  })
})
