// Whose sign-in does a decision take? With real sign-ins: a person's own id, their second identity, and a thief with a number of his own.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { personOf } from '../../accounts/person.ts'
import { adminClient } from '../../admin/testing.ts'
import type { SignInService } from '../../sign-in/authentication/testing/sign-in-service.ts'
import { userOf } from '../../sign-in/authentication/users.ts'
import { tokenCalls } from '../../sign-in/tokens/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { type Bank, bank } from './testing.ts'

const own = { type: 'MOBILE', value: '917020141726' } as const
const thiefs = { type: 'MOBILE', value: '917020141001' } as const
const email = { type: 'EMAIL', value: 'asha@shop.example' } as const
const swapped = { type: 'MOBILE', value: '917020140110' } as const

/** Signs up with the integrator's own id. */
async function signUp({ signIn, decided, page }: Bank, userId = 'wallet-1') {
  const { dfrId } = await page()
  const { token, userId: personId } = await signIn(own)
  const decision = await decided({ action: 'SIGNUP', userId, token, dfrId })
  return { decision, personId }
}

const codesOf = ({ reasons }: Decision) => reasons.map(({ code }) => code)
const linkOf = async ({ tenantId, parts }: SignInService, personId: string) =>
  (await personOf(tenantId, personId, parts))?.customerId

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('a sign-up with an own customer id is allowed and linked, and later tokens have that id'), async (t) => {
    const service = await bank(t, await open(t))
    const { decision, personId } = await signUp(service)
    assert.equal(decision.action, 'ALLOW', JSON.stringify(decision.reasons))
    assert.equal(decision.login?.userId, 'wallet-1')
    assert.equal(await linkOf(service, personId), 'wallet-1')
    const { token, userId } = await service.signIn(own)
    assert.equal(userId, personId, 'the page sees the same id as before')
    assert.equal((await tokenCalls(service).validate(token)).body.userId, 'wallet-1')
    const { body } = await service.post(endpoints.searchEvents.path, { userId: 'wallet-1', types: ['user.linked'] })
    assert.equal(body.events[0].data.decisionId, decision.decisionId)
  })

  test(it('the minted id of a linked user is the same user wherever a backend or a page names it'), async (t) => {
    const service = await bank(t, await open(t))
    const page = await service.page()
    const { token, userId: minted } = await service.signIn(own)
    await service.decided({ action: 'SIGNUP', userId: 'wallet-1', token, dfrId: page.dfrId })
    const { devices } = (await service.post(endpoints.listAccountDevices.path, { userId: 'wallet-1' })).body
    assert.equal(devices.length, 1)
    assert.deepEqual((await service.post(endpoints.listAccountDevices.path, { userId: minted })).body.devices, devices)
    const call = await adminClient(service, 'viewer')
    const shown = async (userId: string) => (await call('readUser', { userId })).body
    assert.deepEqual((await shown(minted)).usual, (await shown('wallet-1')).usual)
    assert.ok((await shown(minted)).usual.sessions >= 1)
    // A page knows only the minted id; the backend of a token from before the link knows it, too.
    for (const [ofBackend, ofPage] of [
      ['wallet-1', minted],
      [minted, 'wallet-1'],
      [minted, minted],
    ] as const) {
      const dfrId = await page.report(ofPage)
      const decision = await service.decided({ action: 'LOGIN', userId: ofBackend, dfrId })
      assert.deepEqual([decision.action, decision.missing], ['ALLOW', []], decision.verdict)
      assert.equal(decision.account?.linkedAccounts, 0, 'one person is one account')
      const named = { deviceType: 'WEB', expectedUserId: ofBackend, userId: ofBackend, userVerified: false }
      const read = await service.post(endpoints.deviceFingerprint.path, {
        dfrId,
        ...named,
        include: ['identification'],
      })
      assert.equal(read.body.identification.knownForAccount, 'yes')
      service.clock.advance({ seconds: 61 })
    }
    const ofAnother = await service.decided({ action: 'LOGIN', userId: minted, dfrId: await page.report('wallet-2') })
    assert.deepEqual(ofAnother.missing, [
      { what: 'login', why: 'not-given' },
      { what: 'device', why: 'other-user' },
    ])
    const label = { dfrId: await page.report(), outcome: 'accountTakeover', userId: minted }
    await service.post(endpoints.labelReports.path, { labels: [label] })
    const after = await service.post(endpoints.listAccountDevices.path, { userId: 'wallet-1' })
    assert.equal(after.body.devices[0].trusted, false)
  })

  test(it('a page that names an own id is not of another user while the sign-in is not linked'), async (t) => {
    const service = await bank(t, await open(t))
    const { report } = await service.page()
    const { token } = await service.signIn(own)
    const decision = await service.decided({ action: 'LOGIN', token, dfrId: await report('wallet-1') })
    assert.deepEqual([decision.action, decision.missing], ['ALLOW', []], decision.verdict)
    const { userId: thief } = await service.signIn(thiefs)
    const { token: another } = await service.signIn(own)
    const ofThief = await service.decided({ action: 'LOGIN', token: another, dfrId: await report(thief) })
    assert.deepEqual(ofThief.missing, [{ what: 'device', why: 'other-user' }])
  })

  test(it('a thief with the password and a number of his own is challenged, and never linked'), async (t) => {
    const service = await bank(t, await open(t))
    await signUp(service)
    const { dfrId } = await service.page()
    const { token, userId: thief } = await service.signIn(thiefs)
    const login = { action: 'LOGIN', userId: 'wallet-1', dfrId }
    const decision = await service.decided({ ...login, token })
    assert.equal(decision.action, 'CHALLENGE')
    assert.ok(codesOf(decision).includes('LOGIN_NOT_LINKED'))
    assert.deepEqual(decision.missing, [{ what: 'login', why: 'not-linked' }])
    assert.equal(decision.login, undefined)
    assert.deepEqual(decision.challenge?.identityTypes, ['MOBILE'])
    const { status, body } = await service.passChallenge(decision.decisionId, (await service.signIn(thiefs)).token)
    assert.equal(status, 400)
    assert.match(body.description, /not of the user of the decision/)
    assert.equal(await linkOf(service, thief), undefined)
    // Nor by a sign-up with the id of a customer, nor for a payment that requires no sign-in.
    for (const action of ['SIGNUP', 'PAYMENT', 'CHANGE_ADDRESS']) {
      const other = await service.decided({
        ...login,
        action,
        phoneNumber: own.value,
        token: (await service.signIn(thiefs)).token,
      })
      assert.equal(other.action, 'CHALLENGE', action)
      assert.ok(codesOf(other).includes('LOGIN_NOT_LINKED'), action)
    }
    assert.equal(await linkOf(service, thief), undefined)
  })

  test(
    it('a sign-in with the number that the backend knows is linked, also when the customer is not new'),
    async (t) => {
      const service = await bank(t, await open(t))
      await signUp(service)
      const { dfrId } = await service.page()
      const { token, userId: personId } = await service.signIn(email)
      const decision = await service.decided({
        action: 'LOGIN',
        userId: 'wallet-1',
        email: 'Asha@Shop.example',
        token,
        dfrId,
      })
      // The device is new to the account: the link waits for the challenge.
      assert.equal(decision.login?.userId, 'wallet-1')
      if (decision.action === 'CHALLENGE') {
        assert.equal(await linkOf(service, personId), undefined)
        const passed = await service.passChallenge(decision.decisionId, (await service.signIn(own)).token)
        assert.equal(passed.status, 200, JSON.stringify(passed.body))
      }
      assert.equal(await linkOf(service, personId), 'wallet-1')
    },
  )

  test(it('whoever is not linked passes with a known identity, and is linked by it'), async (t) => {
    const service = await bank(t, await open(t))
    await signUp(service)
    const { dfrId } = await service.page()
    const { token, userId: personId } = await service.signIn(email)
    const { decisionId, action } = await service.decided({ action: 'LOGIN', userId: 'wallet-1', token, dfrId })
    assert.equal(action, 'CHALLENGE')
    assert.equal(await linkOf(service, personId), undefined)
    const { status, body } = await service.passChallenge(decisionId, (await service.signIn(own)).token)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(await linkOf(service, personId), 'wallet-1')
  })

  test(it('the sign-in of another customer blocks, with a message about the account'), async (t) => {
    const service = await bank(t, await open(t))
    await signUp(service)
    const { dfrId } = await service.page()
    const { token } = await service.signIn(own)
    const decision = await service.decided({ action: 'LOGIN', userId: 'wallet-2', token, dfrId })
    assert.equal(decision.action, 'BLOCK')
    assert.ok(codesOf(decision).includes('LOGIN_OF_ANOTHER_USER'))
    assert.match(decision.message!, /another account/)
  })

  test(it('of two people who sign up with the same new id at the same time, one is linked'), async (t) => {
    const service = await bank(t, await open(t))
    const persons = [await service.signIn(own), await service.signIn(thiefs)]
    const pages = [await service.page(), await service.page()]
    const decisions = await Promise.all(
      persons.map(({ token }, i) =>
        service.decided({ action: 'SIGNUP', userId: 'wallet-1', token, dfrId: pages[i]!.dfrId }),
      ),
    )
    const links = await Promise.all(persons.map(({ userId }) => linkOf(service, userId)))
    assert.deepEqual(
      links.map((link, i) => [link, decisions[i]!.action]).toSorted(([one]) => (one ? -1 : 1)),
      [
        ['wallet-1', 'ALLOW'],
        [undefined, 'CHALLENGE'],
      ],
    )
  })

  test(it('a payment after a SIM swap is challenged by email, and passed by email'), async (t) => {
    const service = await bank(t, await open(t))
    const page = await service.page()
    const { token } = await service.signIn(email)
    const signUp = { action: 'SIGNUP', userId: 'wallet-1', token }
    const { action } = await service.decided({ ...signUp, dfrId: page.dfrId })
    assert.equal(action, 'ALLOW')
    const payment = { action: 'PAYMENT', userId: 'wallet-1', phoneNumber: swapped.value }
    const dfrId = await page.report()
    const decision = await service.decided({ ...payment, dfrId })
    assert.equal(decision.action, 'CHALLENGE', JSON.stringify(decision.reasons))
    assert.deepEqual(decision.challenge?.identityTypes, ['EMAIL'])
    const bySwappedSim = await service.passChallenge(decision.decisionId, (await service.signIn(swapped)).token)
    assert.equal(bySwappedSim.status, 400)
    const { status, body } = await service.passChallenge(decision.decisionId, (await service.signIn(email)).token)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.challenge.state, 'passed')
  })

  test(it('a challenge that nobody could pass is a review, and a small payment goes on with care'), async (t) => {
    const service = await bank(t, await open(t))
    const { dfrId } = await service.page()
    const payment = { action: 'PAYMENT', userId: 'nobody', dfrId }
    const review = await service.decided({ ...payment, params: { amount: '50.00' } })
    assert.deepEqual([review.action, review.challenge], ['REVIEW', undefined])
    assert.equal((await service.decided({ ...payment, params: { amount: '49.99' } })).action, 'WARN')
    for (const amount of [-5000, '-5000.00', [1], null, '1e1', ''])
      assert.equal((await service.decided({ ...payment, params: { amount } })).action, 'REVIEW', JSON.stringify(amount))
    assert.equal((await service.decided(payment)).action, 'REVIEW', 'an amount that is not known is not small')
    assert.equal((await service.decided({ ...payment, action: 'LOGIN' })).action, 'REVIEW')
  })

  test(it('a thief with the swapped SIM of a customer does not pass with an address of his own'), async (t) => {
    const service = await bank(t, await open(t))
    const page = await service.page()
    // The customer is known by an address; the bank has the number, and nobody signed in with it before.
    const signUp = { action: 'SIGNUP', userId: 'wallet-1', token: (await service.signIn(email)).token }
    await service.decided({ ...signUp, dfrId: page.dfrId })
    await service.publish([
      { id: 'swap', name: 'Recent SIM swap', when: 'telecom.simSwap.swapped', action: 'CHALLENGE', score: 50 },
    ])
    const own = { type: 'EMAIL', value: 'thief@shop.example' } as const
    const identities = [own, swapped].map(({ type, value }) => ({
      ...{ identityType: type, identityValue: value, verified: true },
    }))
    const thief = { userId: await userOf(service.tenantId, { identities }, service.parts) }
    const { dfrId } = await service.page()
    const { token, userId } = await service.signIn(swapped)
    assert.equal(userId, thief.userId)
    const login = { action: 'LOGIN', userId: 'wallet-1', phoneNumber: swapped.value, dfrId, token }
    const decision = await service.decided(login)
    assert.deepEqual([decision.action, decision.challenge?.identityTypes], ['CHALLENGE', ['EMAIL']])
    for (const identity of [own, swapped]) {
      const passed = await service.passChallenge(decision.decisionId, (await service.signIn(identity)).token)
      assert.equal(passed.status, 400, identity.value)
    }
    assert.equal((await service.passChallenge(decision.decisionId, (await service.signIn(email)).token)).status, 200)
  })
})
