import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type IntelligenceRequest, readSamples } from '@ringfence/contract'
import { verifyProof } from './proof.ts'
import { bodyDigest, signedText } from './signed-text.ts'
import { installationKey } from './testing/installation-key.ts'

const body = readSamples().IntelligenceRequest!.web as IntelligenceRequest
const key = installationKey()
const proved = key.prove(body)
const refusal = (changed: object) => {
  const result = verifyProof({ ...proved, ...changed })
  return result?.state === 'refused' ? result.because : result?.state
}
const withProof = (changes: object) => ({ proof: { ...proved.proof, ...changes } })

test('accepts the signatures of browsers and of Android Keystore', () => {
  for (const encoding of ['ieee-p1363', 'der'] as const) {
    assert.deepEqual(verifyProof(key.prove(body, encoding)), { state: 'proved', keyHash: key.keyHash }, encoding)
  }
  assert.equal(verifyProof(body), undefined, 'no proof')
})

test('does not depend on the order of members, and ignores the attestation', () => {
  const reversed = Object.fromEntries(Object.entries(proved).reverse()) as IntelligenceRequest
  assert.equal(verifyProof({ ...reversed, attestation: { keyId: 'x' } } as IntelligenceRequest)?.state, 'proved')
})

test('refuses the signature of another session, challenge, request, body or key', () => {
  const other = 'its signature is of another call or key'
  const changes = {
    tsId: `${body.tsId}x`,
    challenge: 'another',
    requestId: 'another',
    inId: 'another',
    facts: { ...body.facts, hardwareConcurrency: 1 },
    added: 1,
    ...{ factsMissing: { webgl: 'refused' } },
  }
  for (const [name, value] of Object.entries(changes)) assert.equal(refusal({ [name]: value }), other, name)
  assert.equal(refusal(withProof({ publicKey: installationKey().publicKey })), other)
  const [first, ...rest] = Buffer.from(proved.proof!.signature as string, 'base64url')
  const signature = Buffer.from([first! ^ 1, ...rest]).toString('base64url')
  assert.equal(refusal(withProof({ signature })), other)
})

test('refuses keys that are no point of P-256', () => {
  const point = Buffer.from(key.publicKey, 'base64url')
  const form = 'its key is not the 65 bytes of a P-256 point'
  const compressed = Buffer.concat([Buffer.of(2 + (point[64]! & 1)), point.subarray(1, 33)])
  const hybrid = Buffer.concat([Buffer.of(6), point.subarray(1)])
  for (const one of [compressed, hybrid, point.subarray(1), Buffer.concat([point, Buffer.of(0)]), Buffer.of()]) {
    assert.equal(refusal(withProof({ publicKey: one.toString('base64url') })), form, one.toString('hex'))
  }
  for (const publicKey of [undefined, 7, {}, `${key.publicKey}=`, ` ${key.publicKey.slice(1)}`, 'x'.repeat(9999)]) {
    assert.equal(refusal(withProof({ publicKey })), form, String(publicKey))
  }
  const offCurve = Buffer.from(point)
  offCurve[64]! ^= 1
  for (const one of [
    offCurve,
    Buffer.concat([Buffer.of(4), Buffer.alloc(64)]),
    Buffer.concat([Buffer.of(4), Buffer.alloc(64, 0xff)]),
  ]) {
    assert.equal(refusal(withProof({ publicKey: one.toString('base64url') })), 'its key is not on the curve P-256')
  }
  const { publicKey, prove } = installationKey('P-384')
  assert.equal(Buffer.from(publicKey, 'base64url').length, 97)
  assert.deepEqual(verifyProof(prove(body)), { state: 'refused', because: form })
  assert.deepEqual(verifyProof(installationKey('secp256k1').prove(body)), {
    state: 'refused',
    because: 'its key is not on the curve P-256',
  })
})

test('refuses signatures of other forms', () => {
  const form = 'its signature is not of an ECDSA form'
  for (const signature of [
    undefined,
    1,
    '',
    'AAAA',
    'x'.repeat(5000),
    '!!!!!!!!!!!!!!!!',
    `${proved.proof!.signature}==`,
  ]) {
    assert.equal(refusal(withProof({ signature })), form, String(signature))
  }
  for (const bytes of [8, 63, 64, 65, 72]) {
    const signature = Buffer.alloc(bytes).toString('base64url')
    assert.equal(refusal(withProof({ signature })), 'its signature is of another call or key', String(bytes))
  }
  assert.equal(refusal({ proof: {} }), 'its key is not the 65 bytes of a P-256 point')
})

test('signs the text of the wire description', () => {
  assert.equal(
    signedText({
      tsId: 's',
      challenge: 'c',
      requestId: 'r',
      bodyDigest: bodyDigest({ b: [1, 'ü'], a: { d: 1e21, c: null } }),
    }),
    'ringfence-proof-v1\ns\nc\nr\nhh1_30g8V9zjHy7Xf0PUbCNzY0RLayVoJL-KM4gDX3M',
  )
})
