import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, endpoints, readSamples } from '@ringfence/contract'
import { dialects, type FailureName, failures, Refusal } from './errors.ts'

const samples = readSamples()
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

for (const [name, { status }] of Object.entries(failures)) {
  if (status === 200) continue
  test(`the refusal ${name} is worded as its sample, ${status} and nothing more`, () => {
    const refusal = new Refusal(name as FailureName, {
      limitHours: 168,
      limitBytes: 65_536,
      cause: new Error('secret'),
    })
    const worded = dialects.telecom(refusal)
    assert.deepEqual(worded, { status, body: samples.ErrorBody?.[kebab(name)] })
  })
}

test('a check that failed is worded in a 200, with success false and phoneDetail where it is known', () => {
  const { error } = samples.SimSwapResult!.failed as { error: object }
  assert.deepEqual(dialects.telecom(new Refusal('simSwapFailed')), { status: 200, body: { success: false, error } })
  const phoneDetail = { countryCode: '91' }
  assert.deepEqual(dialects.telecom(new Refusal('simSwapFailed', { phoneDetail })).body, {
    success: false,
    error,
    phoneDetail,
  })
})

test('an unexpected failure shows nothing', () => {
  assert.deepEqual(dialects.telecom(undefined), { status: 500, body: samples.UnexpectedErrorBody?.telecom })
})

test('the OpenAPI document lists under each status only samples of that status', () => {
  const statusOf = new Map(Object.entries(failures).map(([name, { status }]) => [kebab(name), status]))
  for (const { path, refusals } of Object.values<Endpoint>(endpoints)) {
    for (const [status, row] of Object.entries(refusals)) {
      if (status === '500') continue
      assert.ok(row.samples.length > 0)
      for (const sample of row.samples)
        assert.equal(statusOf.get(sample), Number(status), `${path} ${status} ${sample}`)
    }
  }
})
