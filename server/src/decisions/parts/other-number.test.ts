// Does a code prove the person only while nobody diverted it, whichever number a decision names, or if it names none?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { browserClient, ordinaryFacts } from '../../device/testdata/ordinary-report.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { newInstallationKey } from '../../testing/installation-key.ts'
import { type Bank, bank } from '../person/testing.ts'

const userId = 'wallet-1'
const own = { type: 'MOBILE', value: '917020141726' } as const
const email = { type: 'EMAIL', value: 'asha@shop.example' } as const
const swapped = { type: 'MOBILE', value: '917020140110' } as const
const forwarded = { type: 'MOBILE', value: '917020140120' } as const
/** Its operator answers too late. */
const silent = { type: 'MOBILE', value: '917020140153' } as const

const codesOf = ({ reasons }: Decision) => reasons.map(({ code }) => code)

/** A customer with these identities. */
async function customer({ signIn, linkUser }: Bank, ...identities: (typeof own | typeof email | typeof swapped)[]) {
  for (const identity of identities as { type: string; value: string }[])
    await linkUser((await signIn(identity)).token, userId)
}

const pass = async ({ passChallenge, signIn }: Bank, { decisionId }: Decision, identity: typeof own | object) => {
  const { token } = await signIn(identity as typeof own)
  // A busy machine is not a silent operator.
  const wait = identity === silent ? {} : { 'x-ringfence-deadline-ms': '10000' }
  const { status, body } = await passChallenge(decisionId, token, wait)
  return { status, why: String(body.description) }
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  for (const [name, number] of Object.entries({ swapped, forwarded })) {
    test(it(`a ${name} number passes no challenge of a decision that names no number`), async (t) => {
      const service = await bank(t, await open(t))
      await customer(service, number as typeof swapped, own as never)
      for (const action of ['LOGIN', 'PAYMENT']) {
        // The thief's page leaves the token out, and the backend names no number.
        const { dfrId } = await service.page()
        const decision = await service.decided({ action, userId, dfrId })
        assert.deepEqual([decision.action, decision.challenge?.identityTypes], ['CHALLENGE', ['MOBILE']], action)
        const thief = await pass(service, decision, number)
        assert.equal(thief.status, 400, action)
        assert.match(thief.why, /may have reached somebody else; sign in with another identity/)
        assert.equal((await pass(service, decision, own)).status, 200, 'the number of the person who is there')
      }
    })
  }

  test(it('a challenge is not offered to a number that is known to be swapped'), async (t) => {
    const service = await bank(t, await open(t))
    await customer(service, swapped)
    const login = { action: 'LOGIN', userId, dfrId: (await service.page()).dfrId }
    assert.equal((await service.decided({ ...login, phoneNumber: swapped.value })).action, 'BLOCK')
    const decision = await service.decided(login)
    assert.deepEqual([decision.action, decision.challenge], ['REVIEW', undefined])
    await customer(service, email)
    assert.deepEqual((await service.decided(login)).challenge?.identityTypes, ['EMAIL'])
  })

  test(it('a number whose operator does not answer passes no challenge for want of a number'), async (t) => {
    const service = await bank(t, await open(t))
    await customer(service, silent as never)
    const { dfrId } = await service.page()
    const payment = await service.decided({ action: 'PAYMENT', userId, dfrId })
    assert.equal((await pass(service, payment, silent)).status, 400)
    // An outage refuses nobody where no number is required.
    const login = await service.decided({ action: 'LOGIN', userId, dfrId: (await service.page()).dfrId })
    assert.equal((await pass(service, login, silent)).status, 200)
  })

  test(it('a sign-in by a swapped number counts, also when the backend names another one'), async (t) => {
    const service = await bank(t, await open(t))
    await customer(service, own, swapped)
    const { token } = await service.signIn(swapped)
    const login = { action: 'LOGIN', userId, phoneNumber: own.value, dfrId: (await service.page()).dfrId }
    const decision = await service.decided({ ...login, token })
    assert.equal(decision.action, 'BLOCK', JSON.stringify(decision.reasons))
    assert.ok(codesOf(decision).includes('SIM_SWAPPED'))
    const honest = await service.decided({ ...login, token: (await service.signIn(own)).token })
    assert.ok(!codesOf(honest).includes('SIM_SWAPPED'), 'that of the other number is another matter')
  })

  test(it('a stronger reason for a challenge does not make up for an operator that is silent'), async (t) => {
    const service = await bank(t, await open(t))
    await customer(service, silent as never, email as never)
    await service.publish(
      [
        { id: 'swap', name: 'Swap', when: 'telecom.simSwap.swapped', action: 'CHALLENGE', score: 1 },
        { id: 'large', name: 'Large', when: 'params.amount > 100', action: 'CHALLENGE', score: 60 },
      ],
      {},
    )
    const payment = { action: 'PAYMENT', userId, phoneNumber: silent.value, deadlineMs: 1_500 }
    for (const amount of [5, 500]) {
      const { dfrId } = await service.page()
      const decision = await service.decided({ ...payment, dfrId, params: { amount } })
      assert.deepEqual([decision.action, decision.challenge?.identityTypes], ['CHALLENGE', ['EMAIL']], String(amount))
      assert.equal((await pass(service, decision, silent)).status, 400)
    }
  })

  test(it('a device that somebody with the swapped SIM signed in on is not trusted after a review'), async (t) => {
    const service = await bank(t, await open(t))
    const client = await browserClient(service, { app: service.app, key: newInstallationKey() })
    const { dfrId } = await client.fingerprint(ordinaryFacts)
    const started = await service.start({ identity: swapped }, client)
    const proof = { otp: service.otp(), dfrId }
    const { token } = (await service.verify(started.body.transactionId, proof, client)).body
    await service.linkUser(token, userId)
    await service.publish(
      [{ id: 'swap', name: 'Swap', when: 'telecom.simSwap.swapped', action: 'CHALLENGE', score: 50 }],
      {},
    )
    const { body } = await service.post(endpoints.listAccountDevices.path, { userId })
    assert.deepEqual(
      body.devices.map(({ trusted }: { trusted: boolean }) => trusted),
      [true],
    )
    const decision = await service.decided({ action: 'LOGIN', userId, token, dfrId })
    assert.equal(decision.action, 'REVIEW')
    const after = await service.post(endpoints.listAccountDevices.path, { userId })
    assert.ok(
      after.body.devices.every(({ trusted }: { trusted: boolean }) => !trusted),
      JSON.stringify(after.body),
    )
  })
})
