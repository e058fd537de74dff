import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { type IntelligenceRequest, readSamples } from '@ringfence/contract'
import { type InstallationKey, newInstallationKey } from '../../testing/installation-key.ts'
import { keyHashOfProof, verifyProof } from './proof.ts'
import { bodyDigest, signedText } from './signed-text.ts'

const body = readSamples().IntelligenceRequest!.web as IntelligenceRequest
const key = newInstallationKey()
const prove = (its: InstallationKey, encoding?: 'der'): IntelligenceRequest => ({
  ...body,
  proof: { ...its.proofOf(body, encoding) },
})
const proved = prove(key)
const refusal = (changed: object) => {
  const result = verifyProof({ ...proved, ...changed })
  return result?.state === 'refused' ? result.because : result?.state
}
const withProof = (changes: object) => ({ proof: { ...proved.proof, ...changes } })

test('accepts the signatures of browsers and of Android Keystore', () => {
  const point = Buffer.from(key.publicKey, 'base64url')
  const keyHash = hash('sha256', point, 'buffer').subarray(0, 16)
  for (const encoding of [undefined, 'der'] as const) {
    assert.deepEqual(verifyProof(prove(key, encoding)), { state: 'proved', keyHash })
  }
  assert.deepEqual(keyHashOfProof(proved), keyHash)
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
  assert.equal(refusal(withProof({ publicKey: newInstallationKey().publicKey })), other)
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
  const longer = newInstallationKey('P-384')
  assert.equal(Buffer.from(longer.publicKey, 'base64url').length, 97)
  assert.deepEqual(verifyProof(prove(longer)), { state: 'refused', because: form })
  assert.deepEqual(verifyProof(prove(newInstallationKey('secp256k1'))), {
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
