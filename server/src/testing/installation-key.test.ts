import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { newInstallationKey, signedTextOf } from './installation-key.ts'

const call = { tsId: 'session', challenge: 'challenge', requestId: 'request', facts: { b: [1], a: 'ä' } }

test('signs session, challenge, request id and the hash of the canonical body, without the proof', () => {
  const { publicKey, proofOf } = newInstallationKey()
  const { signature } = proofOf(call)
  const point = Buffer.from(publicKey, 'base64url')
  assert.equal(point.length, 65)
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  const isOver = (text: string) => verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  // echo -n '{"challenge":"challenge","facts":{"a":"ä","b":[1]},"requestId":"request","tsId":"session"}' | openssl sha256
  const hash = 'iz8Kvro9KzTNPZBGwUkGXV0yBnaQIcwGZWbhDYAp24c'
  assert.equal(signedTextOf(call), `ringfence-proof-v1\nsession\nchallenge\nrequest\n${hash}`)
  assert.ok(isOver(signedTextOf({ ...call, ...{ proof: { publicKey, signature } } })))
  assert.ok(!isOver(signedTextOf({ ...call, challenge: 'another' })))
})
