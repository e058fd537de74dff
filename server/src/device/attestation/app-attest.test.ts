import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { AttestationRefused, verifyAssertion, verifyAttestation } from './app-attest.ts'
import { appleAppAttestRoot } from './apple-root.ts'
import { type AttestationParts, makeTestRoot, type TestRoot } from './testing/attesting-device.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const expected = { appId: 'A1B2C3D4E5.com.example.wallet' }
const clientData = Buffer.from('challenge-4711')
const ordinary: AttestationParts = {
  appId: expected.appId,
  clientData,
  aaguid: 'appattest',
  counter: 0,
  madeAt: now - 60_000,
  format: 'apple-appattest',
}
let root: TestRoot
before(async () => {
  root = await makeTestRoot(now)
})

/** Why the attestation of a device with these changes is refused; undefined when it is accepted. */
async function refusal(changes: Partial<AttestationParts>, at = now): Promise<string | undefined> {
  const device = await root.newDevice()
  const attestation = await device.attest({ ...ordinary, ...changes })
  return refusalOf(() => verifyAttestation({ keyId: device.keyId, attestation, clientData }, expected, at, root.pem))
}

async function refusalOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    assert.ok(error instanceof AttestationRefused, String(error))
    return error.message
  }
}

test('pins the root certificate that Apple publishes, which is self-signed', () => {
  const certificate = new X509Certificate(appleAppAttestRoot)
  assert.equal(
    createHash('sha256').update(certificate.raw).digest('hex'),
    '1cb9823ba28ba6ad2d33a006941de2ae4f513ef1d4e831b9f7e0fa7b6242c932',
  )
  assert.ok(certificate.verify(certificate.publicKey))
})

test('accepts assertions of an attested key only with a rising counter', async () => {
  const device = await root.newDevice()
  const attestation = await device.attest(ordinary)
  const key = await verifyAttestation({ keyId: device.keyId, attestation, clientData }, expected, now, root.pem)
  assert.deepEqual(
    { keyId: key.keyId, environment: key.environment, counter: key.counter },
    { keyId: device.keyId, environment: 'production', counter: 0 },
  )
  const assertion = device.assert({ appId: expected.appId, clientData, counter: 1 })
  assert.equal(verifyAssertion({ assertion, clientData }, key, expected), 1)
  assert.equal(
    await refusalOf(() => verifyAssertion({ assertion, clientData }, { ...key, counter: 1 }, expected)),
    'the counter is 1, and was 1 before',
  )
})

test('refuses an attestation that fails any of the checks', async () => {
  assert.equal(await refusal({}), undefined)
  assert.equal(await refusal({ moreAuthData: Buffer.from('fields of iOS 27') }), undefined)
  assert.equal(await refusal({ format: 'packed' }), 'the format is packed')
  assert.equal(await refusal({ clientData: Buffer.from('other') }), 'the certificate is not for this challenge')
  assert.equal(await refusal({ nonce: Buffer.alloc(32) }), 'the certificate is not for this challenge')
  assert.equal(await refusal({ nonce: Buffer.alloc(0) }), 'the certificate is not for this challenge')
  const absent = { id: '1.2.3.4', value: Buffer.of(5, 0) }
  assert.equal(await refusal({ nonceExtension: absent }), 'the certificate is not for this challenge')
  for (const value of [Buffer.of(), Buffer.of(5, 0), Buffer.of(0x30, 0x80), Buffer.from('30840fffffff', 'hex')]) {
    const unreadable = { id: '1.2.840.113635.100.8.2', value }
    assert.equal(await refusal({ nonceExtension: unreadable }), 'it cannot be read', value.toString('hex'))
  }
  assert.equal(await refusal({ appId: 'A1B2C3D4E5.com.example.copy' }), 'another app made it')
  assert.equal(await refusal({ counter: 1 }), 'the counter is 1')
  assert.equal(await refusal({ aaguid: 'appattestdevelop' }), 'it is a development build')
  assert.equal(await refusal({ aaguid: 'something' }), 'the environment is unknown')
  assert.equal(await refusal({ credentialId: Buffer.alloc(32) }), 'the credential is another key')
  assert.equal(await refusal({ chainOf: (leaf) => [leaf] }), 'the chain is too short')
  assert.equal(await refusal({ chainOf: () => [] }), 'the chain is too short')
  assert.match((await refusal({ chainOf: (leaf, issuer) => [issuer, leaf] })) ?? '', /not issued by the next/)
})

test('verifies with no key that the root did not certify, however long the chain', async (t) => {
  const other = await makeTestRoot(now)
  const own = new Uint8Array(new X509Certificate(other.pem).raw)
  const verified = t.mock.method(X509Certificate.prototype, 'verify')
  const why = async (length: number) => {
    const device = await root.newDevice()
    const attestation = await device.attest({ ...ordinary, chainOf: () => Array(length).fill(own) })
    verified.mock.resetCalls()
    const given = { keyId: device.keyId, attestation, clientData }
    const because = await refusalOf(() => verifyAttestation(given, expected, now, root.pem))
    return [because, verified.mock.callCount()]
  }
  for (const length of [4, 100]) assert.deepEqual(await why(length), ['the chain is too long', 0])
  assert.deepEqual(await why(3), ['certificate 2 of the chain was not issued by the next', 1])
})

test('checks certificate dates at the time of receipt', async () => {
  const day = 86_400_000
  assert.match((await refusal({}, now - 2 * day)) ?? '', /not valid at this time/)
  assert.match((await refusal({}, now + 4 * day)) ?? '', /not valid at this time/)
})

test('refuses a chain to another root, and a key id of another key', async () => {
  const other = await makeTestRoot(now)
  const device = await other.newDevice()
  const attestation = await device.attest(ordinary)
  const given = { keyId: device.keyId, attestation, clientData }
  assert.match(
    (await refusalOf(() => verifyAttestation(given, expected, now, root.pem))) ?? '',
    /not issued by the next/,
  )
  assert.match((await refusalOf(() => verifyAttestation(given, expected, now))) ?? '', /not issued by the next/)
  const { keyId } = await other.newDevice()
  assert.equal(
    await refusalOf(() => verifyAttestation({ ...given, keyId }, expected, now, other.pem)),
    'the key id is not that of the certificate',
  )
})

test('accepts development builds when they are allowed', async () => {
  const device = await root.newDevice()
  const attestation = await device.attest({ ...ordinary, aaguid: 'appattestdevelop' })
  const key = await verifyAttestation(
    { keyId: device.keyId, attestation, clientData },
    { ...expected, allowDevelopment: true },
    now,
    root.pem,
  )
  assert.equal(key.environment, 'development')
})

test('refuses an assertion of another key, app or challenge', async () => {
  const [device, other] = [await root.newDevice(), await root.newDevice()]
  const attestation = await device.attest(ordinary)
  const key = await verifyAttestation({ keyId: device.keyId, attestation, clientData }, expected, now, root.pem)
  const why = (assertion: Uint8Array, data: Uint8Array = clientData) =>
    refusalOf(() => verifyAssertion({ assertion, clientData: data }, key, expected))
  const ours = { appId: expected.appId, clientData, counter: 1 }
  assert.equal(await why(other.assert(ours)), 'the signature is not of this key')
  assert.equal(await why(device.assert(ours), Buffer.from('replayed elsewhere')), 'the signature is not of this key')
  assert.equal(await why(device.assert({ ...ours, appId: 'A1B2C3D4E5.com.example.copy' })), 'another app made it')
})

test('refuses any other bytes, and throws nothing else', async () => {
  const device = await root.newDevice()
  const attestation = await device.attest(ordinary)
  const why = (bytes: Uint8Array) =>
    refusalOf(() => verifyAttestation({ keyId: device.keyId, attestation: bytes, clientData }, expected, now, root.pem))
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => (await why(bytes)) !== undefined),
    { numRuns: 300 },
  )
  // The receipt is the one part that no check reads.
  const receiptAt = Buffer.from(attestation).indexOf('receipt')
  await fc.assert(
    fc.asyncProperty(fc.nat(receiptAt - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const changed = Uint8Array.from(attestation)
      changed[at]! ^= change
      return (await why(changed)) !== undefined
    }),
    { numRuns: 300 },
  )
})
