import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientEndpoints as endpoints, readSamples } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { type RawAnswer, readAnswer } from './answer.ts'
import { endpoints as clientEndpoints, shapes } from './endpoints.ts'
import { RingfenceError, type RingfenceErrorCode } from './error.ts'
import { mismatch } from './shape.ts'

const samples = readSamples()
const names = Object.keys(endpoints) as (keyof typeof endpoints)[]

function raw(status: number, body: unknown, headers: Record<string, string> = {}): RawAnswer {
  return { status, headers: new Headers(headers), text: typeof body === 'string' ? body : JSON.stringify(body) }
}

function thrown(answer: RawAnswer): RingfenceError {
  try {
    readAnswer('simSwapCheck', answer, 'sent-1')
  } catch (error) {
    if (error instanceof RingfenceError) return error
  }
  return assert.fail('no RingfenceError')
}

/** The body with the value at every place, itself included, replaced in turn. */
function* variants(body: unknown, replacement: unknown): Generator<unknown> {
  yield replacement
  if (typeof body !== 'object' || body === null) return
  for (const [key, part] of Object.entries(body)) {
    const { [key]: _, ...rest } = body as Record<string, unknown>
    if (!Array.isArray(body)) yield rest
    for (const variant of variants(part, replacement)) {
      const copy = structuredClone(body) as Record<string, unknown>
      copy[key] = variant
      yield copy
    }
  }
}

for (const name of names) {
  const schema: TSchema = endpoints[name].answer
  const cases = samples[String(Reflect.get(schema, '$id'))]!

  test(`${name}: accepts every sample of the contract, also success false`, () => {
    for (const body of Object.values(cases)) assert.deepEqual({ ...readAnswer(name, raw(200, body), 'sent-1') }, body)
  })

  test(`${name}: accepts a changed body exactly when the contract does`, () => {
    const replacements = [null, 7, true, false, 'XX', {}, ['XX'], [7]]
    let refused = 0
    for (const body of Object.values(cases).flatMap((body) => replacements.flatMap((r) => [...variants(body, r)]))) {
      const miss = mismatch(body, clientEndpoints[name].answer, shapes)
      assert.equal(miss === undefined, Value.Check(schema, body), `${JSON.stringify(body)}: ${miss}`)
      if (miss) refused++
    }
    assert.ok(refused > 10)
  })
}

test('accepts a field that this release does not know', () => {
  const body = { ...(samples.SimSwapResult!.swapped as object), carrierScore: 3 }
  assert.deepEqual({ ...readAnswer('simSwapCheck', raw(200, body), 'sent-1') }, body)
})

test('names the place and type of a mismatch, never the value', () => {
  const body = { success: true, swapped: 'of course', phoneDetail: {} }
  const { code, message } = thrown(raw(200, body))
  assert.equal(code, 'unexpected_response')
  assert.match(message, /the response\.swapped is not of type boolean/)
  assert.doesNotMatch(message, /of course/)
})

test('meta has request id, correlator, age, sandbox and notice, and is not part of the body', () => {
  const body = samples.SimSwapResult!['not-swapped']
  const told = readAnswer(
    'simSwapCheck',
    raw(200, body, {
      'X-Request-Id': 'request-1',
      'x-correlator': 'correlator-1',
      age: '42',
      'x-ringfence-sandbox': 'true',
      'x-ringfence-notice': 'unknown fields: maxage',
    }),
    'sent-1',
  )
  assert.deepEqual(told.meta, {
    requestId: 'request-1',
    correlator: 'correlator-1',
    ageSeconds: 42,
    sandbox: true,
    notice: 'unknown fields: maxage',
  })
  assert.deepEqual(told, body)
  assert.equal(JSON.stringify(told), JSON.stringify(body))
  const untold = readAnswer('simSwapCheck', raw(200, body), 'sent-1').meta
  const nothing = { correlator: undefined, ageSeconds: undefined, sandbox: false, notice: undefined }
  assert.deepEqual(untold, { requestId: 'sent-1', ...nothing })
})

const errorBodies = samples.ErrorBody!
const own = (errorCode: string) => ({ message: 'Reason', errorCode, description: 'What to do' })
const refusals: [number, unknown, RingfenceErrorCode][] = [
  [400, errorBodies['invalid-phone-number'], 'invalid_request'],
  [400, errorBodies['invalid-max-age'], 'invalid_request'],
  [400, errorBodies['sim-swap-unsupported'], 'unsupported_by_operator'],
  [400, errorBodies['call-forwarding-unsupported'], 'unsupported_by_operator'],
  [400, own('P7312'), 'unsupported_by_operator'],
  [400, errorBodies['token-invalid'], 'invalid_token'],
  [401, errorBodies['token-expired'], 'expired_token'],
  [400, own('7115'), 'invalid_request'],
  [401, errorBodies['credentials-missing'], 'missing_credentials'],
  [401, errorBodies['credentials-invalid'], 'invalid_credentials'],
  [404, own('70404'), 'not_found'],
  [400, own('constructor'), 'invalid_request'],
  [429, own('70429'), 'rate_limited'],
  [500, samples.UnexpectedErrorBody!.ordinary, 'server'],
  [503, own('70503'), 'overloaded'],
]
for (const [status, body, code] of refusals) {
  test(`HTTP ${status} ${JSON.stringify(body)} is ${code}, with the message of the service`, () => {
    const error = thrown(raw(status, body, { 'x-request-id': 'request-1' }))
    const { message, errorCode, description } = body as Record<string, string>
    assert.deepEqual(
      [error.code, error.status, error.errorCode, error.description, error.requestId],
      [code, status, errorCode, description, 'request-1'],
    )
    assert.ok(error.message.startsWith(message!), error.message)
  })
}

const page = '<!doctype html><title>Sign in</title>'
const truncated = '{"success":true,"swapped":'
const strange: [number, unknown, RingfenceErrorCode][] = [
  [200, page, 'unexpected_response'],
  [200, truncated, 'unexpected_response'],
  [200, '', 'unexpected_response'],
  [200, 'null', 'unexpected_response'],
  [200, errorBodies['invalid-phone-number'], 'unexpected_response'],
  [201, samples.SimSwapResult!.swapped, 'unexpected_response'],
  [204, '', 'unexpected_response'],
  [302, '', 'unexpected_response'],
  [400, page, 'unexpected_response'],
  [401, { error: 'unauthorized' }, 'unexpected_response'],
  [404, page, 'unexpected_response'],
  [429, page, 'rate_limited'],
  [500, page, 'server'],
  [502, page, 'server'],
  [503, page, 'overloaded'],
  [504, '', 'server'],
]
for (const [status, body, code] of strange) {
  test(`HTTP ${status} ${JSON.stringify(body).slice(0, 60)}, which Ringfence never sends, is ${code}`, () => {
    const error = thrown(raw(status, body, { 'content-type': 'text/html' }))
    assert.deepEqual([error.code, error.status, error.requestId], [code, status, 'sent-1'])
  })
}

test('a refusal has the notice of the service, which says what is wrong with the request', () => {
  const notice = 'phoneNumber is not a valid number of the calling code 91'
  const body = errorBodies['invalid-phone-number']
  assert.equal(thrown(raw(400, body, { 'x-ringfence-notice': notice })).notice, notice)
  assert.equal(thrown(raw(400, body)).notice, undefined)
})

test('reads Retry-After as seconds, or as a date compared with the date of the response', () => {
  const after = (headers: Record<string, string>) => thrown(raw(429, own('70429'), headers)).retryAfterSeconds
  assert.equal(after({ 'retry-after': '7' }), 7)
  const date = 'Wed, 21 Oct 2026 07:28:00 GMT'
  assert.equal(after({ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date }), 30)
  assert.equal(after({ 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT', date }), 0)
  assert.equal(after({ 'retry-after': 'soon', date }), undefined)
  assert.equal(after({}), undefined)
})
