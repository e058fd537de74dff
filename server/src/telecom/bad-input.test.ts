import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, ErrorBody, endpoints, pathWith, readSamples } from '@ringfence/contract'
import fc from 'fast-check'
import Value from 'typebox/value'
import { sqliteDatabases } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'

const { open } = sqliteDatabases
const samples = readSamples()
const invalidPhoneNumber = samples.ErrorBody?.['invalid-phone-number']
const invalidMaxAge = samples.ErrorBody?.['invalid-max-age']
const invalidJson = { ...(invalidPhoneNumber as object), description: 'Request error: Invalid JSON' }
const valid = '917020141726'

const checks: Endpoint[] = Object.values(endpoints).filter(
  ({ tag, request }) => tag === 'Telecom' && Object.hasOwn(request.properties, 'phoneNumber'),
)
/** The parameters that a check needs beside the number. */
const others = (path: string) => (path === endpoints.telecomChecks.path ? { checks: { simSwap: {} } } : {})
const withBody: Endpoint[] = Object.values<Endpoint>(endpoints).filter(
  ({ method, errorFormat, sends }) => method === 'POST' && errorFormat === 'telecom' && sends === undefined,
)

for (const { path } of checks) {
  test(`returns 400 P7102 when phoneNumber is missing, not a string, not digits only or not valid: ${path}`, async (t) => {
    const { post } = await startTestService(t, await open(t))
    for (const phoneNumber of [
      undefined,
      null,
      917020141726,
      true,
      [valid],
      { digits: valid },
      '',
      '+917020141726',
      '91 7020 141726',
      '91-7020141726',
      ' 917020141726',
      '917020141726\n',
      '9I7020141726',
      '٩١٧٠٢٠١٤١٧٢٦',
      '9',
      '9'.repeat(40),
      '910000000000',
      '12125550',
      '999999999999',
      '\ud800',
      '00917020141726',
    ]) {
      const answer = await post(path, { phoneNumber, ...others(path) })
      assert.equal(answer.status, 400, JSON.stringify(phoneNumber))
      assert.deepEqual(answer.body, invalidPhoneNumber)
    }
    for (const body of ['null', '[]', '7', '"917020141726"', `["${valid}"]`]) {
      assert.deepEqual((await post(path, body)).body, invalidPhoneNumber, body)
    }
  })
}

for (const { path: template } of withBody) {
  const path = pathWith(template, '019ca945-0a00-767c-aa24-2d7ae2468f6c')
  test(`returns 400 P7102 Invalid JSON for a broken body: ${path}`, async (t) => {
    const { post } = await startTestService(t, await open(t))
    for (const body of [
      '',
      ' ',
      '{',
      `{"phoneNumber":"${valid}"`,
      `{'phoneNumber':'${valid}'}`,
      `{"phoneNumber":"${valid}",}`,
      'NaN',
      new Uint8Array([0xff, 0xfe]),
      Buffer.concat([Buffer.from(`{"phoneNumber":"${valid}","x":"`), Buffer.of(0xc3, 0x28), Buffer.from('"}')]),
    ]) {
      const answer = await post(path, body)
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body, invalidJson)
    }
  })
}

test('returns 400 P7102 when maxAge is not a whole number from 1 to 2400', async (t) => {
  const { post } = await startTestService(t, await open(t))
  for (const maxAge of ['0', '-1', '2401', '"72"', '1e309', '-1e309', '12.5', 'null', 'true', '[72]', '{}', '""']) {
    const answer = await post(endpoints.simSwapCheck.path, `{"phoneNumber":"${valid}","maxAge":${maxAge}}`)
    assert.equal(answer.status, 400, maxAge)
    assert.deepEqual(answer.body, invalidMaxAge, maxAge)
  }
  for (const maxAge of ['1', '2400', '72.0', '24e1']) {
    assert.equal(
      (await post(endpoints.simSwapCheck.path, `{"phoneNumber":"${valid}","maxAge":${maxAge}}`)).status,
      200,
      maxAge,
    )
  }
})

test('a caller who looks for Number Verification among the checks learns where it is', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const { status, body } = await post('/v1/telecom/checks', { phoneNumber: valid, checks: { numberVerification: {} } })
  assert.equal(status, 400)
  assert.match(
    body.description,
    /checks\.numberVerification is not a known key; it has its own call: POST \/v1\/telecom\/number-verifications$/,
  )
})

test('names no field of a body that is not an object when none is required', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const { status, body } = await post('/v1/decisions', [])
  assert.deepEqual([status, body.description], [400, 'Request error: the body must be a JSON object'])
})

test('says in x-ringfence-notice what is wrong with phoneNumber and what to send, for every check', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const notices: [unknown, string][] = [
    [{}, 'phoneNumber is missing: send digits only, with country code and without a plus sign'],
    [
      { phoneNumber: 917020141726 },
      'phoneNumber must be a string: Digits only, with country code and without a plus sign; phoneNumber is a number: put it in quotation marks, so that no digit is lost',
    ],
    [
      [valid],
      'the body must be a JSON object: phoneNumber is missing: send digits only, with country code and without a plus sign',
    ],
    [{ phoneNumber: `+${valid}` }, 'phoneNumber must be digits only: leave out the plus sign'],
    [{ phoneNumber: '91 7020 141726' }, 'phoneNumber must be digits only: leave out the spaces'],
    [
      { phoneNumber: '910000000000' },
      'phoneNumber is not a valid number if 91 is its calling code: send the calling code and the whole number',
    ],
    [
      { phoneNumber: `+${valid}`, number: 1 },
      'unknown field "number" was ignored; phoneNumber must be digits only: leave out the plus sign',
    ],
  ]
  for (const { path } of checks) {
    for (const [body, notice] of notices) {
      const answer = await post(path, Array.isArray(body) ? body : { ...(body as object), ...others(path) })
      assert.deepEqual(answer.body, invalidPhoneNumber)
      assert.equal(answer.headers.get('x-ringfence-notice'), notice)
    }
  }
})

test('checks phoneNumber before maxAge', async (t) => {
  const { post } = await startTestService(t, await open(t))
  assert.deepEqual((await post(endpoints.simSwapCheck.path, { maxAge: 0 })).body, invalidPhoneNumber)
})

test('answers every body with 200 or 400 in the schema of the contract', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const almost = fc.record(
    {
      phoneNumber: fc.oneof(
        fc.anything(),
        fc.stringMatching(/^\d{1,20}$/),
        fc
          .integer({ min: 0, max: 9999 })
          .map((last) => `91702014${String(last).padStart(4, '0')}`)
          .filter((digits) => !digits.endsWith('0153')),
      ),
      maxAge: fc.oneof(fc.anything(), fc.integer({ min: -10, max: 2500 })),
      extra: fc.anything(),
    },
    { requiredKeys: [] },
  )
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    almost.map((value) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part)) ?? ''),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<Endpoint>(...checks), body, async ({ path, answer: schema }, text) => {
      const answer = await post(path, text, { 'x-ringfence-deadline-ms': '1000' })
      assert.ok(answer.status === 200 || answer.status === 400, `${answer.status} ${JSON.stringify(answer.body)}`)
      assert.deepEqual(Value.Errors(answer.status === 200 ? schema : ErrorBody, answer.body), [])
    }),
    { numRuns: 400 },
  )
})
