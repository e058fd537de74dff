// Does a sign-in work whose code the mobile operator makes and compares? Over HTTP, against the sandbox operator, on both engines.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import type { AimedFault } from '@ringfence/sandbox'
import { startSandbox } from '@ringfence/sandbox'
import type { Database } from '../../core/storage/database.ts'
import { atEnd, type Ending } from '../../testing/at-end.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { type HeldTimers, holdTimers } from '../../testing/held-timers.ts'
import { testClock } from '../../testing/test-clock.ts'
import { until } from '../../testing/until.ts'
import { anotherOtp, mobile, type SignInOptions, startSignInService } from './testing/sign-in-service.ts'

const secret = 'sandbox-client-secret'
const validate = '/one-time-password-sms/v1/validate-code'
const send = '/one-time-password-sms/v1/send-code'
/** Of the operator, and longer than any message takes. */
const [timeoutMs, deliveryTimeoutMs] = [29_999, 30_000]

/** Ends the time-out of a call that the operator got and does not answer. */
async function endWhenFaulty({ operator }: Awaited<ReturnType<typeof startOperator>>, timeouts: HeldTimers) {
  await until(() => operator.calls.last(1).some(({ fault }) => fault !== null))
  timeouts.fire()
}

/** An operator that sends codes, and the channel to it. */
async function startOperator(t: Ending, config: object = {}) {
  const operator = await startSandbox({
    clock: testClock(),
    clients: [{ clientId: 'ringfence', clientSecret: secret }],
  })
  atEnd(t, () => operator.close())
  const token = {
    endpoint: `${operator.url}/oauth2/token`,
    clientId: 'ringfence',
    authentication: 'client_secret_basic',
    clientSecret: { env: 'SANDBOX_SECRET' },
  }
  const sms = { type: 'camara-otp', baseUrl: operator.url, sandbox: true, token, timeoutMs, ...config }
  const texts = () => operator.sentCodes.messages().map(({ text }) => text)
  const otp = () => /\d{6}/.exec(texts().at(-1) ?? '')![0]
  const asked = (path: string) => operator.calls.last(1000).filter((call) => call.path === path).length
  return { operator, sms, texts, otp, asked }
}

async function start(t: Ending, database: Database, options: SignInOptions & { config?: object } = {}) {
  const operator = await startOperator(t, options.config)
  const mail = { type: 'outbox', recipient: 'EMAIL' }
  const service = await startSignInService(t, database, { channels: { sms: operator.sms, mail }, ...options })
  const attempts = async () => {
    const rows = await service.parts.database.query<{ attempts: number }>('select attempts from sign_in')
    return rows.reduce((sum, row) => sum + row.attempts, 0)
  }
  return { ...service, ...operator, otp: operator.otp, attempts }
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('the operator makes, sends and compares the code, and the person is signed in once'), async (t) => {
    const service = await start(t, await open(t))
    const { status, body } = await service.start()
    assert.deepEqual([status, body.method, body.otpLength], [200, 'SMS', undefined])
    assert.match(
      service.texts()[0]!,
      /^\d{6} is your code for shop\. It is valid for 5 minutes\..*\n\n@shop\.example #\d{6}$/s,
    )
    assert.equal(service.parts.signIn.outbox.messages().length, 0)
    const wrong = await service.verify(body.transactionId, { otp: anotherOtp(service.otp()) })
    assert.deepEqual([wrong.status, wrong.body.errorCode], [400, '7118'])
    assert.match(wrong.body.description, /attempts left: 4/)
    const right = await service.verify(body.transactionId, { otp: service.otp() })
    assert.equal(right.status, 200)
    const [identity] = right.body.identities
    assert.deepEqual(
      [identity.identityType, identity.identityValue, identity.methods],
      ['MOBILE', mobile.value, ['SMS']],
    )
    const again = await service.verify(body.transactionId, { otp: service.otp() })
    assert.deepEqual([again.status, again.body.errorCode], [400, '7117'])
  })

  test(it('of several correct codes at once one signs in, and no guess exceeds the attempts'), async (t) => {
    const service = await start(t, await open(t), { settings: { otpAttempts: 3 } })
    const { transactionId } = (await service.start()).body
    const guesses = Array.from({ length: 8 }, (_, i) => String((Number(service.otp()) + 1 + i) % 1e6).padStart(6, '0'))
    const answers = await Promise.all(guesses.map((otp) => service.verify(transactionId, { otp })))
    assert.ok(
      answers.every(({ status }) => status === 400),
      'none of them is right',
    )
    assert.equal(service.asked(validate), 3)
    const late = await service.verify(transactionId, { otp: service.otp() })
    assert.deepEqual([late.status, late.body.errorCode], [400, '7119'])

    const other = await start(t, await open(t))
    const begun = (await other.start()).body
    const otp = other.otp()
    const same = await Promise.all([1, 2, 3].map(() => other.verify(begun.transactionId, { otp })))
    assert.equal(same.filter(({ status }) => status === 200).length, 1)
  })

  test(it('after a resend the new code and the one before are right; the limits are ours'), async (t) => {
    const service = await start(t, await open(t))
    const { transactionId } = (await service.start()).body
    const first = service.otp()
    assert.equal((await service.resend(transactionId)).body.errorCode, '7122', 'too early')
    service.clock.advance({ seconds: 31 })
    assert.equal((await service.resend(transactionId)).status, 200)
    assert.equal(service.texts().length, 2)
    assert.equal((await service.verify(transactionId, { otp: first })).status, 200)

    const other = await start(t, await open(t))
    const begun = (await other.start()).body
    other.clock.advance({ seconds: 31 })
    await other.resend(begun.transactionId)
    assert.equal((await other.verify(begun.transactionId, { otp: other.otp() })).status, 200)
  })

  test(
    it('a code that could not be compared is not wrong and costs no attempt, whatever the operator does'),
    async (t) => {
      const service = await start(t, await open(t), { settings: { deliveryTimeoutMs } })
      const timeouts = holdTimers(t, timeoutMs)
      const faults: AimedFault[] = [
        { kind: 'half-open' },
        { kind: 'reset' },
        { kind: 'slow', delayMs: 600_000 },
        { kind: 'garbage' },
        { kind: 'huge-body', bytes: 2000 },
        { kind: 'huge-body', bytes: 1_000_000 },
        { kind: 'redirect' },
        ...[403, 422, 500, 501, 502, 503, 504].map((status) => ({ kind: 'status', status }) as const),
      ]
      for (const [index, fault] of faults.entries()) {
        const identity = { type: 'MOBILE', value: `91702014${1800 + index}` }
        const { transactionId } = (await service.start({ identity })).body
        service.operator.faults.switchOn({ ...fault, route: validate })
        const verifying = service.verify(transactionId, { otp: service.otp() })
        if (['half-open', 'slow'].includes(fault.kind)) await endWhenFaulty(service, timeouts)
        const { status, body, headers } = await verifying
        service.operator.faults.switchAllOff()
        assert.deepEqual([status, body.errorCode], [503, '7373'], JSON.stringify(fault))
        assert.ok(Number(headers.get('retry-after')) >= 1)
        assert.equal(await service.attempts(), 0, JSON.stringify(fault))
      }
    },
  )

  test(it('after a resend a guess at the new code counts, also when the code before cannot be compared'), async (t) => {
    const service = await start(t, await open(t), { settings: { otpAttempts: 3 } })
    const { transactionId } = (await service.start()).body
    service.clock.advance({ seconds: 31 })
    assert.equal((await service.resend(transactionId)).status, 200)
    // The sandbox counts for each code, so that the last guess is used up there.
    const guess = anotherOtp(service.otp())
    const { faults } = service.operator
    const codes = []
    for (let attempt = 1; attempt <= 3; attempt++) {
      const begun = service.asked(validate)
      const guessed = service.verify(transactionId, { otp: guess })
      while (service.asked(validate) === begun) await setImmediate()
      faults.switchOn({ kind: 'status', status: 429, route: validate })
      codes.push((await guessed).body.errorCode)
      faults.switchAllOff()
    }
    codes.push((await service.verify(transactionId, { otp: service.otp() })).body.errorCode)
    assert.deepEqual(codes, ['7118', '7118', '7119', '7119'])
  })

  test(it('an operator that never compares cannot be asked without end: returned attempts are few'), async (t) => {
    const service = await start(t, await open(t), { settings: { otpAttempts: 2 } })
    const { transactionId } = (await service.start()).body
    service.operator.faults.switchOn({ kind: 'status', status: 422, route: validate })
    const codes = []
    for (let attempt = 0; attempt < 8; attempt++)
      codes.push((await service.verify(transactionId, { otp: service.otp() })).body.errorCode)
    // Twice two are returned, then two count.
    assert.deepEqual(codes, [...Array(6).fill('7373'), '7119', '7119'])
    assert.equal(service.asked(validate), 6)
  })

  test(
    it('a code that the operator no longer accepts is not sent to it again, and a resend gives another'),
    async (t) => {
      const service = await start(t, await open(t), { settings: { otpLifetimeSeconds: 900 } })
      const { transactionId } = (await service.start()).body
      service.operator.clock.advance(1)
      const expired = async () => (await service.verify(transactionId, { otp: service.otp() })).body.errorCode
      assert.equal(await expired(), '7303')
      const asked = service.asked(validate)
      assert.ok(asked > 0)
      for (let attempt = 0; attempt < 3; attempt++) assert.equal(await expired(), '7303')
      assert.equal(service.asked(validate), asked)
      service.clock.advance({ seconds: 31 })
      assert.equal((await service.resend(transactionId)).status, 200)
      assert.equal((await service.verify(transactionId, { otp: service.otp() })).status, 200)
    },
  )
})

const { open } = sqliteDatabases

test('a message that the operator does not accept is 7131, is sent once at most, and a new start may follow', async (t) => {
  const service = await start(t, await open(t), { settings: { deliveryTimeoutMs } })
  const timeouts = holdTimers(t, timeoutMs)
  const faults: AimedFault[] = [
    { kind: 'half-open' },
    { kind: 'reset' },
    { kind: 'garbage' },
    { kind: 'huge-body', bytes: 2000 },
    { kind: 'status', status: 503 },
    { kind: 'status', status: 403 },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 422 },
  ]
  for (const fault of faults) {
    service.operator.calls.clear()
    service.operator.faults.switchOn({ ...fault, route: send })
    const starting = service.start()
    if (fault.kind === 'half-open') await endWhenFaulty(service, timeouts)
    const { status, body } = await starting
    service.operator.faults.switchAllOff()
    assert.deepEqual([status, body.errorCode], [503, '7131'], JSON.stringify(fault))
    assert.equal(service.asked(send), 1, JSON.stringify(fault))
    service.clock.advance({ seconds: 60 })
  }
  assert.equal((await service.start()).status, 200)
  const refused = await service.start({ identity: { type: 'MOBILE', value: '917020140140' } })
  assert.deepEqual([refused.status, refused.body.errorCode], [503, '7131'], 'not allowed by this operator')
})

test('a code that the operator no longer accepts is expired, and one with too many attempts there is used up', async (t) => {
  const service = await start(t, await open(t), { settings: { otpAttempts: 10 } })
  const { transactionId } = (await service.start()).body
  const otp = service.otp()
  for (let count = 0; count < 3; count++) await service.verify(transactionId, { otp: anotherOtp(otp) })
  const usedUp = await service.verify(transactionId, { otp })
  assert.deepEqual([usedUp.status, usedUp.body.errorCode], [400, '7119'], 'the operator counts too')

  const other = await start(t, await open(t), { settings: { otpLifetimeSeconds: 900 } })
  const begun = (await other.start()).body
  other.operator.clock.advance(1)
  const expired = await other.verify(begun.transactionId, { otp: other.otp() })
  assert.deepEqual([expired.status, expired.body.errorCode, await other.attempts()], [400, '7303', 0])
})

test('what no operator makes as a code costs no attempt, and is not sent on', async (t) => {
  const service = await start(t, await open(t))
  const { transactionId } = (await service.start()).body
  for (const otp of ['', '{{code}}', ' - ', '12345678901', '1é3']) {
    const { status, body } = await service.verify(transactionId, { otp })
    assert.deepEqual([status, body.errorCode], [400, '7102'], JSON.stringify(otp))
    assert.match(body.description, /no attempt was counted/)
  }
  assert.equal(service.asked(validate), 0)
})

test('the page does not learn that the gate held the message back: a wrong code looks as it does for others', async (t) => {
  const gate = { deadlineMs: 10_000, simSwap: { onFound: 'refuse' } }
  const service = await start(t, await open(t), { app: { gate }, config: { otpDigits: 6 } })
  const swapped = { type: 'MOBILE', value: '61491570110' } as const
  const held = await service.start({ identity: swapped })
  const passed = await service.start()
  assert.deepEqual(Object.keys(held.body), Object.keys(passed.body))
  assert.deepEqual([held.body.otpLength, passed.body.otpLength], [6, 6])
  assert.equal(service.texts().length, 1)
  for (const { body } of [held, passed]) {
    const malformed = await service.verify(body.transactionId, { otp: '12345' })
    assert.match(malformed.body.description, /otp must be the 6 digits of the message/)
  }
  const [ofPassed, ofHeld] = [
    await service.verify(passed.body.transactionId, { otp: anotherOtp(service.otp()) }),
    await service.verify(held.body.transactionId, { otp: '123456' }),
  ]
  assert.deepEqual([ofHeld.status, ofHeld.body], [ofPassed.status, ofPassed.body])
})

test('the channel offers no magic links, and says at start what cannot work', async (t) => {
  const service = await start(t, await open(t), { app: { signInElsewhere: true } })
  const link = await service.client.post(endpoints.signInStart.path, { channel: 'MAGIC_LINK', identity: mobile })
  assert.deepEqual([link.status, link.body.errorCode], [400, '7106'])
  const unusable = [
    [{ token: { grant: 'jwt_bearer' } }, /channels\.sms/],
    [{ otpText: 'no placeholder' }, /otpText/],
    [{ otpText: '{otp} {name}' }, /\{name\} is not a placeholder/],
  ] as const
  for (const [config, message] of unusable) await assert.rejects(start(t, await open(t), { config }), message)
})

test('a text that is longer than CAMARA allows goes without the line for browsers', async (t) => {
  const otpText = `{otp} ${'x'.repeat(130)} {app}`
  const service = await start(t, await open(t), { config: { otpText } })
  await service.start()
  const [text = ''] = service.texts()
  assert.match(text, /^\d{6} x{130} shop$/)
  const longer = await start(t, await open(t), { config: { otpText: `{otp} ${'x'.repeat(200)}` } })
  await longer.start()
  assert.match(longer.texts()[0]!, /^\d{6}$/)
})
