import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { accountHashOf, deviceHashOf, emailHashOf, numberHashOf } from '../events/subject-hashes.ts'
import { eachDatabase } from '../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../testing/sdk-client.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionsOfSubject } from './store/of-subject.ts'
import { decisionCalls } from './testing.ts'

eachDatabase(({ engine, open }) => {
  test(`a decision is found by user, number, email address and device, its events by email and request (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId, post, clock } = service
    const { decide } = decisionCalls(service)
    const { dfrId } = await (await sdkClient(service)).fingerprint(ordinaryFacts)
    const asha = { userId: 'asha', phoneNumber: '917020141726', email: 'Asha@Example.com', dfrId }
    const first = (await decide(asha, { 'x-request-id': 'call-1' })).body as Decision
    clock.advance({ seconds: 1 })
    const second = (await decide({ email: 'asha@example.com' }, { 'x-request-id': 'call-2' })).body as Decision
    await decide({ userId: 'ben' })

    const keys = await needs.tenantKeyring.keysOf(tenantId)
    const { deviceId = '' } = first.device!
    const found = async (subject: Parameters<typeof decisionsOfSubject>[1]['subject'], hash: Uint8Array, limit = 9) =>
      (await decisionsOfSubject(needs.database, { tenantId, subject, hash, since: 0 }, limit)).map((d) => d.decisionId)
    assert.deepEqual(await found('userHash', accountHashOf('asha', keys)), [first.decisionId])
    assert.deepEqual(await found('numberHash', numberHashOf('917020141726', keys)), [first.decisionId])
    assert.deepEqual(await found('deviceHash', deviceHashOf(deviceId, keys)), [first.decisionId])
    const ofEmail = emailHashOf('asha@example.com', keys)
    assert.deepEqual(await found('emailHash', ofEmail), [second.decisionId, first.decisionId], 'newest first')
    assert.deepEqual(await found('emailHash', ofEmail, 1), [second.decisionId])
    const other = await needs.tenantKeyring.createTenant('other')
    const ofOther = { tenantId: other.id, subject: 'emailHash', hash: ofEmail, since: 0 } as const
    assert.deepEqual(await decisionsOfSubject(needs.database, ofOther, 9), [], 'another tenant')

    const events = async (filters: object) =>
      (await post(endpoints.searchEvents.path, filters)).body.events.map(
        ({ data }: { data: { decisionId: string } }) => data.decisionId,
      )
    assert.deepEqual(await events({ email: 'asha@example.com' }), [second.decisionId, first.decisionId])
    assert.deepEqual(await events({ requestId: 'call-1' }), [first.decisionId])
  })
})
