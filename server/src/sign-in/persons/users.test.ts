// Do link, unlink, merge and identities keep their promises over HTTP?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { eachDatabase } from '../../testing/databases.ts'
import { newInstallationKey } from '../../testing/installation-key.ts'
import { sdkClient } from '../../testing/sdk-client.ts'
import { email, mobile, type SignInService, startSignInService } from '../authentication/testing/sign-in-service.ts'
import { tokenCalls } from '../tokens/testing.ts'

const { linkUser, unlinkUser, mergeUsers, listIdentities } = endpoints

const signedIn = async (service: SignInService, start: object = {}, proof: object = {}) => {
  service.clock.advance({ seconds: 61 })
  const client = await sdkClient(service, { app: service.app })
  const { body } = await service.start(start, client)
  return (await service.verify(body.transactionId, { otp: service.otp(), ...proof }, client)).body
}
const byEmail = { method: 'EMAIL', identity: email }

function calls(service: SignInService) {
  const { post } = service
  const outcome = async (path: string, body: object) => {
    const answer = await post(path, body)
    return answer.status === 200 ? answer.body.userId : answer.body.errorCode
  }
  return {
    link: (token: unknown, userId: unknown) => outcome(linkUser.path, { token, userId }),
    merge: (userId: unknown, into: unknown) => post(mergeUsers.path, { userId, into }),
    unlink: (body: object) => outcome(unlinkUser.path, body),
    identities: async (userId: string) => (await post(listIdentities.path, { userId })).body,
    values: async (userId: string): Promise<string[]> =>
      (await post(listIdentities.path, { userId })).body.identities.map(({ value }: { value: string }) => value).sort(),
    devices: async (userId: string): Promise<{ deviceId: string; trusted: boolean; name?: string }[]> =>
      (await post(endpoints.listAccountDevices.path, { userId })).body.devices,
    events: async (userId: string, ...types: string[]) =>
      (await post(endpoints.searchEvents.path, { userId, types })).body.events.map(
        ({ data }: { data: object }) => data,
      ),
  }
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('a backend links number and email of a person to its own id, and lists both'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { link, identities, values, events } = calls(service)
    const phone = await signedIn(service)
    const mail = await signedIn(service, byEmail)
    assert.deepEqual(await identities('wallet-1'), { userId: 'wallet-1', identities: [] })
    assert.equal(await link(phone.token, 'wallet-1'), 'wallet-1')
    assert.equal(await link(phone.token, 'wallet-1'), 'wallet-1', 'repeating is a success')
    assert.equal(await link(mail.token, 'wallet-1'), 'wallet-1')
    assert.deepEqual(await values('wallet-1'), [mobile.value, email.value])
    const listed = await identities(mail.userId)
    assert.equal(listed.userId, 'wallet-1', 'the minted id is the same person')
    assert.deepEqual(
      listed.identities.map(({ type, personId }: { type: string; personId: string }) => `${type} ${personId}`).sort(),
      [`EMAIL ${mail.userId}`, `MOBILE ${phone.userId}`],
    )
    assert.deepEqual(await events('wallet-1', 'user.linked'), [
      { userId: 'wallet-1', personId: mail.userId, by: 'BACKEND' },
      { userId: 'wallet-1', personId: phone.userId, by: 'BACKEND' },
    ])
  })

  test(it('a link moves trusted devices and habits to the id, and the device has one account'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { link, devices } = calls(service)
    const key = newInstallationKey()
    const client = await sdkClient(service, { app: service.app, key })
    const first = await client.fingerprint()
    const { body: started } = await service.start({}, client)
    const { body: user } = await service.verify(
      started.transactionId,
      { otp: service.otp(), dfrId: first.dfrId },
      client,
    )
    const [trusted] = await devices(user.userId)
    await service.post(endpoints.updateAccountDevice.path, {
      userId: user.userId,
      deviceId: trusted!.deviceId,
      name: 'Blue phone',
    })
    // The backend has used its own id for this device before.
    await service.post(endpoints.deviceFingerprint.path, { dfrId: first.dfrId, deviceType: 'WEB', userId: 'wallet-1' })
    assert.equal((await devices('wallet-1')).length, 1)
    assert.equal(await link(user.token, 'wallet-1'), 'wallet-1')
    assert.deepEqual(await devices(user.userId), await devices('wallet-1'))
    assert.deepEqual(
      (await devices('wallet-1')).map(({ deviceId, trusted: isTrusted, name }) => [deviceId, isTrusted, name]),
      [[trusted!.deviceId, true, 'Blue phone']],
    )
    service.clock.advance({ hours: 1 })
    const next = await sdkClient(service, { app: service.app, key })
    const { dfrId } = await next.fingerprint()
    const { body } = await service.post(endpoints.decide.path, { action: 'PAYMENT', userId: 'wallet-1', dfrId })
    assert.equal(body.account.knownDevice, 'yes', JSON.stringify(body.account))
    assert.equal(body.account.sessions >= 1, true, JSON.stringify(body.account))
    const rows = await service.parts.database.query<{ n: number }>('select count(*) as n from account_knowledge')
    assert.equal(Number(rows[0]!.n), 1)
  })

  test(it('a device that one of both ids revoked is not trusted after a merge'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { merge, devices } = calls(service)
    const { dfrId } = await service.client.fingerprint()
    for (const userId of ['wallet-1', 'wallet-2'])
      await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'WEB', userId })
    const [device] = await devices('wallet-2')
    const revoke = { userId: 'wallet-2', deviceId: device!.deviceId, trusted: false }
    assert.equal((await service.post(endpoints.updateAccountDevice.path, revoke)).status, 200)
    const { body } = await merge('wallet-2', 'wallet-1')
    assert.deepEqual(body, { status: 'SUCCESS', userId: 'wallet-1', persons: 0, devices: 1 })
    assert.deepEqual(
      (await devices('wallet-1')).map(({ trusted }) => trusted),
      [false],
    )
    assert.deepEqual((await merge('wallet-2', 'wallet-1')).body.devices, 0, 'repeating moves nothing')
  })

  test(it('merging moves the links, also of a minted id, and never a user into itself'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { link, merge, values, events } = calls(service)
    const phone = await signedIn(service)
    const mail = await signedIn(service, byEmail)
    await link(phone.token, 'wallet-1')
    for (const same of [
      ['wallet-1', 'wallet-1'],
      ['wallet-1', phone.userId],
      [phone.userId, 'wallet-1'],
      [mail.userId, mail.userId],
    ]) {
      const refused = await merge(same[0], same[1])
      assert.deepEqual([refused.status, refused.body.errorCode], [400, '7128'], same.join())
    }
    assert.equal((await merge(mail.userId, 'wallet-1')).body.persons, 1)
    assert.deepEqual(await values('wallet-1'), [mobile.value, email.value])
    assert.equal((await merge('wallet-1', 'wallet-9')).body.persons, 2)
    assert.deepEqual(await values('wallet-1'), [])
    assert.deepEqual(await values('wallet-9'), [mobile.value, email.value])
    assert.deepEqual(await events('wallet-9', 'user.merged'), [
      { userId: 'wallet-9', mergedUserId: 'wallet-1', persons: 2, devices: 0 },
    ])
    const { validate } = tokenCalls(service)
    assert.equal((await validate((await signedIn(service, byEmail)).token)).body.userId, 'wallet-9')
  })

  test(it('a person who is linked to somebody else is refused, and an unlinked one is free again'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { link, unlink, values } = calls(service)
    const phone = await signedIn(service)
    await link(phone.token, 'wallet-1')
    const refused = await service.post(linkUser.path, { token: phone.token, userId: 'wallet-2' })
    assert.deepEqual([refused.status, refused.body.errorCode], [409, '7126'])
    assert.match(refused.body.description, /users\/merge.*users\/unlink/)
    const { personId } = { personId: phone.userId }
    const identity = { type: 'MOBILE', value: mobile.value }
    for (const wrong of [
      { userId: 'wallet-2', personId },
      { userId: 'wallet-2', identity },
      { userId: 'wallet-1', identity: { type: 'MOBILE', value: '917020141727' } },
      { userId: 'wallet-1', identity: { type: 'EMAIL', value: mobile.value } },
      { userId: 'wallet-1', personId: '6a1f0c1e-3b52-4d0a-9c0e-2f6d8b7a5e41' },
    ])
      assert.equal(await unlink(wrong), '7127', JSON.stringify(wrong))
    assert.equal(
      await unlink({ userId: 'wallet-1', identity: { type: 'MOBILE', value: `+${mobile.value}` } }),
      'wallet-1',
    )
    assert.equal(await unlink({ userId: 'wallet-1', personId }), '7127', 'it is unlinked already')
    assert.deepEqual(await values('wallet-1'), [])
    assert.deepEqual(await values(personId), [mobile.value])
    assert.equal(await unlink({ userId: personId, identity }), '7127', 'the only identity of a minted id')
    assert.equal(await link(phone.token, 'wallet-2'), 'wallet-2')
  })

  test(it('of links at the same time to different users one wins, and the others are refused'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { link, values } = calls(service)
    const { token, userId: personId } = await signedIn(service)
    const ids = ['wallet-1', 'wallet-2', 'wallet-3', 'wallet-4']
    const outcomes = await Promise.all(ids.map((id) => link(token, id)))
    const won = outcomes.filter((outcome) => outcome !== '7126')
    assert.equal(won.length, 1, outcomes.join())
    assert.deepEqual(await values(won[0]), [mobile.value])
    assert.deepEqual(await values(personId), [mobile.value])
    const again = await Promise.all([link(token, won[0]), link(token, won[0]), link(token, won[0])])
    assert.deepEqual(again, [won[0], won[0], won[0]])
  })

  test(it('two persons who are linked to each other are one, and no circle'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { link, values } = calls(service)
    const phone = await signedIn(service)
    const mail = await signedIn(service, byEmail)
    assert.equal(await link(phone.token, mail.userId), mail.userId)
    assert.equal(await link(mail.token, phone.userId), mail.userId)
    for (const id of [phone.userId, mail.userId]) assert.deepEqual(await values(id), [mobile.value, email.value])
    assert.equal(await link(mail.token, 'wallet-1'), 'wallet-1')
    assert.deepEqual(await values('wallet-1'), [mobile.value, email.value])
    assert.deepEqual(await values(phone.userId), [mobile.value, email.value])
  })

  test(it('refuses tokens that cannot be linked, and says why'), async (t) => {
    const database = await open(t)
    const service = await startSignInService(t, database, {
      settings: { tokenUses: 'once', tokenLifetimeSeconds: 600 },
    })
    const { link, values } = calls(service)
    const { issue, validate, revoke } = tokenCalls(service)
    const { token } = await signedIn(service)
    const other = await service.parts.tenantKeyring.createTenant('another')
    const { clientId, clientSecret } = await service.parts.clients.createClient(other.id, 'another')
    const foreign = await service.post(linkUser.path, { token, userId: 'wallet-1' }, { clientId, clientSecret })
    assert.deepEqual([foreign.status, foreign.body.errorCode], [400, '7114'])
    assert.equal(await link(await issue(), 'wallet-1'), '7125', 'issued by the backend itself')
    const { body } = await service.client.post(endpoints.secure.path, service.client.engineBody())
    assert.equal(await link(body.token, 'wallet-1'), '7125', 'without a sign-in')
    assert.equal(await link(token, 'wallet-1'), 'wallet-1', 'linking does not use the token up')
    assert.equal((await validate(token)).status, 200)
    assert.equal(await link(token, 'wallet-1'), '7114', 'used up')
    const revoked = (await signedIn(service, byEmail)).token
    await revoke(revoked)
    assert.equal(await link(revoked, 'wallet-1'), '7114')
    const expired = (await signedIn(service, byEmail)).token
    service.clock.advance({ seconds: 601 })
    assert.equal(await link(expired, 'wallet-1'), '7301')
    assert.deepEqual(await values('wallet-1'), [mobile.value])
  })

  test(it('one id takes 50 sign-ins and refuses more'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { link, merge } = calls(service)
    const { token, userId } = await signedIn(service)
    await link(token, 'wallet-1')
    const { database } = service.parts
    for (let i = 0; i < 49; i++)
      await database.query(
        `insert into app_user (tenant_id, id, created_at, last_sign_in_at, customer_hash, sealed_customer)
         select tenant_id, $1, 0, 0, customer_hash, sealed_customer from app_user where id = $2`,
        [`u-${i}`, userId],
      )
    assert.equal(await link((await signedIn(service, byEmail)).token, 'wallet-1'), '7129')
    assert.equal((await merge((await signedIn(service, byEmail)).userId, 'wallet-1')).body.errorCode, '7129')
  })
})

eachDatabase(({ engine, open }) => {
  test(`refuses wrong types and missing fields, and names the field (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const { token, userId } = await signedIn(service)
    const wrong = [undefined, null, '', 7, [], {}, true, 'x'.repeat(257)]
    for (const value of wrong) {
      for (const [path, body, code] of [
        [linkUser.path, { token, userId: value }, '7102'],
        [mergeUsers.path, { userId: value, into: 'wallet-1' }, '7102'],
        [mergeUsers.path, { userId: 'wallet-1', into: value }, '7102'],
        [listIdentities.path, { userId: value }, '7102'],
        [unlinkUser.path, { userId: value, personId: userId }, '7102'],
      ] as const) {
        const answer = await service.post(path, body)
        assert.deepEqual([answer.status, answer.body.errorCode], [400, code], `${path} ${JSON.stringify(body)}`)
        assert.match(answer.body.description, /userId|into/)
      }
      if (value === 'x'.repeat(257)) continue
      const answer = await service.post(linkUser.path, { token: value, userId: 'wallet-1' })
      assert.deepEqual([answer.status, answer.body.errorCode], [400, '7114'])
    }
    for (const body of [
      {},
      { identity: { type: 'MOBILE', value: mobile.value }, personId: userId },
      { identity: null },
      { identity: mobile.value },
      { identity: { type: 'FAX', value: '1' } },
      { identity: { type: 'MOBILE', value: 917020141726 } },
      { identity: { type: 'MOBILE' } },
      { personId: 7 },
      { personId: '' },
      { personId: 'a\0b' },
    ]) {
      const answer = await service.post(unlinkUser.path, { userId: 'wallet-1', ...body })
      assert.deepEqual([answer.status, answer.body.errorCode], [400, '7102'], JSON.stringify(body))
    }
    let latest = token
    for (const odd of ['a\0b', '\ud800', '__proto__', '"\\', 'नमस्ते', ' wallet-1', "'; --"]) {
      const linked = await service.post(linkUser.path, { token: latest, userId: odd })
      assert.equal(linked.status, 200, JSON.stringify(linked.body))
      const { validate } = tokenCalls(service)
      service.clock.advance({ hours: 1 })
      const again = await signedIn(service)
      assert.equal((await validate(again.token)).body.userId, odd)
      latest = again.token
      const freed = await service.post(unlinkUser.path, { userId: odd, personId: userId })
      assert.equal(freed.status, 200, JSON.stringify(odd))
    }
  })
})
