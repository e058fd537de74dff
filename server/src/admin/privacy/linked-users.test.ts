// Is a person with an id of the integrator and several sign-ins exported and erased as one?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, type SubjectExport } from '@ringfence/contract'
import {
  email,
  mobile,
  type SignInService,
  startSignInService,
} from '../../sign-in/authentication/testing/sign-in-service.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { sdkClient } from '../../testing/sdk-client.ts'
import { adminClient } from '../testing.ts'

const reason = 'Ticket 4711'

async function signedIn(service: SignInService, start: object = {}) {
  const client = await sdkClient(service, { app: service.app })
  const { dfrId } = await client.fingerprint()
  const { body } = await service.start(start, client)
  return (await service.verify(body.transactionId, { otp: service.otp(), dfrId }, client)).body
}

const countedKinds = ({ records }: SubjectExport) =>
  Object.fromEntries([...Map.groupBy(records, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]))

eachDatabase(({ engine, open }) => {
  for (const asked of ['wallet-1', 'minted'] as const) {
    test(`a linked person is exported and erased under all ids, by ${asked} (${engine})`, async (t) => {
      const service = await startSignInService(t, await open(t))
      const phone = await signedIn(service)
      const mail = await signedIn(service, { method: 'EMAIL', identity: email })
      for (const { token } of [phone, mail]) await service.post(endpoints.linkUser.path, { token, userId: 'wallet-1' })
      const other = await signedIn(service, { identity: { type: 'MOBILE', value: '917020142848' } })
      const call = await adminClient(service, 'owner')
      const subject = { kind: 'userId', value: asked === 'minted' ? phone.userId : 'wallet-1' }
      const { body: found } = await call('exportSubject', { subject, reason })
      const kinds = countedKinds(found)
      assert.deepEqual([kinds.user, kinds.identity], [2, 2], JSON.stringify(kinds))
      assert.ok(kinds.event! >= 4, 'events before and after the link')
      assert.ok(kinds.accountDevice! >= 1)
      const users = (found as SubjectExport).records.filter(({ kind }) => kind === 'user').map(({ record }) => record)
      assert.deepEqual(
        users.map(({ userId, linkedTo }) => `${userId} ${linkedTo}`).sort(),
        [`${phone.userId} wallet-1`, `${mail.userId} wallet-1`].sort(),
      )

      const erased = await call('eraseSubject', { subject, reason, keepListEntries: false })
      assert.equal(erased.status, 200, JSON.stringify(erased.body))
      assert.deepEqual([erased.body.erased.user, erased.body.erased.identity], [2, 2])
      for (const value of ['wallet-1', phone.userId, mail.userId]) {
        const { body: left } = await call('exportSubject', { subject: { kind: 'userId', value }, reason })
        assert.deepEqual(countedKinds(left), {}, value)
      }
      const { body: others } = await call('exportSubject', { subject: { kind: 'userId', value: other.userId }, reason })
      assert.deepEqual([countedKinds(others).user, countedKinds(others).identity], [1, 1])
      const { database } = service.parts
      const rows = await database.query('select 1 as one from app_user where customer_hash is not null')
      assert.equal(rows.length, 0)
      assert.notEqual((await signedIn(service, { identity: mobile })).userId, phone.userId)
    })
  }
})
