import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { effectiveUserIdOf, linkStatements, personOf, personsOf } from '../../accounts/person.ts'
import { ConditionFailed, UniqueViolation } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import {
  email,
  mobile,
  outboxChannels,
  pressButton,
  redirectUrl,
  type SignInService,
  startSignInService,
} from '../authentication/testing/sign-in-service.ts'
import { acceptToken } from '../tokens/exchange.ts'
import { tokenCalls } from '../tokens/testing.ts'
import { identitiesOf } from './identities.ts'

const signedIn = async (service: SignInService, start: object = {}, proof: object = {}) => {
  const { body } = await service.start(start)
  return (await service.verify(body.transactionId, { otp: service.otp(), ...proof })).body
}
const byEmail = { method: 'EMAIL', identity: email }

async function link({ parts, tenantId }: SignInService, personId: string, customerId: string) {
  await parts.database.batch(await linkStatements({ tenantId, personId, customerId }, parts))
}

const devicesOf = async (service: SignInService, userId: string) =>
  (await service.post(endpoints.listAccountDevices.path, { userId })).body.devices.length

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(
    it('a sign-in of a linked person has the id of the integrator for backends, and the minted one for the page'),
    async (t) => {
      const service = await startSignInService(t, await open(t))
      const { dfrId } = await service.client.fingerprint()
      const before = await signedIn(service, {}, { dfrId })
      const personId = before.userId
      await link(service, personId, 'wallet-1')
      service.clock.advance({ seconds: 61 })
      const second = await service.client.fingerprint()
      const after = await signedIn(service, {}, { dfrId: second.dfrId })
      assert.equal(after.userId, personId)
      const { sub } = JSON.parse(Buffer.from(after.idToken.split('.')[1], 'base64url').toString())
      assert.equal(sub, personId)
      const { validate } = tokenCalls(service)
      assert.equal((await validate(before.token)).body.userId, personId, 'an issued token does not change')
      assert.equal((await validate(after.token)).body.userId, 'wallet-1')
      assert.equal(await devicesOf(service, 'wallet-1'), 1)

      const { body } = await service.post(endpoints.searchEvents.path, {
        userId: 'wallet-1',
        types: ['sign_in.completed'],
      })
      assert.deepEqual(
        body.events.map(({ data }: { data: { userId: string; personId: string } }) => [data.userId, data.personId]),
        [['wallet-1', personId]],
      )
    },
  )

  test(it('a token carries who signed in and the analysis of the sign-in, and no answer shows it'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { requestId, dfrId } = await service.client.fingerprint()
    const { token, userId: personId } = await signedIn(service, {}, { dfrId })
    const accepted = await acceptToken(token, 'login', service.tenantId, service.parts)
    const { sessionId } = service.client
    assert.deepEqual(accepted.basis, { personId, sessionId, analysis: { requestId, dfrId } })
    const { body } = await tokenCalls(service).validate(token)
    assert.deepEqual({ token, ...JSON.parse(accepted.text!) }, body)
    assert.ok(!JSON.stringify(body).includes(requestId))

    const started = await service.start({ channel: 'MAGIC_LINK', identity: email, redirectUrl })
    const { response } = await pressButton(service.link())
    const code = new URL(response.headers.get('location')!).searchParams.get('ringfence_code')
    const { body: user } = await service.verify(started.body.transactionId, { code })
    const { basis } = await acceptToken(user.token, 'login', service.tenantId, service.parts)
    assert.deepEqual(basis, { personId: user.userId, sessionId, isMagicLink: true })

    const issued = await service.post(endpoints.issueToken.path, {
      userId: 'wallet-1\nwallet-2',
      identities: [
        { identityType: 'MOBILE', identityValue: mobile.value, channel: 'OTP', methods: ['SMS'], verified: false },
      ],
      requestId,
    })
    const ofBackend = await acceptToken(issued.body.token, 'login', service.tenantId, service.parts)
    assert.deepEqual(ofBackend.basis, { analysis: { requestId } })
    assert.equal(JSON.parse(ofBackend.text!).userId, 'wallet-1\nwallet-2')
    assert.deepEqual((await acceptToken(issued.body.token, 'device', service.tenantId, service.parts)).basis, {})
  })

  test(it('several users with the same id are one person with all their identities'), async (t) => {
    const service = await startSignInService(t, await open(t), { channels: outboxChannels })
    const { tenantId, parts } = service
    const { userId: one } = await signedIn(service)
    const { userId: other } = await signedIn(service, byEmail)
    assert.notEqual(one, other)
    assert.deepEqual(await personsOf(tenantId, one, parts), [one])
    assert.deepEqual(await personsOf(tenantId, 'wallet-1', parts), [])
    // The integrator may use the minted id as its own.
    await link(service, other, one)
    assert.equal(await effectiveUserIdOf(tenantId, other, parts), one)
    await link(service, one, one)
    assert.deepEqual(await personOf(tenantId, one, parts), { personId: one })
    // And give its own later: who was linked to the minted id goes along.
    await link(service, one, 'wallet-1')
    for (const id of ['wallet-1', one, other]) {
      assert.deepEqual(new Set(await personsOf(tenantId, id, parts)), new Set([one, other]), id)
      assert.equal(await effectiveUserIdOf(tenantId, id, parts), 'wallet-1')
      const identities = await identitiesOf(tenantId, id, parts)
      assert.deepEqual(
        new Set(identities.map(({ type, value, personId }) => `${type} ${value} ${personId}`)),
        new Set([`MOBILE ${mobile.value} ${one}`, `EMAIL ${email.value} ${other}`]),
      )
    }
    const elsewhere = await parts.tenantKeyring.createTenant('another')
    assert.deepEqual(await personsOf(elsewhere.id, 'wallet-1', parts), [])
    assert.equal(await personOf(elsewhere.id, one, parts), undefined)
    for (const id of ['', 'a\0b', '\ud800', '%', "'; --"]) assert.deepEqual(await personsOf(tenantId, id, parts), [])
  })

  test(it('of two links at the same time one wins, and the other one fails'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { tenantId, parts } = service
    const { userId: personId } = await signedIn(service)
    const ids = ['wallet-1', 'wallet-2', 'wallet-3', 'wallet-4']
    const outcomes = await Promise.allSettled(ids.map((id) => link(service, personId, id)))
    const won = ids.filter((_, i) => outcomes[i]!.status === 'fulfilled')
    assert.equal(won.length, 1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof ConditionFailed)
    }
    assert.deepEqual(await personOf(tenantId, personId, parts), { personId, customerId: won[0] })
    await link(service, personId, won[0]!)
    await assert.rejects(link(service, 'nobody', 'wallet-1'), ConditionFailed)
  })

  test(it('of two sign-ups with the same new id at the same time one is linked'), async (t) => {
    const service = await startSignInService(t, await open(t), { channels: outboxChannels })
    const { tenantId, parts } = service
    const persons = [(await signedIn(service)).userId, (await signedIn(service, byEmail)).userId]
    const linkFirst = async (personId: string) =>
      parts.database.batch(await linkStatements({ tenantId, personId, customerId: 'wallet-1', isFirst: true }, parts))
    const outcomes = await Promise.allSettled(persons.map(linkFirst))
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof UniqueViolation)
    assert.equal((await personsOf(tenantId, 'wallet-1', parts)).length, 1)
    // What a backend says is no claim to be the first.
    for (const personId of persons) await link(service, personId, 'wallet-1')
    assert.equal((await personsOf(tenantId, 'wallet-1', parts)).length, 2)
  })
})
