import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../storage/database.ts'
import { type Ending, eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { email, startSignInService } from './testing/sign-in-service.ts'

const { open } = sqliteDatabases

/** The last digits choose the sandbox's result; docs/guides/sandbox.md lists them. */
const swapped = { type: 'MOBILE', value: '61491570110' } as const
const ordinary = { type: 'MOBILE', value: '917020141726' } as const

const service = (t: Ending, database: Database, gate: object, options: object = {}) =>
  startSignInService(t, database, { app: { gate }, ...options })

eachDatabase(({ engine, open }) => {
  test(`the gate refuses a number whose SIM has been swapped before anything is sent, and lets other numbers pass (${engine})`, async (t) => {
    const gated = await service(t, await open(t), { simSwap: { onFound: 'refuse' } })
    const refused = await gated.start({ identity: swapped })
    assert.deepEqual([refused.status, refused.body.errorCode], [403, '7109'], JSON.stringify(refused.body))
    assert.equal(gated.platform.outbox.messages().length, 0)
    const passed = await gated.start({ identity: ordinary })
    assert.equal(passed.status, 200)
    assert.equal(passed.headers.get('x-ringfence-sandbox'), 'true')
  })

  test(`the gate steps up to the email address that the number’s user verified, otherwise it refuses (${engine})`, async (t) => {
    const database = await open(t)
    const gate = { simSwap: { onFound: 'stepUp' }, stepUp: { channel: 'OTP', method: 'EMAIL' } }
    const gated = await service(t, database, gate)
    assert.equal((await gated.start({ identity: swapped })).body.errorCode, '7109')
    const proof = [swapped, email].map(({ type, value }) => ({
      identityType: type,
      identityValue: value,
      verified: true,
    }))
    const { userOf } = await import('./users.ts')
    const userId = await userOf(gated.tenantId, { identities: proof }, gated.platform)
    const started = await gated.start({ identity: swapped })
    assert.deepEqual([started.body.channel, started.body.method], ['OTP', 'EMAIL'], JSON.stringify(started.body))
    assert.deepEqual(
      gated.platform.outbox.messages().map(({ to }) => to),
      [email.value],
    )
    const { body } = await gated.verify(started.body.transactionId, { otp: gated.otp() })
    assert.deepEqual([body.userId, body.identities[0].identityType], [userId, 'EMAIL'])
  })
})

test('a failed check does not block unless the policy says so, and `record` continues', async (t) => {
  const edit = <Parts extends { operators: readonly object[] }>(parts: Parts): Parts => ({ ...parts, operators: [] })
  const open1 = await service(t, await open(t), { simSwap: { onFound: 'refuse' } }, { edit })
  assert.equal((await open1.start({ identity: swapped })).status, 200)
  const strict = await service(t, await open(t), { simSwap: { onFound: 'record', onFailure: 'refuse' } }, { edit })
  assert.equal((await strict.start({ identity: swapped })).status, 403)
  const recording = await service(t, await open(t), {
    simSwap: { onFound: 'record' },
    callForwarding: { onFound: 'record' },
  })
  assert.equal((await recording.start({ identity: swapped })).status, 200)
})

test('a step-up to an identity provider that the app does not offer is refused with 7106 and sends nothing', async (t) => {
  const gate = { simSwap: { onFound: 'stepUp' }, stepUp: { channel: 'OAUTH', method: 'GOOGLE' } }
  const gated = await service(t, await open(t), gate)
  const { status, body } = await gated.start({ identity: swapped })
  assert.deepEqual([status, body.errorCode], [400, '7106'])
  assert.equal(gated.platform.outbox.messages().length, 0)
})
