import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  anotherOtp,
  email,
  mobile,
  type SignInService,
  startSignInService,
} from '../sign-in/authentication/testing/sign-in-service.ts'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { scriptedUpstream } from '../upstream/testing/scripted-upstream.ts'

const phoneNumber = mobile.value

function calls({ post }: SignInService) {
  return {
    send: (body: object, headers = {}) => post('/auth/otp/v1/send', body, headers),
    resend: (orderId: string, headers = {}) => post('/auth/otp/v1/resend', { orderId }, headers),
    // Existing SDKs send empty strings.
    verify: (orderId: string, otp: string, more = {}) =>
      post('/auth/otp/v1/verify', { orderId, otp, email: '', phoneNumber: '', ...more }),
  }
}

const ordered = (orderId: string, { headers }: { headers: Headers }) => ({
  success: true,
  orderId,
  refId: headers.get('x-request-id'),
})

eachDatabase(({ engine, open }) => {
  test(`a send of an order that was verified, has expired or has no attempts left starts it again and sends a message (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const { send, resend, verify } = calls(service)
    const messages = () => service.parts.signIn.outbox.messages().length
    const order = { phoneNumber, orderId: 'o-1', expiry: 60 }
    await send(order)
    assert.equal((await verify('o-1', service.otp())).body.isOTPVerified, true)
    // It was verified.
    assert.equal((await send(order)).status, 200)
    assert.equal(messages(), 2)
    assert.equal((await verify('o-1', service.otp())).body.isOTPVerified, true)
    await send(order)
    const expired = service.otp()
    service.clock.advance({ seconds: 61 })
    assert.match((await verify('o-1', expired)).body.reason, /expired/)
    const answers = await Promise.all([1, 2, 3].map(() => send(order)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.equal(messages(), 4, 'simultaneous calls send one message')
    const otp = service.otp()
    if (otp !== expired) assert.equal((await verify('o-1', expired)).body.isOTPVerified, false)
    for (let i = 0; i < 5; i++) await verify('o-1', anotherOtp(otp))
    assert.match((await verify('o-1', otp)).body.reason, /No attempts left/)
    service.clock.advance({ hours: 1 })
    // An order that has ended is free for another recipient too.
    assert.equal((await send({ email: email.value, orderId: 'o-1', expiry: 600 })).status, 200)
    service.clock.advance({ seconds: 31 })
    assert.equal((await resend('o-1')).status, 200)
    assert.equal((await verify('o-1', service.otp())).body.isOTPVerified, true)
  })

  test(`send returns {orderId}, and verify returns isOTPVerified true once (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const { send, verify } = calls(service)
    const sent = await send({ phoneNumber: `+${phoneNumber}`, email: '', channel: 'SMS', otpLength: 4, orderId: 'o-1' })
    assert.deepEqual([sent.status, sent.body], [200, ordered('o-1', sent)])
    assert.equal(sent.body.refId, sent.headers.get('x-request-id'))
    const otp = service.otp()
    assert.equal(otp.length, 4)
    const wrong = await verify('o-1', anotherOtp(otp), { phoneNumber })
    assert.deepEqual(wrong.body, {
      success: false,
      isOTPVerified: false,
      reason: 'Request error: Incorrect OTP; attempts left: 4',
    })
    const malformed = await verify('o-1', '12 345', { phoneNumber })
    const reason = 'Request error: otp must be the 4 digits of the message; no attempt was counted'
    assert.deepEqual(malformed.body, { success: false, isOTPVerified: false, reason })
    const other = await verify('o-1', otp, { phoneNumber: '917020141727' })
    assert.deepEqual(other.body, {
      success: false,
      isOTPVerified: false,
      reason: 'This order is for another recipient',
    })
    const answers = await Promise.all([1, 2, 3].map(() => verify('o-1', otp, { phoneNumber })))
    assert.equal(answers.filter(({ body }) => body.isOTPVerified).length, 1)
    assert.deepEqual((await verify('o-1', otp)).body.isOTPVerified, false)
  })

  test(`an order is visible to its tenant only, and another recipient cannot use its id (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const { send, resend } = calls(service)
    const { orderId } = (await send({ phoneNumber })).body
    assert.match(orderId, /^[\w-]{32}$/)
    const tenant = await service.parts.tenantKeyring.createTenant('other')
    const foreign = { ...(await service.parts.clients.createClient(tenant.id, 'other')) }
    const stolen = await resend(orderId, foreign)
    const unknown = await resend('none')
    assert.deepEqual([stolen.status, stolen.body], [400, unknown.body])
    assert.deepEqual(Object.keys(unknown.body), ['message'])
    assert.match((await send({ email: email.value, orderId })).body.message, /belongs to another recipient/)
    const sentBefore = service.parts.signIn.outbox.messages().length
    assert.equal((await send({ phoneNumber, orderId })).body.orderId, orderId)
    assert.equal(service.parts.signIn.outbox.messages().length, sentBefore, 'nothing is sent twice')
  })
})

const { open } = sqliteDatabases

test('an order without attempts left starts again before it expires', async (t) => {
  const service = await startSignInService(t, await open(t))
  const { send, verify } = calls(service)
  await send({ phoneNumber, orderId: 'o-1' })
  const first = service.otp()
  for (let i = 0; i < 5; i++) await verify('o-1', anotherOtp(first))
  await send({ phoneNumber, orderId: 'o-1' })
  assert.equal(service.parts.signIn.outbox.messages().length, 2)
  assert.equal((await verify('o-1', service.otp())).body.isOTPVerified, true)
})

test('takes the requests of existing server SDKs: texts for numbers, fields that it does not know, methods in lower case', async (t) => {
  const service = await startSignInService(t, await open(t))
  const { send, verify } = calls(service)
  for (const otpLength of ['6', '4', 8]) {
    const sent = await send({
      ...{ phoneNumber: `+${phoneNumber}`, email: '', channel: 'sms', hash: 'Ab1+x/2yZ3k', templateId: 't-1' },
      ...{ orderId: `o-${otpLength}`, expiry: '60', otpLength },
    })
    assert.deepEqual([sent.status, sent.body.success, sent.body.orderId], [200, true, `o-${otpLength}`])
    assert.equal(service.otp().length, Number(otpLength))
    const verified = await verify(`o-${otpLength}`, service.otp(), { phoneNumber: `+${phoneNumber}` })
    assert.deepEqual(verified.body, { success: true, isOTPVerified: true })
    service.clock.advance({ hours: 1 })
  }
  for (const [field, value] of [
    ...['3', '11', '06', '6.0', ' 6', '', 'six', '6e0', 3, 11, 6.5, null].map((value) => ['otpLength', value]),
    ...['29', '3601', '060', '-60', '', 29, 3601, null].map((value) => ['expiry', value]),
  ] as const) {
    const refused = await send({ phoneNumber, [String(field)]: value })
    assert.equal(refused.status, 400, `${field} ${JSON.stringify(value)}`)
    assert.match(refused.body.message, new RegExp(`${field} must be`))
  }
})

test('resend sends another OTP after the waiting time, and both are accepted', async (t) => {
  const service = await startSignInService(t, await open(t))
  const { send, resend, verify } = calls(service)
  await send({ email: email.value, channel: 'EMAIL', orderId: 'o-1' })
  const first = service.otp()
  const early = await resend('o-1')
  assert.equal(early.status, 429)
  assert.deepEqual(Object.keys(early.body), ['message'])
  service.clock.advance({ seconds: 31 })
  const resent = await resend('o-1')
  assert.deepEqual(resent.body, ordered('o-1', resent))
  assert.equal(service.parts.signIn.outbox.messages().length, 2)
  assert.equal((await verify('o-1', first)).body.isOTPVerified, true)
})

test('the caller chooses the expiry, and an expired OTP is not verified, with the reason', async (t) => {
  const service = await startSignInService(t, await open(t))
  const { send, verify } = calls(service)
  await send({ phoneNumber, orderId: 'o-1', expiry: 60 })
  service.clock.advance({ seconds: 61 })
  const late = await verify('o-1', service.otp())
  assert.deepEqual([late.status, late.body.isOTPVerified], [200, false])
  assert.match(late.body.reason, /expired/)
})

test('recognizes a recipient in another spelling', async (t) => {
  const service = await startSignInService(t, await open(t))
  const { send, verify } = calls(service)
  await send({ email: 'Ada@Bücher.example', orderId: 'o-1' })
  assert.equal((await send({ email: 'ada@bücher.example', orderId: 'o-1' })).body.orderId, 'o-1')
  const otp = service.otp()
  const other = await verify('o-1', otp, { email: 'eve@bücher.example' })
  assert.deepEqual(other.body, { success: false, isOTPVerified: false, reason: 'This order is for another recipient' })
  assert.deepEqual((await verify('o-1', otp, { email: 'none' })).body.isOTPVerified, false)
  assert.deepEqual((await verify('o-1', otp, { email: 'ADA@bücher.example' })).body, {
    success: true,
    isOTPVerified: true,
  })
})

test('errors of the legacy OTP calls have the format {message}', async (t) => {
  const service = await startSignInService(t, await open(t))
  const { send, verify } = calls(service)
  for (const [answer, status] of [
    [await send({}), 400],
    [await send({ phoneNumber: '12' }), 400],
    [await send({ email: 'none' }), 400],
    [await send({ phoneNumber, otpLength: 3 }), 400],
    [await send({ phoneNumber, channel: 'WHATSAPP' }), 400],
    [await send({ phoneNumber, orderId: 'a b' }), 400],
    [await send({ phoneNumber }, { clientSecret: 'rfs_wrong' }), 401],
    [await verify('none', '1234'), 400],
    [await verify('o-1', 'x'.repeat(17)), 400],
  ] as const) {
    assert.deepEqual([answer.status, Object.keys(answer.body)], [status, ['message']], JSON.stringify(answer.body))
  }
  assert.equal(
    (await send({ phoneNumber: '015123456789' })).headers.get('x-ringfence-notice'),
    'phoneNumber must start with the country calling code instead of the leading 0',
  )
  assert.equal(service.parts.signIn.outbox.messages().length, 0)
})

test('limits attempts and messages of the legacy calls too', async (t) => {
  const service = await startSignInService(t, await open(t), { settings: { messagesPerRecipientHour: 2 } })
  const { send, verify } = calls(service)
  await send({ phoneNumber, orderId: 'o-1' })
  const otp = service.otp()
  for (let i = 0; i < 5; i++) assert.equal((await verify('o-1', anotherOtp(otp))).body.isOTPVerified, false)
  assert.equal((await verify('o-1', otp)).body.isOTPVerified, false)
  assert.equal((await send({ phoneNumber, orderId: 'o-2' })).status, 200)
  assert.equal((await send({ phoneNumber, orderId: 'o-3' })).status, 429)
})

const gatewayAt = (url: string) => ({ sms: { type: 'http-gateway', url, json: { text: '{text}' } } })

test('a send that is not delivered is 503, and repeated sends with its orderId deliver one message', async (t) => {
  let status = 500
  const { url, received } = await scriptedUpstream(t, () => ({ status }))
  const service = await startSignInService(t, await open(t), { channels: gatewayAt(url) })
  const { send, verify } = calls(service)
  const refused = await send({ phoneNumber, orderId: 'o-1' })
  assert.deepEqual([refused.status, Object.keys(refused.body)], [503, ['message']])
  status = 200
  const answers = await Promise.all([1, 2, 3].map(() => send({ phoneNumber, orderId: 'o-1' })))
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200, 200],
  )
  assert.equal(received.length, 2, 'the one that failed, and one')
  const otp = /\d{6}/.exec(received[1]!.body)![0]
  assert.deepEqual((await verify('o-1', otp)).body, { success: true, isOTPVerified: true })
})

test('a send that is repeated while the message is in flight waits, and returns the same answer', async (t) => {
  const called = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const { url, received } = await scriptedUpstream(t, async () => {
    called.resolve()
    await goOn.promise
    return { status: 500 }
  })
  const service = await startSignInService(t, await open(t), { channels: gatewayAt(url) })
  const { send, verify } = calls(service)
  const first = send({ phoneNumber, orderId: 'o-1' })
  await called.promise
  const second = send({ phoneNumber, orderId: 'o-1' })
  const isSecondAnswered = await Promise.race([second.then(() => true), verify('o-1', '0').then(() => false)])
  goOn.resolve()
  assert.deepEqual(
    [isSecondAnswered, (await first).status, (await second).status, received.length],
    [false, 503, 503, 1],
  )
})

test('a send whose server died with the message in flight can be repeated', async (t) => {
  const service = await startSignInService(t, await open(t))
  const { send } = calls(service)
  await send({ phoneNumber, orderId: 'o-1' })
  await service.parts.database.query(`update sign_in set state = 'sending', sent = 0`)
  service.clock.advance({ seconds: 61 })
  assert.equal((await send({ phoneNumber, orderId: 'o-1' })).body.orderId, 'o-1')
  assert.equal(service.parts.signIn.outbox.messages().length, 2)
})
