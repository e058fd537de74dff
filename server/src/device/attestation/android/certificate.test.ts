// Is a certificate signed by a key exactly when Node says so? For the signatures that are verified without Node's reader, and for others.

import assert from 'node:assert/strict'
import { type KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import { before, test } from 'node:test'
// @peculiar/x509 needs this import first.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { readCertificate } from './certificate.ts'

const ec = (namedCurve: string, hash: string) => ({ name: 'ECDSA', namedCurve, hash })
const rsa = (name: string, hash: string) => ({
  name,
  hash,
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
  saltLength: 32,
})
const algorithms = [
  ...['P-256', 'P-384', 'P-521'].flatMap((curve) => ['SHA-256', 'SHA-384', 'SHA-512'].map((hash) => ec(curve, hash))),
  ...['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'].map((hash) => rsa('RSASSA-PKCS1-v1_5', hash)),
  rsa('RSA-PSS', 'SHA-256'),
]
const made: { bytes: Buffer; key: KeyObject; about: string }[] = []

before(async () => {
  x509.cryptoProvider.set(webcrypto as Crypto)
  for (const algorithm of algorithms) {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=Test',
      keys,
      signingAlgorithm: algorithm,
    })
    const bytes = Buffer.from(certificate.rawData)
    made.push({ bytes, key: new X509Certificate(bytes).publicKey, about: JSON.stringify(algorithm) })
  }
})

test('a certificate is signed by its own issuer, whatever the algorithm, and by no other key', () => {
  for (const { bytes, key, about } of made) {
    const certificate = readCertificate(bytes)
    for (const each of made) assert.equal(certificate.isSignedBy(each.key), each.key === key, about)
  }
})

test('a certificate with any changed byte is signed by nobody, as Node says too', () => {
  const isTrue = (ask: () => boolean) => {
    try {
      return ask()
    } catch {
      return false
    }
  }
  for (const { bytes, key, about } of [made[0]!, made[10]!]) {
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      const isSigned = isTrue(() => readCertificate(changed).isSignedBy(key))
      assert.equal(isSigned, false, `${about}, byte ${at}`)
      assert.equal(
        isTrue(() => new X509Certificate(changed).verify(key)),
        false,
        `Node, ${about}, byte ${at}`,
      )
    }
  }
})

test('a certificate that names another algorithm inside than outside is signed by nobody', () => {
  const [{ bytes, key }] = made as [(typeof made)[number]]
  const id = Buffer.from('06082a8648ce3d040302', 'hex')
  const outer = bytes.lastIndexOf(id)
  assert.notEqual(outer, bytes.indexOf(id), 'it is there twice')
  const changed = Buffer.from(bytes)
  // ecdsa-with-SHA384.
  changed[outer + id.length - 1] = 3
  assert.equal(readCertificate(changed).isSignedBy(key), false)
})
