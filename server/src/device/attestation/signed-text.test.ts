import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type AndroidFacts, type IntelligenceRequest, readSamples } from '@ringfence/contract'
import { canonicalJson } from '../../core/json/canonical-json.ts'
import { pointOfProof, verifyProof } from '../identity/proof.ts'
import { bodyDigest, signedText } from '../identity/signed-text.ts'
import { challengeOf, p256Key } from './android/attestation-of-call.ts'
import { verifyKeyAttestation } from './android/key-attestation.ts'
import { revocationList } from './android/revocation-list.ts'

// The Swift tests read the same file.
const vectors = JSON.parse(
  readFileSync(new URL('../../../../contract/testdata/signed-text.json', import.meta.url), 'utf8'),
) as {
  canonical: { what: string; json: string; canonical: string }[]
  signed: { what: string; body: IntelligenceRequest; text: string }[]
}

const textOf = (body: IntelligenceRequest) => signedText({ ...body, bodyDigest: bodyDigest(body) })

test('the proof of the Android sample is valid', () => {
  assert.equal(verifyProof(readSamples().IntelligenceRequest!.android as IntelligenceRequest)?.state, 'proved')
})

test('the chain of the attested sample is of its call, which has each fact of the other Android sample', () => {
  const { attested, android } = readSamples().IntelligenceRequest!
  const body = attested as IntelligenceRequest
  assert.deepEqual(body.facts, (android as IntelligenceRequest).facts)
  assert.equal(verifyProof(body)?.state, 'proved')
  const chain = (body.attestation!.chain as string[]).map((each) => Buffer.from(each, 'base64'))
  const root = new X509Certificate(chain.at(-1)!).publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const trusted = {
    roots: { hardware: [root], software: [] },
    revoked: revocationList([]),
    now: Date.parse('2026-03-01T12:00:00Z'),
  }
  const { level } = verifyKeyAttestation(chain, trusted, {
    challenge: challengeOf(textOf(body)),
    publicKey: p256Key(pointOfProof(body)),
    packageName: 'com.example.shop.android',
    certificates: (body.facts as AndroidFacts).appIntegrity?.certificates ?? [],
  })
  assert.equal(level, 'hardware')
})

test('writes the canonical text of each shared test vector', () => {
  assert.ok(vectors.canonical.length > 5)
  for (const { what, json, canonical } of vectors.canonical) {
    assert.equal(canonicalJson(JSON.parse(json)), canonical, what)
  }
})

test('makes the signed text of each shared test vector, and another for any other call', () => {
  const texts = vectors.signed.map(({ what, body, text }) => {
    assert.equal(textOf(body), text, what)
    for (const name of Object.keys(body).filter((each) => !['proof', 'attestation'].includes(each))) {
      assert.notEqual(textOf({ ...body, [name]: 'other' }), text, `${what}: ${name}`)
    }
    return text
  })
  assert.equal(new Set(texts).size, vectors.signed.length - 1, 'proof and attestation are not signed')
})
