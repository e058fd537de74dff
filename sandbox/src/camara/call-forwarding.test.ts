import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSandbox } from '../testing.ts'

test('unconditional-call-forwardings returns active for unconditional forwarding only, and {} when unknown', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const path = '/call-forwarding-signal/v0.4/unconditional-call-forwardings'
  const answer = async (phoneNumber: string) => (await operator.post(path, { phoneNumber }, token)).body
  assert.deepEqual(await answer('+917020141726'), { active: false })
  assert.deepEqual(await answer('+61491570157'), { active: true })
  assert.deepEqual(await answer('+12025550121'), { active: false })
  assert.deepEqual(await answer('+12025550122'), {})
})

test('call-forwardings returns the kinds or inactive, and 501 NOT_IMPLEMENTED when unknown', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const ask = (phoneNumber: string) =>
    operator.post('/call-forwarding-signal/v0.4/call-forwardings', { phoneNumber }, token)
  assert.deepEqual((await ask('+917020141726')).body, ['inactive'])
  assert.deepEqual((await ask('+61491570157')).body, ['unconditional'])
  assert.deepEqual((await ask('+12025550121')).body, ['conditional_busy', 'conditional_no_answer'])
  const unstated = await ask('+12025550122')
  assert.deepEqual([unstated.status, unstated.body.code], [501, 'NOT_IMPLEMENTED'])
})
