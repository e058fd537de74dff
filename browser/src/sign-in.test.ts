import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before } from 'node:test'
import { inEachBrowser } from './testing/browser-tests.ts'
import { appId, type Scripted } from './testing/fake-service.ts'
import { bundleSdk, type Failure, openInitialized, openSdkPage, type SdkPage, setUp } from './testing/sdk-page.ts'

let script: string
before(async () => {
  script = await bundleSdk()
})

const startWith = (mode: 'NONE' | 'ASYNC' | 'SYNC') => ({
  channel: 'OTP' as const,
  identity: { type: 'MOBILE' as const, value: '919812345678' },
  deviceFingerprintMode: mode,
})
const noReport = [400, { requestId: 'r-3', errorMessage: 'Out of order' }] as const
const withoutFingerprint = 'Ringfence: Signing in without a device fingerprint: '

/**
 * Listens at once, so that no fingerprint is missed. The returned function waits for it and for the
 * listeners of the SDK.
 */
async function nextFingerprint({ evaluate }: Pick<SdkPage, 'evaluate'>): Promise<() => Promise<unknown>> {
  await evaluate(() => {
    const nextFingerprint = new Promise<void>((resolve) => ringfence.on('fingerprinted', () => setTimeout(resolve)))
    Reflect.set(globalThis, 'nextFingerprint', nextFingerprint)
  }, null)
  return () => evaluate(() => Reflect.get(globalThis, 'nextFingerprint') as Promise<void>, null)
}

inEachBrowser((test) => {
  test('a person signs in with an OTP: user, token and event are set, and start and verify send the plain facts', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    const transaction = await page.evaluate((start) => ringfence.signIn.start(start), startWith('NONE'))
    assert.equal(await page.evaluate(() => ringfence.getToken(), null), undefined)
    const wrong = await page.evaluate(
      () =>
        ringfence.signIn
          .verify({ otp: '000000' })
          .catch(
            ({ code, message, errorCode, status, requestId }) =>
              ({ code, message, errorCode, status, requestId }) as Failure,
          ),
      null,
    )
    assert.deepEqual(wrong, {
      code: 'refused',
      message: 'Request error: Wrong OTP',
      errorCode: '7203',
      status: 400,
      requestId: 'request-of-http',
    })
    await page.evaluate(() => ringfence.signIn.resend(), null)
    const user = await page.evaluate(() => ringfence.signIn.verify({ otp: '123456' }), null)
    assert.equal(user.token, 'user-token')
    assert.equal(await page.evaluate(() => ringfence.getToken(), null), 'user-token')
    const [start, , resend, verify] = page.service.calls.slice(1).map(({ body }) => body)
    const { facts, codeChallenge, ...request } = start
    assert.deepEqual(request, startWith('NONE'))
    assert.match(codeChallenge, /^[\w-]{43}$/)
    for (const body of [start, verify]) {
      assert.ok(body.facts.userAgent && body.facts.screen && body.facts.timezone)
      assert.equal(body.facts.plugins ?? body.facts.storage, undefined, 'plain facts only')
    }
    assert.deepEqual(resend, { transactionId: transaction.transactionId })
    assert.deepEqual([verify.transactionId, verify.otp], [transaction.transactionId, '123456'])
    assert.equal(verify.codeVerifier, undefined, 'it is for codes only')
    const { events } = await page.recorded()
    assert.deepEqual(
      events.map(([name]) => name),
      ['initialized', 'signInStarted', 'signedIn'],
    )
    assert.deepEqual(page.service.callsTo('intelligence'), [])
  })

  test('4.7 rule 5 ASYNC: start does not wait for the fingerprint; verify waits for it and sends it', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    const engine = Promise.withResolvers<Scripted>()
    page.service.respondNext('intelligence', engine.promise)
    await page.evaluate((start) => ringfence.signIn.start(start), startWith('ASYNC'))
    const verified = page.evaluate(() => ringfence.signIn.verify({ otp: '123456' }), null)
    setTimeout(() => engine.resolve('as usual'), 100)
    assert.match((await verified).dfrId ?? '', /^dfr-of-/)
    const [start] = page.service.callsTo('auth/start')
    assert.equal(start!.body.dfrId, undefined)
    assert.deepEqual((await page.recorded()).logged, [])
  })

  test('4.7 rule 5 ASYNC: verify and status wait for a late fingerprint once, and continue without it', async (t, browser) => {
    const page = await openSdkPage(t, browser, script)
    const never = Promise.withResolvers<Scripted>()
    t.after(async () => never.resolve('breaks'))
    page.service.respondNext('intelligence', never.promise)
    page.service.respondNext('auth/status', [200, { status: 'PENDING' }])
    await page.evaluate((id) => ringfence.initialize(id, { fingerprintLimitMs: 50 }), appId)
    await page.evaluate((start) => ringfence.signIn.start(start), startWith('ASYNC'))
    await page.evaluate(() => ringfence.signIn.status(), null)
    const { dfrId } = await page.evaluate(() => ringfence.signIn.verify({ otp: '123456' }), null)
    assert.equal(dfrId, undefined)
    assert.deepEqual((await page.recorded()).logged, [`${withoutFingerprint}it took longer than 50 ms`])
  })

  test('4.7 rule 5 ASYNC: a late fingerprint changes no other sign-in and restores no completed one', async (t, browser) => {
    const page = await openSdkPage(t, browser, script)
    const late = Promise.withResolvers<Scripted>()
    page.service.respondNext('intelligence', late.promise)
    await page.evaluate((id) => ringfence.initialize(id, { fingerprintLimitMs: 50 }), appId)
    const first = await page.evaluate((start) => ringfence.signIn.start(start), startWith('ASYNC'))
    const other = await page.evaluate((start) => ringfence.signIn.start(start), startWith('NONE'))
    await page.evaluate(() => ringfence.signIn.verify({ otp: '123456' }), null)
    await page.evaluate((id) => ringfence.signIn.verify({ otp: '123456', transactionId: id }), first.transactionId)
    assert.deepEqual(
      page.service.callsTo('auth/verify').map(({ body }) => [body.transactionId, body.dfrId]),
      [
        [other.transactionId, undefined],
        [first.transactionId, undefined],
      ],
    )
    const fingerprinted = await nextFingerprint(page)
    late.resolve('as usual')
    await fingerprinted()
    const stored = await page.evaluate(() => JSON.stringify(localStorage), null)
    assert.ok(!stored.includes(first.transactionId), stored)
  })

  test('4.7 rule 5 ASYNC: a page that was left takes the fingerprint again, with the params of the start', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    const never = Promise.withResolvers<Scripted>()
    t.after(async () => never.resolve('breaks'))
    page.service.respondNext('intelligence', never.promise)
    const { transactionId } = await page.evaluate(
      (start) => ringfence.signIn.start({ ...start, params: { cart: 7 }, updateInfo: { merchantId: 'm' } }),
      startWith('ASYNC'),
    )
    while (page.service.callsTo('intelligence').length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    await page.goto(page.service.url)
    await page.evaluate(setUp, null)
    const user = await page.evaluate(async (id) => {
      await ringfence.initialize(id)
      return ringfence.signIn.verify({ otp: '123456' })
    }, appId)
    assert.match(user.dfrId ?? '', /^dfr-of-/)
    const { body: push } = page.service.callsTo('device-fingerprint')[0]!
    assert.deepEqual([push.cart, page.service.callsTo('auth/verify')[0]!.body.transactionId], [7, transactionId])
    assert.deepEqual(page.service.callsTo('intelligence')[1]!.body.updateInfo, { merchantId: 'm' })
  })

  test('4.7 rule 5 ASYNC: status sends the fingerprint', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    await page.evaluate((start) => ringfence.signIn.start({ ...start, channel: 'MAGIC_LINK' }), startWith('ASYNC'))
    await page.evaluate(() => ringfence.signIn.status(), null)
    assert.match(page.service.callsTo('auth/status')[0]!.body.dfrId, /^dfr-of-/)
  })

  test('4.7 rule 5 SYNC: start sends the fingerprint', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    await page.evaluate((start) => ringfence.signIn.start({ ...start, params: { step: 'login' } }), startWith('SYNC'))
    const names = page.service.calls.map(({ name }) => name)
    assert.deepEqual(names, ['device-fingerprint/config', 'intelligence', 'device-fingerprint', 'auth/start'])
    const [, engine, push, start] = page.service.calls.map(({ body }) => body)
    assert.equal(start.dfrId, `dfr-of-${engine.requestId}`)
    assert.equal(push.step, 'login')
    assert.equal('params' in start, false)
  })

  test('4.7 rule 5: a failed fingerprint causes one warning, and the sign-in continues without dfrId', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    for (const mode of ['SYNC', 'ASYNC'] as const) {
      page.service.respondNext('intelligence', noReport)
      await page.evaluate(async (start) => {
        const isAsync = start.deviceFingerprintMode === 'ASYNC'
        const warned = isAsync ? new Promise((resolve) => ringfence.on('warning', resolve)) : undefined
        await ringfence.signIn.start(start)
        await warned
      }, startWith(mode))
      await page.evaluate(() => ringfence.signIn.verify({ otp: '123456' }), null)
    }
    const { logged, events } = await page.recorded()
    assert.deepEqual(logged, [`${withoutFingerprint}Out of order`, `${withoutFingerprint}Out of order`])
    assert.equal(events.filter(([name]) => name === 'warning').length, 2)
    for (const { name, body } of page.service.calls) {
      if (name.startsWith('auth/')) assert.equal('dfrId' in body, false)
    }
  })

  test('4.7 rule 5: a sign-in continues with one warning if initialize failed', async (t, browser) => {
    const page = await openSdkPage(t, browser, script)
    page.service.respondNext('device-fingerprint/config', [
      401,
      { requestId: 'r', errorMessage: 'The app is disabled' },
    ])
    assert.equal(await page.evaluate((id) => ringfence.initialize(id), appId), false)
    await page.evaluate((start) => ringfence.signIn.start(start), startWith('SYNC'))
    await page.evaluate(() => ringfence.signIn.verify({ otp: '123456' }), null)
    assert.deepEqual((await page.recorded()).logged, [
      'Ringfence: not initialised: The app is disabled',
      `${withoutFingerprint}SDK not initialised`,
    ])
    assert.deepEqual(page.service.callsTo('intelligence'), [])
  })

  test('the warning about an unreachable service names the origin, which the app may not list', async (t, browser) => {
    const page = await openSdkPage(t, browser, script)
    page.service.respondNext('device-fingerprint/config', 'breaks', 'breaks', 'breaks', 'breaks')
    assert.equal(await page.evaluate((id) => ringfence.initialize(id), appId), false)
    const origin = await page.evaluate(() => location.origin, null)
    assert.deepEqual((await page.recorded()).logged, [
      `Ringfence: not initialised: The service could not be reached, or the app does not list the origin ${origin}`,
    ])
  })

  test('a sign-in does not wait for a fingerprint that takes too long', async (t, browser) => {
    const page = await openSdkPage(t, browser, script)
    const never = Promise.withResolvers<Scripted>()
    t.after(async () => never.resolve('breaks'))
    page.service.respondNext('intelligence', never.promise)
    await page.evaluate((id) => ringfence.initialize(id, { fingerprintLimitMs: 50 }), appId)
    await page.evaluate((start) => ringfence.signIn.start(start), startWith('SYNC'))
    assert.deepEqual((await page.recorded()).logged, [`${withoutFingerprint}it took longer than 50 ms`])
  })

  test('a sign-in renews its session once without a warning; verify is not sent twice', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    page.service.forgetSessions()
    await page.evaluate((start) => ringfence.signIn.start(start), startWith('NONE'))
    page.service.respondNext('auth/verify', 'breaks')
    const failure = await page.evaluate(
      () => ringfence.signIn.verify({ otp: '123456' }).catch(({ code, message }) => ({ code, message }) as Failure),
      null,
    )
    assert.deepEqual(failure, { code: 'network', message: 'The service could not be reached' })
    const names = page.service.calls.map(({ name }) => name)
    const config = 'device-fingerprint/config'
    assert.deepEqual(names, [config, 'auth/start', config, 'auth/start', 'auth/verify'])
  })

  test('status returns the user of a sign-in that was completed elsewhere', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    await page.evaluate((start) => ringfence.signIn.start({ ...start, channel: 'MAGIC_LINK' }), startWith('NONE'))
    const { status } = await page.evaluate(() => ringfence.signIn.status(), null)
    assert.equal(status, 'SUCCESS')
    assert.equal(await page.evaluate(() => ringfence.user?.userId, null), 'u1')
  })

  test('OAUTH by redirect returns to the page and removes the code from the URL', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    // An evaluation fails when its page unloads, so the page redirects later.
    await page.evaluate(() => void setTimeout(() => ringfence.signIn.redirect({ method: 'GOOGLE' })), null)
    await page.isAt('ringfence_code')
    await page.evaluate(setUp, null)
    const user = await page.evaluate(
      (id) => ringfence.initialize(id).then(() => ringfence.signIn.completeReturn()),
      appId,
    )
    assert.equal(user?.userId, 'u1')
    assert.equal(await page.evaluate(() => location.search, null), '')
    assert.equal(await page.evaluate(() => ringfence.signIn.completeReturn(), null), undefined)
    const { transactionId, code, codeVerifier } = page.service.callsTo('auth/verify')[0]!.body
    assert.equal(code, 'code-of-provider')
    assert.ok(transactionId)
    const start = page.service.callsTo('auth/start')[0]!.body
    assert.match(codeVerifier, /^[\w-]{43}$/)
    assert.equal(challengeOf(codeVerifier), start.codeChallenge)
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }), null)
    assert.ok(!stored.includes(codeVerifier), 'it is deleted when it was used')
    assert.deepEqual([start.channel, start.method, start.redirectUrl], ['OAUTH', 'GOOGLE', `${page.service.url}/`])
  })

  test('a code of a sign-in that this browser did not start is not sent', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    await page.evaluate((start) => ringfence.signIn.start(start), startWith('NONE'))
    await page.goto(`${page.service.url}/?a=1&ringfence_transaction=other&ringfence_code=stolen`)
    await page.evaluate(setUp, null)
    const failure = await page.evaluate(async (id) => {
      await ringfence.initialize(id)
      return ringfence.signIn.completeReturn().catch(({ code }) => ({ code, search: location.search }))
    }, appId)
    assert.deepEqual(failure, { code: 'noSignIn', search: '?a=1' })
    assert.deepEqual(page.service.callsTo('auth/verify'), [])
  })

  test('no call accepts a sign-in that this browser did not start, or started a day ago', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    const { transactionId } = await page.evaluate((start) => ringfence.signIn.start(start), startWith('NONE'))
    const failuresOf = (id: string) =>
      page.evaluate(async (transactionId) => {
        const failure = (call: Promise<unknown>) => call.catch(({ code }) => code as string)
        const { verify, status, resend } = ringfence.signIn
        return [
          await failure(verify({ code: 'stolen', transactionId })),
          await failure(verify({ otp: '123456', transactionId })),
          await failure(status(transactionId)),
          await failure(resend(transactionId)),
        ]
      }, id)
    const none = ['noSignIn', 'noSignIn', 'noSignIn', 'noSignIn']
    assert.deepEqual(await failuresOf('of-an-attacker'), none)
    await page.evaluate(() => {
      const now = Date.now()
      Date.now = () => now + 86_400_000
    }, null)
    assert.deepEqual(await failuresOf(transactionId), none)
    assert.deepEqual(page.service.calls.map(({ name }) => name).slice(1), ['auth/start'])
  })

  test('a repeated start has the same code challenge, the next sign-in another one, and a backend may have its own', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    await page.evaluate(async (start) => {
      await Promise.all([ringfence.signIn.start(start), ringfence.signIn.start(start)])
      await ringfence.signIn.verify({ otp: '123456' })
      await ringfence.signIn.start(start)
      const returning = { ...start, redirectUrl: `${location.origin}/` }
      await ringfence.signIn.start({ ...returning, codeChallenge: 'of-the-backend' })
      await ringfence.signIn.start({ ...returning, codeChallenge: undefined })
      await ringfence.signIn.start({ ...start, codeChallenge: 'of-the-backend' })
    }, startWith('NONE'))
    const [first, repeated, next, own, without, ofPage] = page.service
      .callsTo('auth/start')
      .map(({ body }) => body.codeChallenge)
    assert.equal(repeated, first)
    assert.notEqual(next, first)
    assert.deepEqual([own, without], ['of-the-backend', undefined])
    assert.equal(ofPage, next, 'without a redirectUrl, only the page itself can finish')
  })

  test('a start after one whose code challenge failed makes another one', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    const failed = await page.evaluate(async (start) => {
      const { digest } = crypto.subtle
      crypto.subtle.digest = () => Promise.reject(new Error('no hash'))
      const failure = await ringfence.signIn.start(start).then(
        () => undefined,
        (error: Error) => error.message,
      )
      crypto.subtle.digest = digest
      await ringfence.signIn.start(start)
      return failure
    }, startWith('NONE'))
    assert.match(String(failed), /no hash/)
    const [{ body } = { body: {} }, ...others] = page.service.callsTo('auth/start')
    assert.match(body.codeChallenge, /^[\w-]{43}$/)
    assert.deepEqual(others, [])
  })

  test('completeReturn fails with the error that the identity provider returned', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    const { transactionId } = await page.evaluate((start) => ringfence.signIn.start(start), startWith('NONE'))
    await page.goto(`${page.service.url}/?ringfence_transaction=${transactionId}&ringfence_error=access_denied`)
    await page.evaluate(setUp, null)
    const failure = await page.evaluate(async (id) => {
      await ringfence.initialize(id)
      return ringfence.signIn.completeReturn().catch(({ code, errorCode }) => ({ code, errorCode }))
    }, appId)
    assert.deepEqual(failure, { code: 'refused', errorCode: 'access_denied' })
    assert.deepEqual(page.service.callsTo('auth/verify'), [])
  })

  test('OAUTH in a pop-up passes the result to its page and closes', async (t, browser) => {
    const page = await openInitialized(t, browser, `${script};${returnPage}`)
    const user = await page.click(() => ringfence.signIn.popup({ method: 'GOOGLE' }))
    assert.equal(user.userId, 'u1')
    assert.equal(page.service.callsTo('auth/verify').length, 1)
    assert.equal(await page.evaluate(() => location.search, null), '')
  })

  test('popup fails with popupBlocked or popupClosed if the pop-up is blocked or closed', async (t, browser) => {
    const page = await openInitialized(t, browser, script)
    const failures = await page.evaluate(async () => {
      const failure = () => ringfence.signIn.popup({}).catch(({ code }) => code as string)
      window.open = () => null
      const blocked = await failure()
      const popup = { location: {}, closed: false, close() {} }
      window.open = () => popup as unknown as Window
      ringfence.on('signInStarted', () => {
        popup.closed = true
      })
      const closed = failure()
      // The page has the focus again, and no result arrives for a second, once it looks for that.
      const begun = () => limits.filter(({ ms }) => ms === 1000)
      const before = begun().length
      while (begun().length === before) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        dispatchEvent(new Event('focus'))
      }
      begun().at(-1)!.end()
      return [blocked, await closed]
    }, null)
    assert.deepEqual(failures, ['popupBlocked', 'popupClosed'])
  })
})

const challengeOf = (codeVerifier: string) => createHash('sha256').update(codeVerifier).digest('base64url')

/** The script of the page at redirectUrl. */
const returnPage = `
if (location.search.includes('ringfence_code')) {
  const ringfence = sdk.createRingfence()
  ringfence.initialize('${appId}').then(() => ringfence.signIn.completeReturn())
}`
