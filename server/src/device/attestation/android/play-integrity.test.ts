import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { ConfigurationError } from '../../../core/config/config.ts'
import { integrityToken, type TokenParts } from '../testing/integrity-token.ts'
import type { ExpectedKey } from './key-attestation.ts'
import { playIntegrityKeys, readPlayIntegrity } from './play-integrity.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const challenge = Buffer.alloc(32, 7)
const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const keys = { decryption: randomBytes(32), verification: signing.publicKey }
const expected: Omit<ExpectedKey, 'publicKey'> = {
  challenge,
  packageName: 'com.example.shop.android',
  certificates: [],
}
const ordinary: TokenParts = { keys: { ...keys, signing: signing.privateKey }, challenge, now }

async function because(
  changes: Partial<TokenParts>,
  more: Partial<typeof expected> & { certificates?: string[] } = {},
) {
  const found = await readPlayIntegrity(
    await integrityToken({ ...ordinary, ...changes }),
    keys,
    { ...expected, ...more },
    now,
  )
  return found.state === 'read' ? undefined : `${found.state}: ${found.because}`
}

test('says what Play found, in its words', async () => {
  assert.deepEqual(await readPlayIntegrity(await integrityToken(ordinary), keys, expected, now), {
    state: 'read',
    app: 'PLAY_RECOGNIZED',
    device: ['MEETS_DEVICE_INTEGRITY'],
    accessRisk: ['KNOWN_INSTALLED'],
  })
  const unevaluated = {
    appIntegrity: { appRecognitionVerdict: 'UNEVALUATED' },
    deviceIntegrity: {},
    environmentDetails: {},
  }
  const token = await integrityToken({ ...ordinary, payload: unevaluated })
  assert.deepEqual(await readPlayIntegrity(token, keys, expected, now), {
    state: 'read',
    app: 'UNEVALUATED',
    device: [],
  })
})

test('refuses a token of another call or app', async () => {
  assert.equal(await because({}), undefined)
  assert.equal(await because({ challenge: Buffer.alloc(32, 8) }), 'refused: its nonce is of another call')
  assert.equal(await because({ challenge: Buffer.alloc(0) }), 'refused: its nonce is of another call')
  assert.equal(await because({ packageName: 'com.thief' }), 'refused: another app asked for it: com.thief')
  assert.equal(
    await because({ payload: { appIntegrity: { packageName: 'com.thief' } } }),
    'refused: it is of another app: com.thief',
  )
  const listed = { certificates: ['AB'.repeat(32)] }
  assert.equal(await because({ certificate: Buffer.alloc(32, 0xab) }, listed), undefined)
  assert.equal(await because({}, listed), 'refused: it is of an app that another key signed')
})

test('concludes nothing from a token of another time or key, of another algorithm, or of another form', async () => {
  assert.equal(await because({ madeAt: now - 600_001 }), 'unknown: it is older than ten minutes')
  assert.equal(await because({ madeAt: now + 60_001 }), 'unknown: it is from the future')
  const [otherDecryption, otherSigning] = [randomBytes(32), generateKeyPairSync('ec', { namedCurve: 'P-256' })]
  const cannot = 'unknown: it cannot be decrypted with the key of the app'
  assert.equal(await because({ keys: { ...ordinary.keys, decryption: otherDecryption } }), cannot)
  const unsigned = 'unknown: its signature is not of the key of the app'
  assert.equal(await because({ keys: { ...ordinary.keys, signing: otherSigning.privateKey } }), unsigned)
  assert.equal(await because({ algorithm: 'none' }), unsigned)
  assert.equal(await because({ algorithm: 'HS256' }), unsigned)
  assert.equal(await because({ keyManagement: 'dir' }), cannot)
  const odd = 'unknown: its content is not of its shape'
  assert.equal(await because({ payload: { requestDetails: { nonce: 7 } } }), odd)
  assert.equal(await because({ payload: { requestDetails: undefined } }), odd)
  for (const token of [undefined, 7, '', 'a.b.c.d.e', `${'A'.repeat(20_000)}`]) {
    const found = await readPlayIntegrity(token, keys, expected, now)
    assert.equal(found.state, 'unknown', String(token).slice(0, 20))
  }
})

test('the configuration names a key that cannot be used', () => {
  const verificationKey = signing.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const read = (decryption: string, verification = verificationKey) =>
    playIntegrityKeys(
      { 'com.example': { decryptionKey: { env: 'KEY' }, verificationKey: verification } },
      () => decryption,
    )
  const good = keys.decryption.toString('base64')
  assert.deepEqual(read(good).get('com.example')?.decryption, keys.decryption)
  const wrong = (text: RegExp) => (error: unknown) => error instanceof ConfigurationError && text.test(error.message)
  assert.throws(
    () => read('c2hvcnQ='),
    wrong(/^attestation\.playIntegrity\.com\.example\.decryptionKey: must be 32 bytes/),
  )
  assert.throws(() => read(good, 'A'.repeat(64)), wrong(/verificationKey: must be a public key/))
  const other = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey
  const p384 = other.export({ type: 'spki', format: 'der' }).toString('base64')
  assert.throws(() => read(good, p384), wrong(/verificationKey: must be a key of P-256/))
})
