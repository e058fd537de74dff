// Does a person of the console get the decision that a backend gets, and only with the permission?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { adminClient } from '../testing.ts'

/** Its SIM was swapped, and the operator says so. */
const swapped = '917020140110'

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(
    it('a tried decision is a real one: with the live rules, stored, an event, and once for an Idempotency-Key'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const call = await adminClient(service, 'admin')
      const request = {
        action: 'PAYMENT',
        userId: 'u-1',
        phoneNumber: swapped,
        email: 'u@shop.example',
        params: { amount: 120 },
      }
      const tried = await call('tryDecision', request, { 'idempotency-key': 'one-try' })
      const again = await call('tryDecision', request, { 'idempotency-key': 'one-try' })
      assert.equal(tried.status, 200, JSON.stringify(tried.body))
      assert.deepEqual(again.body, tried.body)
      const { decisionId, action } = tried.body
      assert.equal(action, 'CHALLENGE')
      const stored = (await call('readDecision', { decisionId })).body
      assert.deepEqual([stored.action, stored.reasons[0].code], [action, 'SIM_SWAPPED'])
      const { body } = await call('searchEvents', { types: ['decision.created'] })
      assert.deepEqual(
        body.events.map(({ data }: { data: { decisionId: string } }) => data.decisionId),
        [decisionId],
      )
    },
  )

  test(it('an impossible number, and a request about nobody, are refused and say what to do'), async (t) => {
    const call = await adminClient(await startTestService(t, await open(t)), 'owner')
    const number = await call('tryDecision', { userId: 'u-1', phoneNumber: '12' })
    assert.deepEqual([number.status, number.body.type], [400, '/problems/field-invalid'])
    assert.match(number.body.detail, /phoneNumber/)
    const nobody = await call('tryDecision', { action: 'LOGIN' })
    assert.match(nobody.body.detail, /at least one of/)
  })
})
