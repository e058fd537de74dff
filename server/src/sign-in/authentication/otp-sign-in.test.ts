import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, readSamples } from '@ringfence/contract'
import { pino } from 'pino'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { anotherOtp, email, mobile, startSignInService } from './testing/sign-in-service.ts'

const { open } = sqliteDatabases

eachDatabase(({ engine, open }) => {
  test(`a person signs in with the OTP of the message, and the token identifies the user (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const started = await service.start()
    assert.equal(started.status, 200, JSON.stringify(started.body))
    assert.deepEqual(
      { ...started.body, transactionId: '' },
      {
        transactionId: '',
        channel: 'OTP',
        method: 'SMS',
        expiresAt: '2026-03-01T12:05:00.000Z',
        resendAfterSeconds: 30,
        otpLength: 6,
      },
    )
    const { transactionId } = started.body
    assert.deepEqual((await service.status(transactionId)).body, { status: 'PENDING' })
    const { status, body: user } = await service.verify(transactionId, { otp: service.otp() })
    assert.equal(status, 200, JSON.stringify(user))
    const identity = {
      identityType: 'MOBILE',
      identityValue: mobile.value,
      channel: 'OTP',
      methods: ['SMS'],
      verified: true,
      verifiedAt: '2026-03-01T12:00:00.000Z',
    }
    assert.deepEqual(user.identities, [identity])
    assert.deepEqual(user.sessionInfo, { sessionId: service.client.sessionId, transactionId })
    const claims = JSON.parse(Buffer.from(user.idToken.split('.')[1], 'base64url').toString())
    assert.deepEqual([claims.sub, claims.aud, claims.phone_number], [user.userId, service.app.id, `+${mobile.value}`])

    const { body: verified } = await service.post(endpoints.validateToken.path, { token: user.token })
    assert.deepEqual(
      [verified.userId, verified.identities, verified.timestamp, verified.network.ip],
      [user.userId, [identity], user.timestamp, '127.0.0.1'],
    )
    assert.deepEqual((await service.status(transactionId)).body, { status: 'SUCCESS' })
    const again = await service.verify(transactionId, { otp: service.otp() })
    assert.deepEqual([again.status, again.body.errorCode], [400, '7117'])
  })

  test(`one of several simultaneous verifies with the correct OTP wins, and wrong ones are checked only up to the allowed attempts (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const { transactionId } = (await service.start()).body
    const otp = service.otp()
    const answers = await Promise.all(Array.from({ length: 5 }, () => service.verify(transactionId, { otp })))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.ok(
      answers.every(({ status, body }) => status === 200 || body.errorCode === '7117'),
      JSON.stringify(answers),
    )

    service.clock.advance({ seconds: 31 })
    const next = (await service.start()).body.transactionId
    const wrong = anotherOtp(service.otp())
    const guesses = await Promise.all(Array.from({ length: 20 }, () => service.verify(next, { otp: wrong })))
    const codes = guesses.map(({ body }) => body.errorCode)
    assert.deepEqual([codes.filter((code) => code === '7118').length, new Set(codes).size], [4, 2])
    const { status, body } = await service.verify(next, { otp: service.otp() })
    assert.deepEqual([status, body.errorCode], [400, '7119'])
  })

  test(`a repeated start is the same sign-in and sends nothing, even when both arrive at once (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const starts = await Promise.all([service.start(), service.start(), service.start()])
    starts.push(await service.start())
    assert.equal(new Set(starts.map(({ body }) => body.transactionId)).size, 1, JSON.stringify(starts))
    assert.equal(service.parts.signIn.outbox.messages().length, 1)
    // Another channel, recipient or session is another sign-in.
    await service.start({ identity: email })
    const other = await sdkClient(service, { app: service.app })
    await service.start({}, other)
    assert.equal(service.parts.signIn.outbox.messages().length, 3)
    service.clock.advance({ seconds: 30 })
    const later = await service.start()
    assert.notEqual(later.body.transactionId, starts[0]!.body.transactionId)
    assert.equal(service.parts.signIn.outbox.messages().length, 4)
  })

  test(`a repeated start is a new sign-in when the first has no attempts left (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const first = (await service.start()).body.transactionId
    const wrong = anotherOtp(service.otp())
    for (let i = 0; i < 4; i++) await service.verify(first, { otp: wrong })
    assert.equal((await service.start()).body.transactionId, first)
    assert.equal((await service.verify(first, { otp: wrong })).body.errorCode, '7119')
    const next = (await service.start()).body.transactionId
    assert.notEqual(next, first)
    assert.equal((await service.verify(next, { otp: service.otp() })).status, 200)
  })

  test(`the same identity is the same user of its tenant, and a different user in another tenant (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const signIn = async (changes: object = {}, as = service.client) => {
      const { transactionId } = (await service.start(changes, as)).body
      return (await service.verify(transactionId, { otp: service.otp() }, as)).body.userId as string
    }
    const first = await signIn()
    service.clock.advance({ seconds: 31 })
    assert.equal(await signIn(), first)
    assert.notEqual(await signIn({ identity: email }), first)
    assert.match(first, /^[0-9a-f-]{36}$/)
    const neighbour = await service.parts.tenantKeyring.createTenant('neighbour')
    const app = await createApp(service, {}, neighbour.id)
    assert.notEqual(await signIn({}, await sdkClient(service, { app })), first)
  })
})

test('a wrong OTP returns the attempts that are left; missing, malformed and empty ones are refused', async (t) => {
  const service = await startSignInService(t, await open(t))
  const { transactionId } = (await service.start()).body
  const { body } = await service.verify(transactionId, { otp: anotherOtp(service.otp()) })
  assert.deepEqual([body.errorCode, body.description], ['7118', 'Request error: Incorrect OTP; attempts left: 4'])
  for (const proof of [{}, { otp: 7 }, { otp: null }, { code: 'x' }, { otp: '1'.repeat(65) }]) {
    assert.deepEqual((await service.verify(transactionId, proof)).body.errorCode, '7102')
  }
  assert.equal((await service.verify(transactionId, { otp: service.otp() })).status, 200)
})

test('accepts an OTP as people type it, and takes no attempt for what cannot be one', async (t) => {
  const service = await startSignInService(t, await open(t))
  const written = [
    (otp: string) => `${otp.slice(0, 3)} ${otp.slice(3)}`,
    (otp: string) => `${otp.slice(0, 3)}-${otp.slice(3)}`,
    (otp: string) => `${otp.slice(0, 3)}\u00a0${otp.slice(3)}`,
    (otp: string) => `\u200e${otp}\n`,
    (otp: string) => otp.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    (otp: string) => otp.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
    (otp: string) => otp.replace(/\d/g, (digit) => String.fromCodePoint(0x966 + Number(digit))),
  ]
  for (const [i, write] of written.entries()) {
    const identity = { type: 'EMAIL', value: `ada${i}@shop.example` }
    const { transactionId } = (await service.start({ identity })).body
    for (const otp of i === 0 ? ['', '12345', '1234567', 'abcdef', `${service.otp()}0`] : []) {
      const { status, body } = await service.verify(transactionId, { otp })
      const text = 'Request error: otp must be the 6 digits of the message; no attempt was counted'
      assert.deepEqual([status, body.errorCode, body.description], [400, '7102', text])
    }
    assert.match((await service.verify(transactionId, { otp: anotherOtp(service.otp()) })).body.description, /left: 4/)
    assert.equal((await service.verify(transactionId, { otp: write(service.otp()) })).status, 200, write('012345'))
    service.clock.advance({ seconds: 10 })
  }
})

test('returns 7303 for an expired sign-in, and 7116 for an unknown one and for one of another app or tenant', async (t) => {
  const service = await startSignInService(t, await open(t))
  const { transactionId } = (await service.start()).body
  const otp = service.otp()
  const sibling = await sdkClient(service)
  const neighbour = await service.parts.tenantKeyring.createTenant('neighbour')
  const foreign = await sdkClient(service, { app: await createApp(service, {}, neighbour.id) })
  for (const as of [sibling, foreign]) {
    for (const answer of [
      await service.verify(transactionId, { otp }, as),
      await service.resend(transactionId, as),
      await service.status(transactionId, as),
    ]) {
      assert.deepEqual([answer.status, answer.body.errorCode], [400, '7116'])
    }
  }
  for (const unknown of ['x', transactionId.toLowerCase(), `${transactionId}A`]) {
    assert.equal((await service.verify(unknown, { otp })).body.errorCode, '7116')
  }
  service.clock.advance({ seconds: 300 })
  assert.deepEqual((await service.status(transactionId)).body, { status: 'EXPIRED' })
  for (const answer of [await service.verify(transactionId, { otp }), await service.resend(transactionId)]) {
    assert.deepEqual([answer.status, answer.body.errorCode], [400, '7303'])
  }
})

test('a resend must wait, sends a new OTP while the previous one stays valid, and is limited in number', async (t) => {
  const service = await startSignInService(t, await open(t), { settings: { messagesPerSignIn: 3 } })
  const { transactionId } = (await service.start()).body
  const first = service.otp()
  const early = await service.resend(transactionId)
  assert.deepEqual([early.status, early.body.errorCode, early.headers.get('retry-after')], [429, '7122', '30'])
  service.clock.advance({ seconds: 30 })
  const [one, two] = await Promise.all([service.resend(transactionId), service.resend(transactionId)])
  assert.deepEqual([one!.status, two!.status].toSorted(), [200, 429])
  const second = service.otp()
  service.clock.advance({ seconds: 30 })
  assert.equal((await service.resend(transactionId)).status, 200)
  service.clock.advance({ seconds: 30 })
  assert.equal((await service.resend(transactionId)).body.errorCode, '7123')
  assert.equal(service.parts.signIn.outbox.messages().length, 3)
  if (first !== second && first !== service.otp()) {
    assert.equal((await service.verify(transactionId, { otp: first })).body.errorCode, '7118')
  }
  assert.equal((await service.verify(transactionId, { otp: second })).status, 200)
})

test('a resend by a channel that the app no longer offers is 7106, and uses up neither a resend nor a message', async (t) => {
  const service = await startSignInService(t, await open(t), { settings: { messagesPerRecipientHour: 2 } })
  const { transactionId } = (await service.start()).body
  const otp = service.otp()
  service.clock.advance({ seconds: 31 })
  const offer = (channels: string[]) =>
    service.parts.apps.update({ ...service.app, settings: { ...service.app.settings, channels } })
  await offer(['mail'])
  for (let i = 0; i < 3; i++) assert.equal((await service.resend(transactionId)).body.errorCode, '7106')
  await offer(['sms'])
  assert.equal((await service.resend(transactionId)).status, 200)
  assert.equal((await service.verify(transactionId, { otp })).status, 200, 'the previous OTP stays valid')
})

test('refuses invalid numbers and email addresses, and line types and countries that the app does not serve, and sends nothing', async (t) => {
  const service = await startSignInService(t, await open(t), { app: { countries: ['IN', 'DE'] } })
  for (const [identity, code] of [
    [undefined, '7102'],
    [{ type: 'MOBILE', value: '+91 70201 41726 ext. 5' }, '7102'],
    [{ type: 'MOBILE', value: '7020141726' }, '7102'],
    [{ type: 'MOBILE', value: '91702014172' }, '7102'],
    [{ type: 'MOBILE', value: 917020141726 }, '7102'],
    [{ type: 'PHONE', value: '917020141726' }, '7102'],
    [{ type: 'MOBILE', value: '493012345678' }, '7107'],
    [{ type: 'MOBILE', value: '499001234567' }, '7107'],
    [{ type: 'MOBILE', value: '447400123456' }, '7108'],
    [{ type: 'EMAIL', value: 'ada' }, '7102'],
    [{ type: 'EMAIL', value: 'ada@localhost' }, '7102'],
    [{ type: 'EMAIL', value: 'ada@shop.example\r\nBcc: x@y.example' }, '7102'],
    [{ type: 'EMAIL', value: 'ada,eve@shop.example' }, '7102'],
    [{ type: 'EMAIL', value: '\u212Aate@shop.example' }, '7102'],
    [{ type: 'EMAIL', value: 'zoë@shop.example' }, '7102'],
    [{ type: 'EMAIL', value: 'ada%40x@shop.example' }, '7102'],
    [{ type: 'EMAIL', value: 'a\u200bda@shop.example' }, '7102'],
    [{ type: 'EMAIL', value: '<ada@shop.example>' }, '7102'],
  ] as const) {
    const { status, body } = await service.start({ identity })
    assert.deepEqual([status, body.errorCode], [400, code], JSON.stringify([identity, body]))
  }
  const national = await service.start({ identity: { type: 'MOBILE', value: '015123456789' } })
  assert.deepEqual(national.body, readSamples().ErrorBody?.['invalid-phone-number-auth'])
  assert.equal(
    national.headers.get('x-ringfence-notice'),
    'identity.value must start with the country calling code instead of the leading 0',
  )
  for (const changes of [
    { channel: 'SMS' },
    { otpLength: 3 },
    { otpLength: '6' },
    { locale: 7 },
    { facts: [] },
    { deviceFingerprintMode: 'on' },
  ]) {
    assert.equal((await service.start(changes)).body.errorCode, '7102', JSON.stringify(changes))
  }
  assert.equal((await service.start({ method: 'WHATSAPP' })).body.errorCode, '7106')
  assert.equal(service.parts.signIn.outbox.messages().length, 0)
  for (const locale of ['constructor', 'xx-Nowhere']) {
    const identity = { type: 'EMAIL', value: `${locale}@shop.example` }
    const { status } = await service.start({ locale, identity, facts: { userAgent: '' } })
    assert.equal(status, 200, locale)
    assert.match(
      service.parts.signIn.outbox.messages().at(-1)!.text,
      /is your code for/,
      'English where a language is unknown',
    )
  }
  assert.equal((await service.start({ otpLength: 10 })).body.otpLength, 10)
  assert.match(service.otp(), /^\d{10}$/)
  const shorter = await service.start({ otpLength: 4, identity: { type: 'MOBILE', value: '917020151726' } })
  assert.equal(shorter.body.otpLength, 6, 'anyone can send a start, and fewer digits are easier to guess')
})

test('no OTP, number, email address or transaction id is in the log or in clear text in the store', async (t) => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const database = await open(t)
  const service = await startSignInService(t, database, { log })
  const secrets: string[] = [mobile.value, email.value]
  for (const identity of [mobile, email]) {
    const { transactionId } = (await service.start({ identity })).body
    await service.verify(transactionId, { otp: anotherOtp(service.otp()) })
    await service.verify(transactionId, { otp: service.otp() })
    secrets.push(transactionId, service.otp())
  }
  const tables = ['sign_in', 'app_user', 'identity', 'message_count']
  const rows = await Promise.all(tables.map((table) => database.query(`select * from ${table}`)))
  const stored = rows
    .flat()
    .flatMap((row) =>
      Object.values(row).map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
      ),
    )
  assert.ok(rows.every((found) => found.length > 0))
  // Any six digits may be within a time.
  const isTime = (value: string) => /^\d{13}$/.test(value)
  for (const secret of secrets) {
    assert.ok(!lines.join('\n').includes(`"${secret}"`), secret)
    assert.ok(!stored.some((value) => !isTime(value) && value.includes(secret)), secret)
  }
})
