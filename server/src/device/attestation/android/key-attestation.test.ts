import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type AttestationAuthority,
  type AuthorityOptions,
  attestationAuthority,
  type ChainParts,
  extended,
  newPhoneKey,
  spkiOf,
} from '../testing/attesting-phone.ts'
import { boolean, der, enumerated, integer, octets, sequence, set, tagged } from '../testing/der-writer.ts'
import { appCertificates, descriptionOf } from '../testing/key-description.ts'
import { readCertificate } from './certificate.ts'
import { DerError } from './der.ts'
import { type ExpectedKey, KeyAttestationRefused, type KnownIssuer, verifyKeyAttestation } from './key-attestation.ts'
import { keyDescriptionId, readKeyDescription } from './key-description.ts'
import { type RevocationEntry, type RevocationList, revocationList } from './revocation-list.ts'
import { publishedRoots, rootsInPem, rootsOf } from './roots.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const day = 86_400_000
const challenge = Buffer.from('challenge')
const [key, otherKey] = [newPhoneKey(), newPhoneKey()]
const expected: ExpectedKey = {
  challenge,
  publicKey: spkiOf(key.publicKey),
  packageName: 'com.example.shop.android',
  certificates: appCertificates,
}
let authority: AttestationAuthority
before(async () => {
  authority = await attestationAuthority({ now })
})

interface Given {
  of?: AttestationAuthority
  parts?: ChainParts
  publicKey?: Parameters<AttestationAuthority['attest']>[0]
  chainOf?: (chain: Buffer[]) => Buffer[] | Promise<Buffer[]>
  revoked?: RevocationList
  /** In place of the authority's root. */
  hardware?: readonly string[]
  software?: readonly string[]
  expected?: ExpectedKey
}

/** The level of a chain, and how the phone booted or why it is refused. */
async function judged(given: Given = {}): Promise<[level: string, because: string]> {
  const { of = authority, parts = {}, publicKey = key.publicKey, chainOf = (chain) => chain } = given
  const chain = await chainOf(await of.attest(publicKey, parts))
  const roots = { hardware: given.hardware ?? [of.root], software: given.software ?? [] }
  try {
    const trusted = { roots, revoked: given.revoked ?? revocationList([]), now }
    const { level, rootOfTrust } = verifyKeyAttestation(chain, trusted, given.expected ?? expected)
    const { isLocked, bootState } = rootOfTrust ?? {}
    return [level, rootOfTrust ? `${isLocked ? 'locked' : 'unlocked'}, ${bootState}` : '']
  } catch (error) {
    assert.ok(error instanceof KeyAttestationRefused, String(error))
    return [error.level, error.message]
  }
}

const described = (description: NonNullable<ChainParts['description']>): Given => ({ parts: { description } })
const of = async (options: Partial<AuthorityOptions>): Promise<Given> => ({
  of: await attestationAuthority({ now, ...options }),
})
const serialsOf = (chain: readonly Buffer[]) =>
  chain.map((bytes) => new X509Certificate(bytes).serialNumber.toLowerCase())
const rootOfTrust = (locked: number, ...more: Buffer[]) =>
  tagged(704, sequence(octets(Buffer.alloc(32)), boolean(locked), enumerated(0), ...more))
const expired = { notBefore: new Date(now - 3 * day), notAfter: new Date(now - day) }
const notYet = { notBefore: new Date(now + day), notAfter: new Date(now + 3 * day) }

test('the published roots are the keys of the certificates that Google publishes', () => {
  assert.deepEqual(
    publishedRoots.hardware.map((root) => {
      const { asymmetricKeyType, asymmetricKeyDetails } = keyOf(root)
      const size = asymmetricKeyDetails?.modulusLength ?? asymmetricKeyDetails?.namedCurve
      return [asymmetricKeyType, size, createHash('sha256').update(Buffer.from(root, 'base64')).digest('hex')]
    }),
    [
      ['rsa', 4096, 'feb2ea7551ee316ed4bb443c8293b884dbfdea40b603ee3e4f4a897e4580fbae'],
      ['ec', 'secp384r1', '3ee44512a1af2beb39c889490c60ea3f82e43f5d5a5532f5ab9419f676cd07ec'],
    ],
  )
  assert.deepEqual(
    publishedRoots.software.map((root) => keyOf(root).asymmetricKeyType),
    ['ec', 'rsa'],
  )
})

const keyOf = (root: string) => createPublicKey({ key: Buffer.from(root, 'base64'), type: 'spki', format: 'der' })

test('reads roots from PEM, as certificates and as public keys', async (t) => {
  const chain = await authority.attest(key.publicKey)
  const certificate = new X509Certificate(chain.at(-1)!)
  const pem = `${certificate.toString()}\n# a comment\n${certificate.publicKey.export({ type: 'spki', format: 'pem' })}`
  assert.deepEqual(rootsInPem(pem), [authority.root, authority.root])
  assert.throws(() => rootsInPem('nothing'), /no certificate and no public key/)
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'roots.pem'), pem)
  assert.deepEqual(rootsOf(join(folder, 'roots.pem')).hardware, [authority.root, authority.root])
  assert.equal(rootsOf(undefined), publishedRoots)
  assert.throws(() => rootsOf(join(folder, 'none.pem')), {
    name: 'ConfigurationError',
    message: /^KEY_ATTESTATION_ROOTS: \S+none\.pem cannot be used: ENOENT/,
  })
})

test('a good chain has the level that the hardware says', async () => {
  const strongBox = await of({ subjects: ['2.5.4.5=c2ce3d1a8b4f5e60', '2.5.4.5=90e8da3cadfc7820,T=StrongBox'] })
  const strongBoxMaker = await of({ subjects: ['2.5.4.5=c2ce3d1a8b4f5e60,T=StrongBox', '2.5.4.5=90e8da3cadfc7820'] })
  const ofGoogle = ['CN=Droid CA2,O=Google LLC', 'CN=Droid CA3,O=Google LLC']
  const remoteStrongBox = await of({ provisioning: 'remote', subjects: [...ofGoogle, 'O=StrongBox,CN=1a2b3c4d'] })
  const claims = (attestationLevel: number, keyLevel: number) => described({ attestationLevel, keyLevel })
  const rows: [Given, level: string, because: string][] = [
    [{}, 'hardware', 'locked, verified'],
    [await of({ provisioning: 'remote' }), 'hardware', 'locked, verified'],
    [{ ...strongBox, ...claims(2, 2) }, 'strongBox', 'locked, verified'],
    [{ ...strongBoxMaker, ...claims(2, 2) }, 'strongBox', 'locked, verified'],
    [{ ...strongBox, ...claims(2, 1) }, 'hardware', 'locked, verified'],
    [{ ...remoteStrongBox, ...claims(2, 2) }, 'strongBox', 'locked, verified'],
    // The key of a processor attests no StrongBox, whatever it says.
    [claims(2, 2), 'hardware', 'locked, verified'],
    [described({ locked: 0 }), 'unlocked', 'unlocked, verified'],
    [described({ bootState: 1 }), 'selfSigned', 'locked, selfSigned'],
    [described({ locked: 0, bootState: 2 }), 'unlocked', 'unlocked, unverified'],
    [described({ bootState: 3 }), 'unverified', 'locked, failed'],
    [described({ attestationLevel: 0, keyLevel: 0 }), 'software', ''],
    [described({ attestationLevel: 1, keyLevel: 0 }), 'software', ''],
    // Names of issuers, and dates of the leaf and of keys that a factory installed, do not count.
    [await of({ issuerName: 'CN=Another' }), 'hardware', 'locked, verified'],
    [{ parts: { dates: expired } }, 'hardware', 'locked, verified'],
    [{ parts: { dates: notYet } }, 'hardware', 'locked, verified'],
    [await of({ dates: expired }), 'hardware', 'locked, verified'],
    // Some makers say of a key that attests in a factory that it is no authority. Chains of other roots may name nobody.
    [await of({ notAuthority: 1 }), 'hardware', 'locked, verified'],
    [await of({ subjects: ['CN=Another', 'CN=Yet another'] }), 'hardware', 'locked, verified'],
    // Unknown tags are skipped, and some makers repeat a tag for each value of a set.
    [described({ hardwareEnforced: (all) => [...all, tagged(999, integer(1))] }), 'hardware', 'locked, verified'],
    [
      described({
        hardwareEnforced: ([, ...rest]) => [tagged(1, set(integer(3))), tagged(1, set(integer(2))), ...rest],
      }),
      'hardware',
      'locked, verified',
    ],
    [described({ hardwareEnforced: (all) => all.with(4, rootOfTrust(0xff)) }), 'hardware', 'locked, verified'],
  ]
  for (const [index, [given, ...answer]] of rows.entries()) assert.deepEqual(await judged(given), answer, String(index))
})

describe('refuses a chain with any one fault', () => {
  const cases: [fault: string, () => Given | Promise<Given>, because: string, level?: string][] = [
    // The chain.
    ['no certificate', () => ({ chainOf: () => [] }), 'it has 0 certificates, not 3 to 5', 'none'],
    ['one certificate', () => ({ chainOf: ([leaf]) => [leaf!] }), 'it has 1 certificates, not 3 to 5', 'none'],
    ['two certificates', () => ({ chainOf: (all) => all.slice(0, 2) }), 'it has 2 certificates, not 3 to 5', 'none'],
    [
      'six certificates',
      () => ({ chainOf: (all) => [...all, ...all].slice(0, 6) }),
      'it has 6 certificates, not 3 to 5',
      'unknown',
    ],
    [
      'a certificate of 1 MB',
      () => ({ chainOf: (all) => all.with(1, Buffer.alloc(1_000_000, 0x30)) }),
      'certificate 1 of the chain is too large',
    ],
    [
      'garbage',
      () => ({ chainOf: (all) => all.with(0, Buffer.from('garbage')) }),
      'certificate 0 of the chain cannot be read: an element is longer than its place',
    ],
    [
      'bytes after a certificate',
      () => ({ chainOf: (all) => all.with(1, Buffer.concat([all[1]!, Buffer.of(0)])) }),
      'certificate 1 of the chain cannot be read: bytes follow the element',
    ],
    [
      'the wrong order',
      () => ({ chainOf: ([leaf, issuer, ...rest]) => [issuer!, leaf!, ...rest] }),
      'certificate 1 of the chain is not signed by the next',
    ],
    [
      'a changed byte',
      () => ({ chainOf: ([leaf, ...rest]) => [changed(leaf!, -1), ...rest] }),
      'certificate 0 of the chain is not signed by the next',
    ],
    [
      'an issuer of another chain',
      async () => {
        const others = await (await attestationAuthority({ now })).attest(key.publicKey)
        return { chainOf: (all) => [all[0]!, ...others.slice(1, -1), all.at(-1)!] }
      },
      'certificate 2 of the chain is not signed by the next',
    ],
    [
      'an issuer whose key is of a kind that we cannot verify',
      async () => {
        const [issuer] = await authority.attest(generateKeyPairSync('ed25519').publicKey)
        return { chainOf: ([leaf, ...rest]) => [leaf!, issuer!, ...rest] }
      },
      'the key of certificate 1 is of an unusual kind',
      'unknown',
    ],
    [
      'certificates that are not yet valid',
      () => of({ dates: notYet }),
      'certificate 1 of the chain is not yet valid',
      'unknown',
    ],
    [
      'expired certificates of keys that can be replaced',
      () => of({ provisioning: 'remote', dates: expired }),
      'certificate 1 of the chain has expired',
      'unknown',
    ],
    // The root.
    ['an unknown root', () => ({ hardware: publishedRoots.hardware }), 'its root is not known', 'unknown'],
    [
      'a wrong signature under an unknown root',
      () => ({ hardware: publishedRoots.hardware, chainOf: ([leaf, ...rest]) => [changed(leaf!, -1), ...rest] }),
      'its root is not known',
      'unknown',
    ],
    ['no root', () => ({ chainOf: (all) => all.slice(0, -1) }), 'its root is not known', 'unknown'],
    [
      'a root that cannot be read',
      () => ({ chainOf: (all) => all.with(-1, Buffer.from('garbage')) }),
      'certificate 3 of the chain cannot be read: an element is longer than its place',
      'unknown',
    ],
    // The issuers.
    [
      'a certificate that was added under the key of a factory',
      () => of({ subjects: ['2.5.4.5=c2ce3d1a8b4f5e60,T=TEE', 'O=Forged', '2.5.4.5=90e8da3cadfc7820'] }),
      'a factory chain of 5 certificates, not 4',
    ],
    [
      'such a certificate that looks remotely provisioned',
      () => of({ subjects: ['2.5.4.5=c2ce3d1a8b4f5e60', 'CN=Droid CA2,O=Google LLC', 'O=TEE,CN=1a2b3c4d'] }),
      'a factory chain of 5 certificates, not 4',
    ],
    [
      'a leaf that the authority of a factory signed',
      () => of({ subjects: ['2.5.4.5=c2ce3d1a8b4f5e60'] }),
      'a factory chain of 3 certificates, not 4',
    ],
    [
      'a leaf that the authority of remote provisioning signed',
      () => of({ subjects: ['CN=Droid CA2,O=Google LLC', 'CN=Droid CA3,O=Google LLC'] }),
      'a remote chain of 4 certificates, not 5',
    ],
    [
      'five certificates that nobody knows',
      () => of({ subjects: ['CN=Droid CA2,O=Another', 'CN=Droid CA3,O=Another', 'O=TEE,CN=1a2b3c4d'] }),
      'it does not say how its keys were provisioned',
      'unknown',
    ],
    [
      'an issuer of a factory that is no authority',
      () => of({ notAuthority: 0 }),
      'certificate 2 of the chain may not sign certificates',
    ],
    [
      'a remotely provisioned key that is no authority',
      () => of({ provisioning: 'remote', notAuthority: 2 }),
      'certificate 1 of the chain may not sign certificates',
    ],
    // The extension.
    ['no extension', () => ({ parts: { extensions: () => [] } }), 'no certificate has the extension'],
    [
      'the extension twice',
      () => ({ parts: { extensions: (each) => [each, each] } }),
      `certificate 0 of the chain cannot be read`,
    ],
    [
      'a leaf that an attested key signed',
      () => ({ chainOf: (all) => extended(all, key.privateKey, otherKey.publicKey) }),
      'an attested key signed another certificate',
    ],
    [
      'such a leaf with its own extension',
      () => ({ chainOf: (all) => extended(all, key.privateKey, key.publicKey, descriptionOf({})) }),
      'an attested key signed another certificate',
    ],
    [
      'the extension in an issuer too',
      () => of({ description: descriptionOf({}) }),
      'an attested key signed another certificate',
    ],
    [
      'bytes after the extension',
      () => ({ parts: { extension: Buffer.concat([descriptionOf({}), Buffer.of(5, 0)]) } }),
      'the extension cannot be read: bytes follow the element',
    ],
    [
      'an extension of another form',
      () => ({ parts: { extension: sequence(integer(4)) } }),
      'the extension cannot be read: the key description has not eight parts',
      'unknown',
    ],
    [
      'a boolean that is neither 00 nor ff',
      () => described({ locked: 1 }),
      'the extension cannot be read: a boolean is not 00 or ff',
    ],
    [
      'a boolean of two bytes',
      () =>
        described({
          hardwareEnforced: (all) =>
            all.with(4, tagged(704, sequence(octets(''), der(1, Buffer.of(0, 0xff)), enumerated(0)))),
        }),
      'the extension cannot be read: a boolean is not 00 or ff',
    ],
    [
      'tags that descend',
      () => described({ hardwareEnforced: (all) => all.toReversed() }),
      'the extension cannot be read: the tags do not ascend',
    ],
    [
      'a second root of trust',
      () => described({ locked: 0, hardwareEnforced: (all) => all.toSpliced(5, 0, rootOfTrust(0xff)) }),
      'the extension cannot be read: the tags do not ascend',
    ],
    [
      'a root of trust with more parts',
      () => described({ hardwareEnforced: (all) => all.with(4, rootOfTrust(0xff, octets(''), octets(''))) }),
      'the extension cannot be read: the root of trust has too many parts',
    ],
    [
      'an unknown state of the boot',
      () => described({ bootState: 4 }),
      'the extension cannot be read: an unknown state of the boot',
      'unknown',
    ],
    [
      'an unknown security level',
      () => described({ keyLevel: 3 }),
      'the extension cannot be read: an unknown security level',
      'unknown',
    ],
    [
      'an entry without a tag',
      () => described({ softwareEnforced: (all) => [...all, integer(1)] }),
      'the extension cannot be read: an authorization has no tag',
    ],
    // Work without a bound.
    [
      'a serial number of kilobytes',
      () => ({ parts: { serialNumber: '7f'.repeat(2000) } }),
      'certificate 0 of the chain cannot be read: a serial number is too long',
    ],
    [
      'a tag that is repeated 1,700 times',
      () => described({ hardwareEnforced: (all) => [...Array(1700).fill(tagged(1, set())), ...all] }),
      'the extension cannot be read: a list is too long',
    ],
    [
      'a value after a set of the same tag',
      () => described({ hardwareEnforced: ([first, ...rest]) => [first!, tagged(1, integer(2)), ...rest] }),
      'the extension cannot be read: the tags do not ascend',
    ],
    [
      'a digest that is not SHA-256',
      () => described({ certificates: [Buffer.alloc(20)] }),
      'the extension cannot be read: the digest of a certificate is not SHA-256',
    ],
    [
      'more digests than apps can have',
      () => described({ certificates: Array(65).fill(Buffer.alloc(32)) }),
      'the extension cannot be read: the application has too many parts',
    ],
    [
      'a package with a long name',
      () => described({ packageName: 'a'.repeat(256) }),
      'the extension cannot be read: the name of a package is too long',
    ],
    // The call.
    ['another challenge', () => described({ challenge: Buffer.from('other') }), 'its challenge is of another call'],
    ['no challenge', () => described({ challenge: Buffer.alloc(0) }), 'its challenge is of another call'],
    ['another key', () => ({ publicKey: otherKey.publicKey }), 'its key is not the one of the proof', 'unknown'],
    [
      'a key of RSA',
      () => ({ publicKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey }),
      'its key is not the one of the proof',
      'unknown',
    ],
    // The key, the phone and the app.
    ['an imported key', () => described({ origin: 2 }), 'the key was not made in the hardware'],
    ['a key that decrypts', () => described({ purposes: [1] }), 'the key is not one that signs'],
    [
      'no root of trust',
      () => described({ hardwareEnforced: (all) => all.toSpliced(4, 1) }),
      'it does not say how the phone booted',
      'unknown',
    ],
    [
      'an origin that only the system says',
      () =>
        described({
          hardwareEnforced: (all) => all.toSpliced(3, 1),
          softwareEnforced: (all) => [tagged(702, integer(0)), ...all.slice(1)],
        }),
      'the hardware does not say where the key was made, or what for',
      'unknown',
    ],
    [
      'an origin that the hardware did not record',
      () => described({ origin: 3 }),
      'the hardware does not say where the key was made, or what for',
      'unknown',
    ],
    [
      'a key without a purpose',
      () => described({ purposes: [] }),
      'the hardware does not say where the key was made, or what for',
      'unknown',
    ],
    ['a key that was imported securely', () => described({ origin: 4 }), 'the key was not made in the hardware'],
    ['another app', () => described({ packageName: 'com.thief' }), 'made by another app: com.thief'],
    [
      'no app, as the package manager failed',
      () => described({ packageName: 'UnknownPackage', certificates: [] }),
      'it does not say which app made the key',
      'unknown',
    ],
    [
      'the user of the system',
      () => described({ packageName: 'AndroidSystem', certificates: [] }),
      'it does not say which app made the key',
      'unknown',
    ],
    [
      'an app of that name that somebody signed',
      () => described({ packageName: 'UnknownPackage' }),
      'made by another app: UnknownPackage',
    ],
    ['no app', () => described({ softwareEnforced: () => [] }), 'it does not say which app made the key', 'unknown'],
    [
      'any app when none is listed',
      () => ({ expected: { ...expected, certificates: [] } }),
      'the app lists no androidCertificates: anybody may have signed it',
      'unknown',
    ],
    [
      'an app that another key signed',
      () => ({
        ...described({ certificates: [Buffer.alloc(32, 1)] }),
        expected: { ...expected, certificates: ['AB:'.repeat(31).concat('AB')] },
      }),
      `made by an app that another key signed: ${'01'.repeat(32)}`,
    ],
  ]
  for (const [fault, given, because, level = 'refused'] of cases) {
    test(`refuses ${fault}`, async () => {
      assert.deepEqual(await judged(await given()), [level, because])
    })
  }
})

test('accepts an app that a listed key signed', async () => {
  const certificate = Buffer.alloc(32, 0xab)
  const listed = { ...expected, certificates: ['ff'.repeat(32), 'AB:'.repeat(31).concat('AB')] }
  assert.deepEqual(await judged({ ...described({ certificates: [certificate] }), expected: listed }), [
    'hardware',
    'locked, verified',
  ])
})

test('a chain of the software Keystore is software, also after its public certificates have expired', async () => {
  const software = await attestationAuthority({ now, provisioning: 'software' })
  const description = { attestationLevel: 0, keyLevel: 0, hardwareEnforced: () => [] }
  for (const each of [software, await attestationAuthority({ now, provisioning: 'software', dates: expired })]) {
    const given = { of: each, hardware: [], software: [each.root], parts: { description } }
    assert.deepEqual(await judged(given), ['software', ''])
  }
  // As emulators say, whose keys are public.
  const roots = { hardware: [], software: [software.root] }
  const claimed = verifyKeyAttestation(await software.attest(key.publicKey), {
    roots,
    revoked: revocationList([]),
    now,
  })
  const because = 'it claims hardware under the root of the software Keystore'
  assert.deepEqual(claimed, { level: 'software', because })
})

test('a chain with a certificate on the status list is revoked, in each position', async () => {
  const entry: RevocationEntry = { status: 'REVOKED', reason: 'KEY_COMPROMISE' }
  const serials = serialsOf(await authority.attest(key.publicKey))
  for (const [index, serial] of serials.entries()) {
    const hex = BigInt(`0x${serial}`).toString(16)
    for (const name of [hex, BigInt(`0x${serial}`).toString()]) {
      assert.deepEqual(await judged({ revoked: listOf({ [name]: entry }) }), [
        'revoked',
        `certificate ${index} of the chain is revoked, KEY_COMPROMISE`,
      ])
    }
  }
  const others = listOf({ ffff: entry, '6681152659205225093': { status: 'SUSPENDED' } })
  assert.deepEqual(await judged({ revoked: others }), ['hardware', 'locked, verified'])
})

test('a list is stale after a day, and counts all the same', () => {
  const list = listOf({ ff: { status: 'REVOKED' } })
  assert.deepEqual([list.stateAt(now + day), list.stateAt(now + day + 1)], ['current', 'stale'])
  assert.deepEqual([list.statusOf('ff'), revocationList([]).stateAt(now)], ['revoked', 'missing'])
})

test('remembers the signatures near a known root, and no others', async () => {
  const seen: Map<string, KnownIssuer> = new Map()
  const remote = await attestationAuthority({ now, provisioning: 'remote' })
  const chain = await remote.attest(key.publicKey)
  const trusted = { roots: { hardware: [remote.root], software: [] }, revoked: revocationList([]), verified: seen, now }
  const other = { ...trusted, roots: publishedRoots }
  assert.throws(() => verifyKeyAttestation(chain, other, expected), /its root is not known/)
  assert.equal(seen.size, 0)
  assert.equal(verifyKeyAttestation(chain, trusted, expected).level, 'hardware')
  assert.equal(seen.size, 2)
  assert.equal(verifyKeyAttestation(chain, trusted, expected).level, 'hardware')
  assert.equal(seen.size, 2)
  const forged = chain.with(2, changed(chain[2]!, -1))
  assert.throws(() => verifyKeyAttestation(forged, trusted, expected), /not signed by the next/)
  assert.throws(() => verifyKeyAttestation(chain, other, expected), /its root is not known/)
  const later = { ...trusted, now: now + 365 * day }
  assert.throws(() => verifyKeyAttestation(chain, later, expected), /has expired/, 'dates of what is known count')
})

test('remembers the key that a factory put into many phones', async () => {
  const seen: Map<string, KnownIssuer> = new Map()
  const trusted = {
    roots: { hardware: [authority.root], software: [] },
    revoked: revocationList([]),
    verified: seen,
    now,
  }
  const verify = async (publicKey: typeof key.publicKey, chainOf = (chain: Buffer[]) => chain) =>
    verifyKeyAttestation(chainOf(await authority.attest(publicKey)), trusted).level
  assert.deepEqual([await verify(key.publicKey), seen.size], ['hardware', 2])
  assert.deepEqual([await verify(otherKey.publicKey), seen.size], ['hardware', 2])
  await assert.rejects(
    verify(key.publicKey, ([leaf, ...rest]) => [changed(leaf!, -1), ...rest]),
    /certificate 0 .* not signed/,
  )
  const another = await attestationAuthority({ now })
  const [, issuer] = await another.attest(key.publicKey)
  await assert.rejects(
    verify(key.publicKey, (chain) => chain.with(1, issuer!)),
    /certificate 1 .* not signed/,
  )
})

test('remembers nothing of a chain that is refused, or that anyone can make', async () => {
  const seen: Map<string, KnownIssuer> = new Map()
  const forged = await attestationAuthority({ now, subjects: ['2.5.4.5=c2ce3d1a8b4f5e60', 'O=Forged', 'O=Key'] })
  const software = await attestationAuthority({ now, subjects: ['CN=Any', 'CN=Software'] })
  const trusted = { roots: { hardware: [forged.root], software: [software.root] }, verified: seen, now }
  const verify = (chain: readonly Buffer[]) =>
    verifyKeyAttestation(chain, { ...trusted, revoked: revocationList([]) }, expected)
  const description = { attestationLevel: 0, keyLevel: 0 }
  assert.equal(verify(await software.attest(key.publicKey, { description })).level, 'software')
  const chain = await forged.attest(key.publicKey)
  assert.throws(() => verify(chain), /a factory chain of 5 certificates/)
  assert.equal(seen.size, 0)
})

test('a key of ML-DSA is unknown, wherever it is', async () => {
  const { publicKey } = generateKeyPairSync('ml-dsa-44')
  assert.deepEqual(await judged({ publicKey }), ['unknown', 'it has a key of ML-DSA'])
})

/** What anyone can do to bytes. */
const damaged = fc
  .tuple(fc.constantFrom('change', 'cut', 'repeat'), fc.nat(), fc.nat(300), fc.integer({ min: 1, max: 255 }))
  .map(([kind, place, length, change]) => (bytes: Buffer): Buffer => {
    const at = place % bytes.length
    if (kind === 'change') return changed(bytes, at, change)
    if (kind === 'cut') return bytes.subarray(0, at)
    return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])
  })

test('never throws anything but a refusal, whatever is done to a chain, and never says more of it', async () => {
  const rank = (level: string) => ['software', 'unlocked', 'hardware', 'strongBox'].indexOf(level)
  for (const [provisioning, description] of [
    ['factory', {}],
    ['remote', { locked: 0 }],
    ['factory', { attestationLevel: 0, keyLevel: 0 }],
  ] as const) {
    const made = await attestationAuthority({ now, provisioning })
    const chain = await made.attest(key.publicKey, { description })
    const trusted = { roots: { hardware: [made.root], software: [] }, revoked: revocationList([]), now }
    const levelOf = (given: readonly Buffer[]): string => {
      try {
        return verifyKeyAttestation(given, trusted, expected).level
      } catch (error) {
        assert.ok(error instanceof KeyAttestationRefused, String(error))
        return error.level
      }
    }
    const level = levelOf(chain)
    assert.ok(rank(level) >= 0)
    fc.assert(
      fc.property(fc.nat(chain.length - 1), damaged, (which, damage) => {
        const bytes = damage(chain[which]!)
        const found = levelOf(chain.with(which, bytes))
        // Nobody signs the root's certificate but itself, and its key is what counts.
        if (which < chain.length - 1 && !bytes.equals(chain[which]!)) assert.ok(rank(found) < 0, found)
        assert.ok(rank(found) <= rank(level), found)
      }),
      { numRuns: 500 },
    )
    fc.assert(
      fc.property(fc.array(fc.nat(chain.length - 1), { maxLength: 6 }), (order) => {
        assert.ok(rank(levelOf(order.map((at) => chain[at]!))) <= rank(level))
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => rank(levelOf(chain.with(0, Buffer.from(bytes)))) < 0),
    )
  }
})

test('the work of reading grows with the bytes at most, whatever is done to them', async (t) => {
  const [leaf] = (await authority.attest(key.publicKey)) as [Buffer, ...Buffer[]]
  const description = readCertificate(leaf).extensions.get(keyDescriptionId)!
  const pieces = t.mock.method(Buffer.prototype, 'subarray')
  // An element takes two: with tag and length, and its content.
  const elementsIn = (reading: () => unknown): number => {
    pieces.mock.resetCalls()
    try {
      reading()
    } catch (error) {
      assert.ok(error instanceof DerError || /certificate|extension/.test(String(error)), String(error))
    }
    return pieces.mock.callCount() / 2
  }
  fc.assert(
    fc.property(damaged, (damage) => {
      const [bytes, extension] = [damage(leaf), damage(description)]
      assert.ok(elementsIn(() => readCertificate(bytes)) <= bytes.length / 4)
      assert.ok(elementsIn(() => readKeyDescription(extension)) <= extension.length / 4)
    }),
    { numRuns: 1000 },
  )
  const repeated = sequence(...Array(4000).fill(Buffer.of(0x30, 0)))
  for (const wide of [repeated, sequence(repeated, repeated), der(0x31, repeated)]) {
    assert.ok(elementsIn(() => readKeyDescription(wide)) < 300)
    assert.ok(elementsIn(() => readCertificate(wide)) < 300)
  }
})

const listOf = (entries: Record<string, RevocationEntry>) =>
  revocationList([{ name: 'google', url: 'https://example', datedMs: now, entries }])

function changed(bytes: Buffer, at: number, change = 1): Buffer {
  const copy = Buffer.from(bytes)
  copy[at < 0 ? copy.length + at : at]! ^= change
  return copy
}
