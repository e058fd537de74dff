import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import type { Database } from '../../core/storage/database.ts'
import type { Ending } from '../../testing/at-end.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import type { TestAnswer } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { anotherOtp, email, redirectUrl, type SignInService, startSignInService } from './testing/sign-in-service.ts'
import { userOf } from './users.ts'

const { open } = sqliteDatabases

/** The last digits choose the sandbox's result; docs/reference/sandbox.md lists them. */
const swapped = { type: 'MOBILE', value: '61491570110' } as const
const ordinary = { type: 'MOBILE', value: '917020141726' } as const

/** The longest there is: on a busy machine the usual time is too short for the operator, which shares it. */
const deadlineMs = 10_000

const service = (t: Ending, database: Database, gate: object, options: object = {}) =>
  startSignInService(t, database, { app: { gate: { deadlineMs, ...gate } }, ...options })

const emailStepUp = {
  deadlineMs,
  simSwap: { onFound: 'stepUp' },
  stepUp: { channel: 'OTP', method: 'EMAIL' },
}

/** Lets a user prove the swapped number and an email address. */
async function proveBoth({ tenantId, parts: needs }: SignInService): Promise<string> {
  const identities = [swapped, email].map(({ type, value }) => ({
    identityType: type,
    identityValue: value,
    verified: true,
  }))
  return userOf(tenantId, { identities }, needs)
}

const shapeOf = ({ status, body }: TestAnswer) => [
  status,
  Object.entries(body as object).map(([name, value]) =>
    ['transactionId', 'expiresAt'].includes(name) ? [name, String(value).length] : [name, value],
  ),
]

eachDatabase(({ engine, open }) => {
  test(`the gate holds back the message to a number whose SIM has been swapped, and lets other numbers pass (${engine})`, async (t) => {
    const gated = await service(t, await open(t), { simSwap: { onFound: 'refuse' } })
    const refused = await gated.start({ identity: swapped })
    assert.equal(gated.parts.signIn.outbox.messages().length, 0)
    const passed = await gated.start({ identity: ordinary })
    assert.deepEqual([passed.status, shapeOf(refused)], [200, shapeOf(passed)])
    assert.equal(gated.parts.signIn.outbox.messages().length, 1)
    assert.equal(passed.headers.get('x-ringfence-sandbox'), 'true')
    assert.deepEqual([...refused.headers.keys()], [...passed.headers.keys()])
  })

  test(`a page chooses no text of the gate's calls to the operator, which might refuse it and let the message pass (${engine})`, async (t) => {
    const gated = await service(t, await open(t), { simSwap: { onFound: 'refuse' } })
    const chosen = { 'x-correlator': '<script>', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
    const body = { channel: 'OTP', identity: swapped }
    assert.equal((await gated.client.post(endpoints.signInStart.path, body, chosen)).status, 200)
    const logged = await fetch(`${gated.sandbox.url}/sandbox/calls`)
    const { calls } = (await logged.json()) as { calls: { path: string; correlator: string }[] }
    const checks = calls.filter(({ path }) => path.includes('sim-swap'))
    assert.equal(checks.length, 1)
    assert.match(checks[0]!.correlator, /^[0-9a-f-]{36}$/)
  })

  test(`the gate steps up to the email address that the number’s user verified, otherwise it holds back (${engine})`, async (t) => {
    const gated = await service(t, await open(t), emailStepUp)
    const heldBack = await gated.start({ identity: swapped })
    assert.equal(gated.parts.signIn.outbox.messages().length, 0)
    const userId = await proveBoth(gated)
    gated.clock.advance({ seconds: 31 })
    const started = await gated.start({ identity: swapped })
    assert.deepEqual(
      gated.parts.signIn.outbox.messages().map(({ to }) => to),
      [email.value],
    )
    const passed = await gated.start({ identity: ordinary })
    assert.deepEqual([shapeOf(started), shapeOf(heldBack)], [shapeOf(passed), shapeOf(passed)])
    const otp = /\d{6}/.exec(gated.parts.signIn.outbox.messages()[0]!.text)![0]
    const { body } = await gated.verify(started.body.transactionId, { otp })
    assert.deepEqual([body.userId, body.identities[0].identityType], [userId, 'EMAIL'])
  })
})

for (const asked of [
  { channel: 'OTP' },
  { channel: 'OTP', redirectUrl },
  { channel: 'MAGIC_LINK' },
  { channel: 'MAGIC_LINK', redirectUrl },
  { channel: 'MAGIC_LINK', redirectUrl, codeChallenge: undefined },
]) {
  test(`what follows a start does not show what the gate found: proofs, resends, repeated starts, limits: ${JSON.stringify(asked)}`, async (t) => {
    const gates = { record: undefined, refuse: { deadlineMs, simSwap: { onFound: 'refuse' } }, stepUp: emailStepUp }
    const link = { ...emailStepUp, stepUp: { channel: 'MAGIC_LINK', method: 'EMAIL' } }
    const seen: unknown[] = []
    for (const gate of [...Object.values(gates), link]) {
      const settings = { messagesPerRecipientHour: 4 }
      const gated = await startSignInService(t, await open(t), {
        settings,
        app: { signInElsewhere: true, redirectUrls: [redirectUrl], ...(gate && { gate }) },
      })
      await proveBoth(gated)
      const start = () => gated.start({ identity: swapped, ...asked })
      const first = await start()
      const { transactionId } = first.body
      const steps = [first, await start()]
      assert.equal(steps[1]!.body.transactionId, transactionId)
      const wrong = anotherOtp(gated.otp() || '123456')
      const verify = async (proof: object) => steps.push(await gated.verify(transactionId, proof))
      steps.push(await gated.status(transactionId))
      for (const proof of [{ otp: wrong }, {}, { code: 'x' }, { code: 'x', codeVerifier: undefined }])
        await verify(proof)
      for (const proof of [{ otp: wrong, code: 'x' }, { otp: 'abc' }, { otp: '' }]) await verify(proof)
      steps.push(await gated.resend(transactionId))
      gated.clock.advance({ seconds: 31 })
      steps.push(await gated.resend(transactionId))
      for (let attempt = 0; attempt < 4; attempt++) await verify({ otp: wrong })
      await verify({ code: 'x' })
      for (let again = 0; again < 3; again++) {
        steps.push(await start())
        gated.clock.advance({ seconds: 31 })
      }
      seen.push(steps.map(shapeOf))
    }
    const [record, ...others] = seen
    for (const [i, other] of others.entries()) assert.deepEqual(other, record, `gate ${i + 1}`)
  })
}

test('no message limit shows what the gate found: of the IP address, of the number, of its email address', async (t) => {
  const other = { type: 'EMAIL', value: 'mallory@shop.example' }
  const seen: unknown[] = []
  for (const gate of [undefined, { deadlineMs, simSwap: { onFound: 'refuse' } }, emailStepUp]) {
    const accepted: Record<string, number> = {}
    const settings = {
      messagesPerRecipientHour: 4,
      messagesPerAddressHour: 8,
      messagesPerSignIn: 3,
      appRatePerSecond: 1000,
    }
    const started = async () => {
      const gated = await startSignInService(t, await open(t), { settings, ...(gate && { app: { gate } }) })
      await proveBoth(gated)
      return gated
    }
    const count = async (what: string, gated: SignInService, calls: number, call: () => Promise<TestAnswer>) => {
      accepted[what] = 0
      for (let i = 0; i < calls; i++) {
        if ((await call()).status === 200) accepted[what]++
        gated.clock.advance({ seconds: 31 })
      }
    }
    const ofAddress = await started()
    await ofAddress.start({ identity: swapped })
    await count('another of this IP address', ofAddress, 10, async () =>
      ofAddress.start({ identity: { ...other, value: `m${Math.random()}@shop.example` } }),
    )
    const ofNumber = await started()
    const { transactionId } = (await ofNumber.start({ identity: swapped })).body
    ofNumber.clock.advance({ seconds: 31 })
    await count('resent', ofNumber, 3, () => ofNumber.resend(transactionId))
    await count('started again', ofNumber, 6, () => ofNumber.start({ identity: swapped }))
    const ofEmail = await started()
    await ofEmail.start({ identity: swapped })
    await count('email', ofEmail, 6, () => ofEmail.start({ identity: email }))
    seen.push(accepted)
  }
  assert.deepEqual(seen[1], seen[0], 'held back')
  assert.deepEqual(seen[2], seen[0], 'stepped up')
})

test('a held back start takes as long as the gateway did lately, and fails as often', async (t) => {
  let status = 200
  const { url, received } = await scriptedUpstream(t, async () => {
    await wait(120)
    return { status }
  })
  const channels = { sms: { type: 'http-gateway', url, json: { text: '{text}' } } }
  const settings = { messagesPerRecipientHour: 100, messagesPerAddressHour: 1000 }
  const gated = await service(t, await open(t), { simSwap: { onFound: 'refuse' } }, { channels, settings })
  await gated.start({ identity: ordinary })
  const startedAt = performance.now()
  assert.equal((await gated.start({ identity: swapped })).status, 200)
  assert.ok(performance.now() - startedAt >= 115)
  status = 500
  gated.clock.advance({ seconds: 31 })
  for (let i = 0; i < 32; i++) await gated.start({ identity: ordinary })
  assert.equal((await gated.start({ identity: swapped })).body.errorCode, '7131')
  assert.equal(received.length, 33)
})

test('a start that steps up waits for no other gateway than the page asked for, and fails with it only', async (t) => {
  let status = 200
  const sms = await scriptedUpstream(t, () => ({ status }))
  const [sent, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const mail = await scriptedUpstream(t, async () => {
    arrived.resolve()
    await sent.promise
    return { status: 500 }
  })
  const gateway = (url: string, recipient: string, method: string) => ({
    type: 'http-gateway',
    url,
    recipient,
    method,
    json: { text: '{text}' },
  })
  const channels = { sms: gateway(sms.url, 'MOBILE', 'SMS'), mail: gateway(mail.url, 'EMAIL', 'EMAIL') }
  const gate = { simSwap: { onFound: 'stepUp' }, stepUp: { channel: 'OTP', method: 'EMAIL' } }
  const settings = { messagesPerRecipientHour: 100, messagesPerAddressHour: 1000 }
  const gated = await service(t, await open(t), gate, { channels, settings })
  await proveBoth(gated)
  await gated.start({ identity: ordinary })
  assert.equal((await gated.start({ identity: swapped })).status, 200, 'while the gateway for emails hangs')
  await arrived.promise
  sent.resolve()
  status = 500
  gated.clock.advance({ seconds: 31 })
  for (let i = 0; i < 32; i++) await gated.start({ identity: ordinary })
  assert.equal((await gated.start({ identity: swapped })).body.errorCode, '7131')
})

eachDatabase(({ engine, open }) => {
  test(`the page does not see that the gateway of a step-up fails, and the metrics of its channel do (${engine})`, async (t) => {
    const { url } = await scriptedUpstream(t, () => ({ status: 500 }))
    const mail = { type: 'http-gateway', url, recipient: 'EMAIL', method: 'EMAIL', json: { text: '{text}' } }
    const channels = { sms: { type: 'outbox', recipient: 'MOBILE' }, mail }
    const gated = await service(t, await open(t), emailStepUp, { channels })
    await proveBoth(gated)
    assert.equal((await gated.start({ identity: swapped })).status, 200)
    const failed = /^ringfence_upstream_call_seconds_count\{upstream="mail",call="message",outcome="unreachable"\} 1$/m
    await until(
      () => gated.parts.metrics.text(),
      ({ body }) => failed.test(body),
    )
  })
})

test('counts the checks of a number and an IP address, also when no message goes out', async (t) => {
  const { url } = await scriptedUpstream(t, () => ({ status: 500 }))
  const channels = { sms: { type: 'http-gateway', url, json: { text: '{text}' } } }
  for (const settings of [{ messagesPerRecipientHour: 2 }, { messagesPerAddressHour: 2 }]) {
    const gated = await service(t, await open(t), { simSwap: { onFound: 'refuse' } }, { channels, settings })
    const codes: string[] = []
    for (let i = 0; i < 5; i++) codes.push((await gated.start({ identity: ordinary })).body.errorCode)
    assert.deepEqual(codes, ['7131', '7131', '7131', '7131', '7124'], JSON.stringify(settings))
  }
})

eachDatabase(({ engine, open }) => {
  test(`a reached cost cap does not let a message pass that the check would stop, unless the policy says so (${engine})`, async (t) => {
    const costs = {
      currency: 'EUR',
      prices: { sandbox: { simSwap: 20_000, numberVerification: 20_000 } },
      dailyCap: { total: 20_000 },
    }
    const edit = <Parts extends object>(parts: Parts) => ({ ...parts, costs })
    const sentTo = async (simSwap: object, more: object = {}) => {
      const gated = await service(t, await open(t), { simSwap, ...more }, { edit })
      await proveBoth(gated)
      await gated.parts.telecom.costs.charge(gated.tenantId, 'sandbox', 'numberVerification')
      assert.equal((await gated.start({ identity: swapped })).status, 200)
      return gated.parts.signIn.outbox.messages().map(({ to }) => to)
    }
    assert.deepEqual(await sentTo({ onFound: 'refuse' }), [])
    assert.deepEqual(await sentTo({ onFound: 'stepUp' }, { stepUp: emailStepUp.stepUp }), [email.value])
    assert.deepEqual(await sentTo({ onFound: 'record' }), [swapped.value])
    assert.deepEqual(await sentTo({ onFound: 'refuse', onFailure: 'record' }), [swapped.value])
  })
})

test('a failed check does not block unless the policy says so, and `record` continues', async (t) => {
  const edit = <Parts extends { operators: readonly object[] }>(parts: Parts): Parts => ({ ...parts, operators: [] })
  const open1 = await service(t, await open(t), { simSwap: { onFound: 'refuse' } }, { edit })
  assert.equal((await open1.start({ identity: swapped })).status, 200)
  assert.equal(open1.parts.signIn.outbox.messages().length, 1)
  const strict = await service(t, await open(t), { simSwap: { onFound: 'record', onFailure: 'refuse' } }, { edit })
  assert.equal((await strict.start({ identity: swapped })).status, 200)
  assert.equal(strict.parts.signIn.outbox.messages().length, 0)
  const recording = await service(t, await open(t), {
    simSwap: { onFound: 'record' },
    callForwarding: { onFound: 'record' },
  })
  assert.equal((await recording.start({ identity: swapped })).status, 200)
})

test('a step-up to an identity provider that the app does not offer holds the message back and does not show', async (t) => {
  const gate = { simSwap: { onFound: 'stepUp' }, stepUp: { channel: 'OAUTH', method: 'GOOGLE' } }
  const gated = await service(t, await open(t), gate)
  const passed = await gated.start({ identity: ordinary })
  gated.parts.signIn.outbox.put = () => assert.fail('sent')
  assert.deepEqual(shapeOf(await gated.start({ identity: swapped })), shapeOf(passed))
})
