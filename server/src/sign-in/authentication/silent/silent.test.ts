// Does SILENT sign a person in without a message, only on the page that started it, and fall back to an OTP?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, SignInTransaction } from '@ringfence/contract'
import Value from 'typebox/value'
import { eachDatabase, sqliteDatabases } from '../../../testing/databases.ts'
import { sdkClient } from '../../../testing/sdk-client.ts'
import { mobile, redirectUrl, type SignInService, startSignInService } from '../testing/sign-in-service.ts'

const numberEnding = (end: string) => ({ type: 'MOBILE', value: `91702014${end}` }) as const
const callback = '/auth/v1/number-verification/callback'

const startSilent = (service: SignInService, changes: object = {}) => service.start({ channel: 'SILENT', ...changes })

/** The phone opens the operator's URL. @returns the callback URL that it is redirected to */
async function operatorRedirect(url: string): Promise<URL> {
  const response = await fetch(url, { redirect: 'manual' })
  return new URL(response.headers.get('location') ?? 'http://none.example')
}

/** What the page that embeds the URL gets by message, and for which origin. */
async function openInFrame(url: string) {
  const response = await fetch(url)
  const page = await response.text()
  const [, origin, message] = /data-origin="([^"]*)" data-message="([^"]*)"/.exec(page) ?? []
  const unescaped = (message ?? '{}').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  return {
    status: response.status,
    csp: response.headers.get('content-security-policy') ?? '',
    origin,
    result: JSON.parse(unescaped) as { ringfence_code?: string; ringfence_error?: string },
  }
}

eachDatabase(({ engine, open }) => {
  test(`signs in the phone that has the number, and sends no message (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const { status, body } = await startSilent(service)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(Value.Errors(SignInTransaction, body), [])
    assert.deepEqual([body.channel, body.method, body.fallback], ['SILENT', 'SILENT_AUTH', 'OTP'])
    const { transactionId, authorizationUrl } = body

    const frame = await openInFrame(authorizationUrl)
    assert.equal(frame.origin, 'https://shop.example')
    assert.match(frame.csp, /frame-ancestors https:\/\/shop\.example$/)
    const code = frame.result.ringfence_code
    const user = await service.verify(transactionId, { code })
    assert.equal(user.status, 200, JSON.stringify(user.body))
    const [identity] = user.body.identities
    assert.deepEqual(
      { ...identity, verifiedAt: undefined },
      {
        identityType: 'MOBILE',
        identityValue: mobile.value,
        channel: 'SILENT_AUTH',
        methods: ['SILENT_AUTH'],
        verified: true,
        verifiedAt: undefined,
      },
    )
    assert.deepEqual(service.parts.signIn.outbox.messages(), [])
    const validated = await service.post(endpoints.validateToken.path, { token: user.body.token })
    assert.equal(validated.body.userId, user.body.userId)
    // The same person by OTP is the same user.
    const byOtp = await service.start()
    const again = await service.verify(byOtp.body.transactionId, { otp: service.otp() })
    assert.equal(again.body.userId, user.body.userId)
    assert.equal((await service.verify(transactionId, { code })).body.errorCode, '7117')
  })

  test(`a phone that is not verified ends the sign-in with the reason, and an OTP may follow (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const expected = {
      '0170': 'not_on_mobile_network',
      '0171': 'number_not_verified',
      '0172': 'not_on_mobile_network',
      '0173': 'access_denied',
      '0174': 'not_on_mobile_network',
      '0150': 'provider_failed',
    }
    for (const [end, error] of Object.entries(expected)) {
      const identity = numberEnding(end)
      const { body } = await startSilent(service, { identity })
      const { result } = await openInFrame(body.authorizationUrl)
      assert.deepEqual(result, { ringfence_error: error }, end)
      assert.equal((await service.verify(body.transactionId, { code: 'x'.repeat(43) })).body.errorCode, '7118')
      assert.equal((await service.status(body.transactionId)).body.status, 'PENDING')
      const byOtp = await service.start({ channel: 'OTP', identity })
      const user = await service.verify(byOtp.body.transactionId, { otp: service.otp() })
      assert.equal(user.body.identities[0].channel, 'OTP')
    }
  })

  test(`who lures a phone to the URL does not learn whether it has the number, whatever he calls (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const seenOf = async (end: string) => {
      const { body } = await startSilent(service, { identity: numberEnding(end) })
      const { result } = await openInFrame(body.authorizationUrl)
      const seen: unknown[] = []
      for (let attempt = 0; attempt < 7; attempt++) {
        const answers = [await service.status(body.transactionId), await service.resend(body.transactionId)]
        answers.push(await service.verify(body.transactionId, { code: 'x'.repeat(43) }))
        seen.push(answers.map(({ status, body }) => [status, body.status, body.errorCode, body.attemptsLeft]))
      }
      service.clock.advance({ seconds: 181 })
      seen.push((await service.status(body.transactionId)).body.status)
      return { result, seen }
    }
    const [verified, other] = [await seenOf('1726'), await seenOf('0171')]
    assert.ok(verified.result.ringfence_code)
    assert.equal(other.result.ringfence_error, 'number_not_verified')
    assert.deepEqual(other.seen, verified.seen)
    assert.equal(other.seen.at(-1), 'EXPIRED')
  })

  test(`of several returns at once, on any servers, one gets the code (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const { body } = await startSilent(service)
    const back = await operatorRedirect(body.authorizationUrl)
    const results = await Promise.all(Array.from({ length: 6 }, () => openInFrame(back.href)))
    const codes = results.flatMap(({ result }) => result.ringfence_code ?? [])
    assert.equal(codes.length, 1)
    assert.equal(results.filter(({ result }) => result.ringfence_error === 'sign_in_over').length, 5)
    const users = await Promise.all(codes.concat(codes).map((code) => service.verify(body.transactionId, { code })))
    assert.deepEqual(users.map(({ status }) => status).sort(), [200, 400])
  })
})

const { open } = sqliteDatabases

test('an operator that verifies no phones: the start sends an OTP at once, or refuses without a fallback', async (t) => {
  const service = await startSignInService(t, await open(t))
  for (const end of ['0140', '0132', '0133']) {
    const { body } = await startSilent(service, { identity: numberEnding(end) })
    assert.deepEqual([body.channel, body.method, body.authorizationUrl], ['OTP', 'SMS', undefined], end)
    assert.equal((await service.verify(body.transactionId, { otp: service.otp() })).status, 200)
  }
  const strict = await startSignInService(t, await open(t), { app: { silentFallback: 'NONE' } })
  const refused = await startSilent(strict, { identity: numberEnding('0140') })
  assert.deepEqual([refused.status, refused.body.errorCode], [400, '7369'])
  const offered = await startSilent(strict)
  assert.equal(offered.body.fallback, undefined)
  assert.deepEqual(strict.parts.signIn.outbox.messages(), [])
})

test('an app that lists its channels offers SILENT only if it lists it', async (t) => {
  const without = await startSignInService(t, await open(t), { app: { channels: ['sms'] } })
  assert.equal((await startSilent(without)).body.errorCode, '7106')
  const withIt = await startSignInService(t, await open(t), { app: { channels: ['sms', 'SILENT'] } })
  assert.equal((await startSilent(withIt)).status, 200)
  const email = await startSilent(withIt, { identity: { type: 'EMAIL', value: 'ada@shop.example' } })
  assert.equal(email.body.errorCode, '7102')
  const landline = await startSilent(withIt, { identity: { type: 'MOBILE', value: '442079460000' } })
  assert.equal(landline.body.errorCode, '7107')
})

test('an attacker who makes the phone of the victim open his URL gets neither code nor user', async (t) => {
  const service = await startSignInService(t, await open(t))
  // He starts with the number of the victim, and a page of his embeds the URL on the victim's phone.
  const { body } = await startSilent(service)
  const { transactionId } = body
  const frame = await openInFrame(body.authorizationUrl)
  assert.ok(frame.result.ringfence_code, 'the phone is verified')
  // The browser gives the message to pages of the app only, and embeds the page in no other.
  assert.equal(frame.origin, 'https://shop.example')
  assert.match(
    frame.csp,
    /default-src 'none'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors https/,
  )
  // What he has: the transaction, the state of the URL, his session.
  const state = new URL(body.authorizationUrl).searchParams.get('state') ?? ''
  assert.equal((await service.status(transactionId)).body.status, 'PENDING')
  assert.equal((await service.status(transactionId)).body.user, undefined)
  assert.equal((await service.verify(transactionId, { code: state })).body.errorCode, '7118')
  assert.equal((await service.verify(transactionId, { otp: '000000' })).body.errorCode, '7102')
  assert.equal((await service.resend(transactionId)).body.errorCode, '7121')
  const exchanged = await service.post('/auth/v1/oauth/token', { grant_type: 'authorization_code', code: state })
  assert.equal(exchanged.status, 400)
  for (const other of ['/auth/v1/oauth/callback/sandbox', '/auth/v1/magic-link']) {
    const query = new URLSearchParams({ state, code: other.endsWith('link') ? state : 'x' })
    assert.equal((await fetch(`${service.url}${other}?${query}`, { redirect: 'manual' })).status, 400, other)
  }
})

test('an attacker with his own phone is not signed in as somebody else', async (t) => {
  const service = await startSignInService(t, await open(t))
  const his = '917020141799'
  service.sandbox.phones.set('127.0.0.1', { number: his, connection: 'mobile' })
  const victim = await startSilent(service)
  assert.deepEqual((await openInFrame(victim.body.authorizationUrl)).result, { ringfence_error: 'number_not_verified' })

  // The operator's code of his own sign-in does not fit the sign-in of the victim's number.
  const [own, other] = [
    await startSilent(service, { identity: { type: 'MOBILE', value: his } }),
    await startSilent(service),
  ]
  const [ofOwn, ofOther] = [own, other].map(
    ({ body }) => new URL(body.authorizationUrl).searchParams.get('state') ?? '',
  )
  const back = await operatorRedirect(own.body.authorizationUrl)
  back.searchParams.set('state', ofOther!)
  assert.deepEqual((await openInFrame(back.href)).result, { ringfence_error: 'provider_failed' })
  // Nor does the code that Ringfence made for his own sign-in.
  const fresh = await operatorRedirect(own.body.authorizationUrl)
  assert.equal(fresh.searchParams.get('state'), ofOwn)
  const { ringfence_code: code } = (await openInFrame(fresh.href)).result
  const third = await startSilent(service)
  assert.equal((await service.verify(third.body.transactionId, { code })).status, 400)
  assert.equal((await service.verify(own.body.transactionId, { code })).status, 200)
})

test('unknown, wrong, late and repeated returns lead nowhere', async (t) => {
  const service = await startSignInService(t, await open(t))
  for (const query of ['', 'state=', 'state=abc&code=x', `state=${'A'.repeat(43)}&code=x`]) {
    assert.equal((await fetch(`${service.url}${callback}/sandbox?${query}`)).status, 400, query)
  }
  const { body } = await startSilent(service)
  const back = await operatorRedirect(body.authorizationUrl)
  service.clock.advance({ seconds: 181 })
  assert.deepEqual((await openInFrame(back.href)).result, { ringfence_error: 'sign_in_expired' })
  assert.equal((await service.status(body.transactionId)).body.status, 'EXPIRED')
})

test('a code that is longer than any operator writes does not reach the operator', async (t) => {
  const service = await startSignInService(t, await open(t))
  const { body } = await startSilent(service)
  const back = await operatorRedirect(body.authorizationUrl)
  back.searchParams.set('code', 'x'.repeat(4097))
  service.sandbox.calls.clear()
  assert.deepEqual((await openInFrame(back.href)).result, { ringfence_error: 'provider_failed' })
  assert.deepEqual(
    service.sandbox.calls.last(9).map(({ path }) => path),
    [],
  )
})

test('with a redirectUrl, the person returns to the app with the code', async (t) => {
  const service = await startSignInService(t, await open(t), { app: { redirectUrls: [redirectUrl] } })
  const { body } = await startSilent(service, { redirectUrl })
  const back = await operatorRedirect(body.authorizationUrl)
  const { status, headers } = await fetch(back, { redirect: 'manual' })
  const arrived = new URL(headers.get('location') ?? '')
  assert.equal(status, 303)
  assert.ok(arrived.href.startsWith('https://shop.example/signed-in'))
  const code = arrived.searchParams.get('ringfence_code')
  assert.equal((await service.verify(body.transactionId, { code })).status, 200)
  assert.equal((await startSilent(service, { redirectUrl: 'https://evil.example/' })).body.errorCode, '7102')
})

test('a mobile app reads the code as JSON, which no web page of another origin can', async (t) => {
  const service = await startSignInService(t, await open(t))
  const app = await sdkClient(service, { app: service.app, platform: 'IOS' })
  const { body } = await service.start({ channel: 'SILENT' }, app)
  const response = await fetch(body.authorizationUrl)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(response.headers.get('access-control-allow-origin'), null)
  assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  const { ringfence_code: code } = (await response.json()) as { ringfence_code: string }
  assert.equal((await service.verify(body.transactionId, { code }, app)).status, 200)
})

test('the telecom gate holds back a swapped SIM: the start looks like any other, and the phone is not verified', async (t) => {
  const gate = { deadlineMs: 10_000, simSwap: { onFound: 'refuse' } }
  const service = await startSignInService(t, await open(t), { app: { gate } })
  const identity = numberEnding('0110')
  const { body } = await startSilent(service, { identity })
  const ordinary = await startSilent(service)
  const shapeOf = (answer: object) => Object.keys(answer).sort()
  assert.deepEqual(shapeOf(body), shapeOf(ordinary.body))
  assert.deepEqual((await openInFrame(body.authorizationUrl)).result, { ringfence_error: 'provider_failed' })
  // The OTP in its place is held back too.
  const byOtp = await service.start({ identity })
  assert.equal(byOtp.status, 200)
  assert.deepEqual(service.parts.signIn.outbox.messages(), [])
})

test('the return of a held-back sign-in looks like any other to whoever has not the phone: results and calls', async (t) => {
  const gate = { deadlineMs: 10_000, simSwap: { onFound: 'refuse' } }
  const settings = { messagesPerRecipientHour: 20 }
  const returns = ['error=login_required', 'error=access_denied', 'error=server_error', 'code=made-up', '']
  const seenOf = async (identity: object) => {
    const service = await startSignInService(t, await open(t), { settings, app: { gate } })
    const seen: unknown[] = []
    const see = (result: unknown) => {
      seen.push(result, ...service.sandbox.calls.last(99).map(({ path, status }) => [path, status]))
      service.sandbox.calls.clear()
    }
    for (const returned of returns) {
      const { body } = await startSilent(service, { identity })
      const state = new URL(body.authorizationUrl).searchParams.get('state')
      service.sandbox.calls.clear()
      see((await openInFrame(`${service.url}${callback}/sandbox?state=${state}&${returned}`)).result)
    }
    service.sandbox.phones.set('127.0.0.1', { number: '917020141799', connection: 'mobile' })
    const { body } = await startSilent(service, { identity })
    const back = await operatorRedirect(body.authorizationUrl)
    service.sandbox.calls.clear()
    see((await openInFrame(back.href)).result)
    return seen
  }
  const heldBack = await seenOf(numberEnding('0110'))
  assert.deepEqual(heldBack, await seenOf(numberEnding('1726')))
  assert.deepEqual(heldBack[0], { ringfence_error: 'not_on_mobile_network' })
})

eachDatabase(({ engine, open }) => {
  test(`starts are limited as messages are, for each number, IP address, app, range and country (${engine})`, async (t) => {
    const limits = {
      messagesPerRecipientHour: ['1726', '1726', '1726'],
      messagesPerAddressHour: ['1701', '1702', '1703'],
      messagesPerAppHour: ['1701', '1702', '1703'],
      newNumbersPerRangeHour: ['1701', '1702', '1703'],
      newNumbersPerCountryHour: ['1701', '1702', '1703'],
    }
    for (const [name, ends] of Object.entries(limits)) {
      const settings = { [name]: 2 }
      const strict = await startSignInService(t, await open(t), { settings, app: { silentFallback: 'NONE' } })
      const service = await startSignInService(t, await open(t), { settings })
      const seen: unknown[] = []
      for (const end of ends) {
        const refused = await startSilent(strict, { identity: numberEnding(end) })
        const started = await startSilent(service, { identity: numberEnding(end) })
        seen.push([refused.body.errorCode ?? refused.status, started.body.channel])
      }
      // With a fallback an OTP follows, which has these limits too.
      assert.deepEqual(
        seen,
        [
          [200, 'SILENT'],
          [200, 'SILENT'],
          ['7124', 'OTP'],
        ],
        name,
      )
      assert.equal(service.parts.signIn.outbox.messages().length, 1)
    }
  })

  test(`people who sign in do not use up the starts of new numbers (${engine})`, async (t) => {
    const settings = { newNumbersPerRangeHour: 1 }
    const service = await startSignInService(t, await open(t), { settings, app: { silentFallback: 'NONE' } })
    for (const end of ['1701', '1702', '1703']) {
      const { body } = await startSilent(service, { identity: numberEnding(end) })
      const { ringfence_code: code } = (await openInFrame(body.authorizationUrl)).result
      assert.equal((await service.verify(body.transactionId, { code })).status, 200, end)
    }
  })
})
