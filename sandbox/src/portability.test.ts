import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { testSandbox } from './testing.ts'

test('gives every valid number an operator and homeOperator, always the same of the first two', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const seen = new Set<string>()
  for (const country of ['IN', 'DE', 'BR', 'US', 'AU', 'ZA', 'JP', 'FR', 'MX', 'NG'] as const) {
    const digits = getExampleNumber(country, examples)?.number.slice(1)
    const { status, body } = await operator.get(`/portability/v1/numbers/${digits}`, token)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      number: digits,
      operator: body.homeOperator,
      homeOperator: body.homeOperator,
      ported: false,
    })
    assert.deepEqual((await operator.get(`/portability/v1/numbers/${digits}`, token)).body, body)
    seen.add(`${body.operator.id} ${body.operator.name}`)
  }
  assert.deepEqual([...seen].sort(), ['001-01 SANDBOX_NORTH', '001-02 SANDBOX_SOUTH'])
})

test('returns different operator and homeOperator for a ported number', async () => {
  await using operator = await testSandbox()
  const { body } = await operator.get('/portability/v1/numbers/61491570158', await operator.token())
  assert.equal(body.ported, true)
  assert.notEqual(body.operator.id, body.homeOperator.id)
})

test('returns INVALID_ARGUMENT or IDENTIFIER_NOT_FOUND for an invalid number', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const code = async (digits: string) => (await operator.get(`/portability/v1/numbers/${digits}`, token)).body.code
  assert.equal(await code('abc'), 'INVALID_ARGUMENT')
  assert.equal(await code('+61491570158'), 'INVALID_ARGUMENT')
  assert.equal(await code('9170201417261234567890'), 'INVALID_ARGUMENT')
  assert.equal(await code('346661113334'), 'IDENTIFIER_NOT_FOUND')
})
