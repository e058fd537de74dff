// Does verifyWebhook accept only what the service has signed?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signatureHeaders } from '@ringfence/server/events/webhooks/signature.ts'
import { type RingfenceError, verifyWebhook } from './index.ts'

const secret = `whsec_${Buffer.from('a made-up secret of a webhook').toString('base64')}`
const other = `whsec_${Buffer.from('the secret of another webhook').toString('base64')}`
const now = Date.parse('2026-11-23T10:00:00Z')
const event = { id: 'e-1', type: 'webhook.test', timestamp: '2026-11-23T10:00:00.000Z', data: { name: 'Ümit' } }
const body = JSON.stringify(event)
const signed = (...secrets: string[]) =>
  signatureHeaders(
    event.id,
    body,
    secrets.map((each) => ({ secret: each })),
    now,
  )

const refusal = (delivery: Partial<Parameters<typeof verifyWebhook>[0]>): RingfenceError => {
  try {
    verifyWebhook({ body, headers: signed(secret), secret, now, ...delivery })
  } catch (error) {
    return error as RingfenceError
  }
  return assert.fail('it was accepted')
}

test('returns the event of a delivery that the service signed', () => {
  for (const headers of [signed(secret), new Headers(signed(secret)), signed(other, secret)])
    assert.deepEqual(verifyWebhook({ body, headers, secret, now }), event)
  assert.deepEqual(verifyWebhook({ body: Buffer.from(body), headers: signed(secret), secret, now }), event)
})

test('refuses another secret, a changed body, and a delivery without a signature', () => {
  assert.equal(refusal({ secret: other }).code, 'invalid_webhook')
  assert.match(refusal({ body: JSON.stringify(event, undefined, 2) }).message, /the body is not as it arrived/)
  assert.match(refusal({ headers: {} }).message, /no signature/)
  assert.equal(refusal({ headers: { ...signed(secret), 'webhook-signature': 'v1,' } }).code, 'invalid_webhook')
  assert.equal(refusal({ headers: { ...signed(secret), 'webhook-timestamp': 'soon' } }).code, 'invalid_webhook')
})

test('refuses a delivery that was signed more than five minutes ago, or ahead', () => {
  const limits: [number, RegExp][] = [
    [5, /signed 301 s ago: it is a replay, or the clock/],
    [-5, /signed 301 s in the future: the clock/],
  ]
  for (const [minutes, expected] of limits) {
    assert.deepEqual(verifyWebhook({ body, headers: signed(secret), secret, now: now + minutes * 60_000 }), event)
    assert.match(refusal({ now: now + minutes * 60_000 + Math.sign(minutes) * 1_000 }).message, expected)
  }
})

test('says which argument is wrong', () => {
  assert.match(refusal({ body: event as unknown as string }).message, /before JSON\.parse/)
  assert.match(refusal({ secret: 'wh_0123' }).message, /whsec_/)
  assert.equal(refusal({ secret: undefined as unknown as string }).code, 'invalid_argument')
})
